# A recipe of 200 traces: on a Dask cluster of which a worker is killed, of sums that two
# tasks of mpirun made, and here. The folders are the same, except for commands to copy.
# shellcheck disable=SC2154 # of run.sh
root=$here/../..
python=$root/build/readers/bin/python3
"$python" -c 'import distributed, pyarrow' 2>/dev/null || {
    echo "skipped: build/readers has no distributed and pyarrow (tools/setup test)" >&2
    exit 77
}
mkdir tmp
export TMPDIR=$PWD/tmp
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export RANGELINE_PYTHON=$root/python/src/rangeline PYTHONPATH=$root/python/src PYTHONDONTWRITEBYTECODE=1
command -v mpirun >/dev/null || { echo "skipped: mpirun is not installed" >&2; exit 77; }
timeout 100 mpirun --oversubscribe -n 2 true 2>mpirun.log ||
    { echo "skipped: mpirun starts no ranks here: $(head -n 1 mpirun.log)" >&2; exit 77; }
mkdir workers
export PATH=$root/build/readers/bin:$PATH
"$BIN/make_job" . 200

# The workers' command kills its worker once, when it has summed up.
cat >workers/rangeline <<END
#!/bin/sh
"$BIN/rangeline" "\$@" || exit
[ "\$1" != reduce ] || ! mkdir "$PWD/killed" 2>/dev/null || kill -9 \$PPID
END
chmod +x workers/rangeline
cat >cluster.py <<'END'
import os
import sys

import distributed

if __name__ == "__main__":
    sys.modules["rangeline"] = None  # only the workers have the package
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with open("address.part", "w") as file:
        file.write(cluster.scheduler_address)
    os.rename("address.part", "address")
    sys.stdin.read()
    cluster.close()
END
mkfifo stay
PATH=$PWD/workers:$PATH timeout 300 python3 cluster.py <stay >cluster.log 2>&1 &
exec 9>stay
for _ in $(seq 600); do
    [ ! -e address ] || break
    sleep 0.1
done
export DASK_SCHEDULER_ADDRESS
DASK_SCHEDULER_ADDRESS=$(cat address)

cook() { timeout 120 rangeline recipe "$@" >said 2>&1 || { cat said && false; }; }
mpirun --oversubscribe -n 2 rangeline reduce --slice auto --steps step \
    -o 'part%q{OMPI_COMM_WORLD_RANK}' 't*.rln' 2>/dev/null
ls part*.rlsum
for recipe in 'straggler step' 'rank_sum' 'heatmap step'; do
    for way in '' '--dask auto'; do
        # shellcheck disable=SC2086 # words
        cook $recipe $way -f -o "out$way" 't*.rln'
    done
    # shellcheck disable=SC2086 # words
    cook $recipe -f -o mpi part?.rlsum
    diff -r out 'out--dask auto' && echo "${recipe% *}: the same with Dask"
    [ ! -e killed ] || echo "a worker was killed"
    diff -r -I '^<pre>' out mpi && echo "${recipe% *}: the same with mpirun"
done
ls out

echo nothing >broken.rln
for way in '' '--dask auto'; do
    # shellcheck disable=SC2086 # words
    cook rank_sum $way -f -o "out$way" t00000.rln t00001.rln broken.rln missing.rln t00007.rln
done
diff -r out 'out--dask auto' && echo "the same with traces that cannot be read"
rangeline recipe rank_sum --dask auto -o none broken.rln missing.rln
echo "exit $?"
cp t00000.rln copy.rln
rangeline recipe rank_sum --dask auto -o none t00001.rln t00000.rln t00007.rln copy.rln 2>&1

printf '#!/bin/sh\necho rangeline 0.0.1\n' >workers/rangeline
rangeline recipe rank_sum --dask auto -o none t00000.rln 2>&1 | sed -E 's/"tcp[^"]*"/"WORKER"/; s/[0-9.]+$/VERSION/'
ls -d none 2>/dev/null
exec 9>&-
wait
find tmp -name 'rangeline-*' # what the killed worker left
true
