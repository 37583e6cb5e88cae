# What is installed, and where. No file contains an absolute path, so the tree can be
# moved to another prefix afterwards. tests/install/run.sh lists the files and uses
# them.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rangeline)
# For libraries without a version, which are loaded by their paths and never linked with.
set(loaded_dir ${CMAKE_INSTALL_LIBDIR}/rangeline)

if(TARGET rangeline-collect)
  install(TARGETS rangeline-collect rangeline-writer LIBRARY DESTINATION ${loaded_dir})
  install(TARGETS rangeline-collect-static EXPORT rangeline
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS rangeline-cuda rangeline-gil rangeline-gpu rangeline-itt rangeline-mpi
  LIBRARY DESTINATION ${loaded_dir})
install(TARGETS rangeline-gpu-metrics RUNTIME DESTINATION ${loaded_dir})
install(TARGETS roctx64 rocprofiler-sdk-roctx LIBRARY DESTINATION ${loaded_dir}/roctx)
install(FILES ${roctx_dir}/librocprofiler-sdk-roctx.so.0 DESTINATION ${loaded_dir}/roctx)
install(TARGETS nvtx3interop LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS rangeline rln-nvtx3-c rln-nvtx3-cpp rln-nvtxw3-loader EXPORT rangeline
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# ---- find_package() for rangeline and nvtx3, and pkg-config --------------------------

install(EXPORT rangeline FILE rangeline-targets.cmake NAMESPACE rangeline::
  DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rangeline-config-version.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES cmake/rangeline-config.cmake
  ${PROJECT_BINARY_DIR}/rangeline-config-version.cmake DESTINATION ${package_dir})

# Only the headers, under NVIDIA's name and with the version of NVTX that they
# implement.
set(nvtx_version 3.2.0)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nvtx3-config-version-of-cmake.cmake
  VERSION ${nvtx_version} COMPATIBILITY SameMajorVersion)
string(REGEX MATCH "^[0-9]+\\.[0-9]+" nvtx_minor ${nvtx_version})
configure_file(cmake/nvtx3-config-version.cmake.in nvtx3-config-version.cmake @ONLY)
install(FILES cmake/nvtx3-config.cmake ${PROJECT_BINARY_DIR}/nvtx3-config-version.cmake
  ${PROJECT_BINARY_DIR}/nvtx3-config-version-of-cmake.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nvtx3)

# The relative path from the folder of the .pc files to the prefix.
file(RELATIVE_PATH up_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name rangeline rangeline-collect nvtx3)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# ---- The command, its man pages and completions --------------------------------------

# The command generates them from its option tables. If it cannot run here, because it
# was built for another machine, it is installed without them.
if(NOT TARGET rangeline-cli)
  return()
endif()
install(TARGETS rangeline-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET page_reader AND NOT SKBUILD) # a wheel has the page in the command
  install(FILES ${page_html} DESTINATION ${CMAKE_INSTALL_DATADIR}/rangeline)
endif()
install(FILES docs/skill/rangeline/SKILL.md DESTINATION ${CMAKE_INSTALL_DATADIR}/rangeline/skill)
# For runs that start a Python of a virtual environment which has the package. In a wheel,
# the package is beside the command.
if(NOT SKBUILD)
  set(hook python/src/rangeline/hook/sitecustomize.py)
  install(FILES ${hook} DESTINATION ${CMAKE_INSTALL_DATADIR}/rangeline/hook)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/rangeline/hook)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${hook}
    ${PROJECT_BINARY_DIR}/share/rangeline/hook/sitecustomize.py SYMBOLIC)
else()
  install(PROGRAMS python/rangeline.sh DESTINATION ${SKBUILD_SCRIPTS_DIR} RENAME rangeline)
endif()
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  return()
endif()

function(rln_written_by_command file destination) # and its arguments
  get_filename_component(folder ${PROJECT_BINARY_DIR}/${file} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/${file}
    COMMAND rangeline-cli ${ARGN} > ${PROJECT_BINARY_DIR}/${file}
    DEPENDS rangeline-cli VERBATIM)
  set_property(GLOBAL APPEND PROPERTY RLN_WRITTEN ${PROJECT_BINARY_DIR}/${file})
  install(FILES ${PROJECT_BINARY_DIR}/${file} DESTINATION ${destination})
endfunction()

rln_written_by_command(man/rangeline.1 ${CMAKE_INSTALL_MANDIR}/man1 --man)
foreach(source ${command_sources}) # cmd_NAME.c has the command NAME
  if(source MATCHES "/cmd_([a-z]+)\\.c$")
    set(name ${CMAKE_MATCH_1})
    rln_written_by_command(man/rangeline-${name}.1 ${CMAKE_INSTALL_MANDIR}/man1
      --man ${name})
  endif()
endforeach()
rln_written_by_command(completions/rangeline
  ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completions bash)
rln_written_by_command(completions/_rangeline
  ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completions zsh)
rln_written_by_command(completions/rangeline.fish
  ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completions fish)
get_property(written GLOBAL PROPERTY RLN_WRITTEN)
add_custom_target(written-by-command ALL DEPENDS ${written})
