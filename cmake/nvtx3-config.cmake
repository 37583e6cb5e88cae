# find_package(nvtx3) for projects that look for NVIDIA's package: nvtx3-c and nvtx3-cpp,
# also with nvtx3:: before the name, are the client headers of Rangeline.
include(${CMAKE_CURRENT_LIST_DIR}/../rangeline/rangeline-config.cmake)
