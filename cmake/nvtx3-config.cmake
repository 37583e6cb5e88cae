# find_package(nvtx3) for projects that look for NVIDIA's package: nvtx3-c, nvtx3-cpp and
# nvtxw3-loader, also with the prefix nvtx3::, are Rangeline's client headers.
include(${CMAKE_CURRENT_LIST_DIR}/../rangeline/rangeline-config.cmake)
