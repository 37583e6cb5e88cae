# find_package(rangeline) gives
#   rangeline::rangeline   the library that reads traces
#   nvtx3-c, nvtx3-cpp     the client headers, unless another package gave them before;
#                          ours are rangeline::nvtx3-c and rangeline::nvtx3-cpp, too
include(${CMAKE_CURRENT_LIST_DIR}/rangeline-targets.cmake)
foreach(name nvtx3-c nvtx3-cpp)
  if(NOT TARGET ${name})
    add_library(${name} INTERFACE IMPORTED)
    target_link_libraries(${name} INTERFACE rangeline::${name})
  endif()
endforeach()
