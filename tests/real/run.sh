#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD_DIR - records NVIDIA's libraries, unmodified, in one process: five or six
# clients.
#
# Each call must be a pair in the trace, in the library's own domain. The libraries are
# searched in $RLN_NVIDIA_LIBRARIES and in .venv. They take 2 GB, so they are installed
# only on request; missing ones are named:
#   .venv/bin/pip install nvidia-{nccl,cublas,cusparse,cusolver,cudnn,nvjitlink}-cu12
set -u
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

folder=${RLN_NVIDIA_LIBRARIES:-}
[ -n "$folder" ] || folder=$(find "$here/../../.venv" -type d -path '*/site-packages/nvidia' \
    2>/dev/null | head -n 1)
if [ -z "$folder" ] || [ -z "$(find "$folder" -name 'libcu*.so*' -o -name 'libnccl.so*')" ]; then
    echo "skipped: none of NVIDIA's libraries is here (tests/real/run.sh says which)"
    exit 77
fi
export CUBLAS_NVTX_LEVEL=3 CUBLASLT_NVTX_LEVEL=3 CUSPARSE_NVTX_LEVEL=3
export CUSOLVERDN_NVTX_LEVEL=3 CUDNN_NVTX_LEVEL=3

cd "$work" || exit 1
"$build/bin/rangeline" profile -o t python3 "$here/call_libraries.py" "$folder" \
    >called 2>err || { cat called err; exit 1; }
"$build/bin/rangeline" print t.rln >events || exit 1
n=0
while read -r function; do
    n=$((n + 1))
    for what in push pop; do
        [ "$(grep -cE " $what +[A-Za-z]+:$function( |$)" events)" -eq 1 ] || {
            echo "$function: no $what of its own"
            cat events err
            exit 1
        }
    done
done <called
for name in cublasLtCreate cublasCreate_v2 cusparseCreate cusolverDnCreate cudnnCreate \
    ncclCommInitRank; do
    grep -qx "$name" called || echo "not here: the library of $name"
done
if grep -qx ncclAllReduce called; then
    n=$((n - 1)) # it is one library with ncclCommInitRank
    grep ':ncclAllReduce ' events | grep push >said
    for field in 'NCCL communicator ID=[0-9]+' 'Message size \[bytes\]=4000' \
        'Reduction operation=Max'; do
        grep -qE "[{ ]${field}[,}]" said || {
            echo "ncclAllReduce does not say $field"
            cat said
            exit 1
        }
    done
fi
echo "$n libraries"
[ $n -gt 0 ]
