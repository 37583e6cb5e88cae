# A program in another language annotates through libnvtx3interop.so, and is recorded.
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; } >&2
cat >annotated.py <<'END'
import ctypes
import sys

nvtx = ctypes.CDLL(sys.argv[1])
for function, arguments, result in (
    (nvtx.nvtxDomainCreateA, [ctypes.c_char_p], ctypes.c_void_p),
    (nvtx.nvtxDomainRangePushEx, [ctypes.c_void_p, ctypes.c_void_p], ctypes.c_int),
    (nvtx.nvtxDomainRangePop, [ctypes.c_void_p], ctypes.c_int),
    (nvtx.nvtxRangeStartA, [ctypes.c_char_p], ctypes.c_uint64),
    (nvtx.nvtxRangeEnd, [ctypes.c_uint64], None),
):
    function.argtypes, function.restype = arguments, result


class EventAttributes(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_uint16),
        ("size", ctypes.c_uint16),
        ("category", ctypes.c_uint32),
        ("colorType", ctypes.c_int32),
        ("color", ctypes.c_uint32),
        ("payloadType", ctypes.c_int32),
        ("reserved0", ctypes.c_int32),
        ("payload", ctypes.c_uint64),
        ("messageType", ctypes.c_int32),
        ("message", ctypes.c_char_p),
    ]


attributes = EventAttributes(version=3, size=48, colorType=1, color=0xFF00FF00)
attributes.messageType, attributes.message = 1, b"inner"
domain = nvtx.nvtxDomainCreateA(b"ctypes")
nvtx.nvtxDomainIsEnabled.restype = ctypes.c_uint8
print("a tool is there" if nvtx.nvtxDomainIsEnabled(None) else "there is no tool")
print("push", nvtx.nvtxRangePushA(b"outer"))
print("push", nvtx.nvtxDomainRangePushEx(domain, ctypes.byref(attributes)))
nvtx.nvtxRangeEnd(nvtx.nvtxRangeStartA("started \u20ac".encode()))
nvtx.nvtxMarkW("wide \u20ac")
print("pop", nvtx.nvtxDomainRangePop(domain))
print("pop", nvtx.nvtxRangePop())
END
library=$BUILD/lib/libnvtx3interop.so
python3 annotated.py "$library"
rangeline profile -o run python3 annotated.py "$library" 2>/dev/null
rangeline print --tree run.rln | tidy | sed 's/id=[0-9]*/id=N/'
