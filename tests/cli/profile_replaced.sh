# A file that replaced the trace is neither read nor removed.
rangeline profile -o t sh -c '"$BIN/clients" "$BUILD"; rm t.rln; echo precious >t.rln; exit 6'
echo $?
cat t.rln
rangeline profile -o moved sh -c '"$BIN/clients" "$BUILD"; mv moved.rln kept.rln'
rangeline print kept.rln | wc -l
