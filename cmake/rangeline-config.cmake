# find_package(rangeline) gives
#   rangeline::rangeline       the library that reads traces
#   rangeline::collect-static  the collector, to link into a program that records itself
#   nvtx3-c, nvtx3-cpp, nvtxw3-loader
#                              the client headers, for C, C++ and NVTXW; also with the
#                              prefix nvtx3::. If another package already uses these
#                              names, ours have the prefix rangeline::.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/rangeline-targets.cmake)
foreach(target nvtx3-c nvtx3-cpp nvtxw3-loader)
  foreach(name nvtx3::${target} ${target})
    if(NOT TARGET ${name})
      add_library(${name} INTERFACE IMPORTED)
      target_link_libraries(${name} INTERFACE rangeline::${target})
      # For projects that read this property instead of linking to the target.
      get_target_property(include_directories rangeline::nvtx3-c
        INTERFACE_INCLUDE_DIRECTORIES)
      set_target_properties(${name} PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${include_directories}")
      unset(include_directories)
    endif()
  endforeach()
endforeach()
