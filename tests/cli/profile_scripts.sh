# A script without a #! line runs as from a shell; a program for another machine is
# refused with the reason.
printf 'echo "$0 $1"\n' >script
: >empty
{ printf '\177ELF\2\1\1'; head -c 100 /dev/zero; } >foreign
printf '#!/nosuch/interpreter\n' >interpreted
chmod +x script empty foreign interpreted
for program in ./script ./empty ./foreign ./interpreted; do
    rangeline profile -o t $program argument 2>&1 | grep -v 'NVTX call\|annotate'
    echo "${PIPESTATUS[0]}"
done
