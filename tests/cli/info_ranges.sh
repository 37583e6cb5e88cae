# Unmatched ends and open ranges are counted as in stats; a domain with an empty name is
# shown with a name.
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; } >&2
cat >ranges.py <<'END'
import ctypes
import sys

nvtx = ctypes.CDLL(sys.argv[1])
nvtx.nvtxDomainCreateA.restype = ctypes.c_void_p
nvtx.nvtxDomainRangePop.argtypes = [ctypes.c_void_p]
nvtx.nvtxDomainRangePop(nvtx.nvtxDomainCreateA(b""))
nvtx.nvtxRangeEnd.argtypes = [ctypes.c_uint64]
nvtx.nvtxRangeEnd(99)
nvtx.nvtxRangePushA(b"pushed")
nvtx.nvtxRangeStartA(b"started")
END
rangeline profile -o run python3 ranges.py "$BUILD/lib/libnvtx3interop.so" 2>/dev/null
rangeline info run.rln | sed -n '/^domain/,$p'
rangeline info --json run.rln | grep -o '"unmatched_pops.*"open":[0-9]*'
