# A command whose reader has exited ends without an error, with SIGPIPE ignored or not. A
# full disk is an error, whatever part of the command was writing.
rangeline profile -o big "$BIN/say" many 100000 2>/dev/null
(
    trap '' PIPE
    for words in 'print big.rln' 'stats big.rln' 'help profile' 'completions fish'; do
        # shellcheck disable=SC2086 # words
        rangeline $words | true
        echo "$words: ${PIPESTATUS[0]}"
    done
)
for words in 'print big.rln' 'completions fish' '--version'; do
    # shellcheck disable=SC2086
    rangeline $words >/dev/full
    echo "$words: $?"
done
