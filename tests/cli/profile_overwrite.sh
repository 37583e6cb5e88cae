# A trace is overwritten only on request; otherwise the program does not start.
unset OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK RANK SLURM_PROCID
rangeline profile -o t "$BIN/clients" "$BUILD" 2>/dev/null
before=$(md5sum <t.rln)
rangeline profile -o t touch started
echo "$?"
ls
[ "$before" = "$(md5sum <t.rln)" ] && echo same
rangeline profile -f false -o t touch started
echo "$?"
for yes in '-f true' '-f' '--force-overwrite=true' '--force-overwrite' '-ftrue'; do
    # shellcheck disable=SC2086
    rangeline profile -o t $yes "$BIN/clients" "$BUILD" 2>&1 | tidy
done
rangeline print t.rln | wc -l
# In a job, the file that replaces a trace would be another rank's.
export OMPI_COMM_WORLD_RANK=2
for output in same same.rln "same-%q{OMPI_COMM_WORLD_RANK}"; do
    for _ in 1 2; do rangeline profile -o "$output" "$BIN/say" mark a 2>&1 | tail -n 1 | tidy; done
done
