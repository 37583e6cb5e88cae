# Of a damaged trace, commands print the readable part; for a file that is no trace, an
# error.
golden nested
: >empty.rln
head -c 100 nested.rln >short.rln
head -c 70000 nested.rln >cut.rln
head -c 98304 /dev/zero >zeros.rln
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0' >foreign.rln
cat nested.rln foreign.rln >tail.rln
mkdir folder.rln
ln -s loop.rln loop.rln
for command in print stats info; do
    for file in empty short cut zeros foreign folder missing loop; do
        rangeline $command $file.rln >stdout
        echo "$command $file: $? $(wc -l <stdout) lines"
    done
done
rangeline print tail.rln | wc -l
rangeline print nested.rln missing.rln
echo $?
rangeline info nested
