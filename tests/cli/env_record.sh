# `env` has options that select and limit events, for programs that record themselves.
rangeline env --buffer 16M --categories "io,it's@x" --nvtx-domain-include a,b | sed 1d
rangeline env --shell fish --buffer 1.5M --nvtx-domain-exclude default | sed 1d
eval "$(rangeline env -o t --buffer 256K --nvtx-domain-exclude x)"
say push a mark b@x many 100000 pop
rangeline info t.rln | grep -o '^kept .*process;'
rangeline info t.rln | grep -o '^trace .*itself$' | sed 's/,.*,/,/'
rangeline print t.rln 2>/dev/null | grep -c 'x:b'
for options in '--buffer 1K' '--categories a,,b' \
    '--nvtx-domain-include a --nvtx-domain-exclude b'; do
    # shellcheck disable=SC2086
    rangeline env $options
    echo $?
done
