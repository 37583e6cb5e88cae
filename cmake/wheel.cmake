# Where things go in a Python wheel, which pip unpacks into somebody's environment: into
# the package's own folder, so that no header or library there is hidden or replaced.
# Only man pages and completions lie where man and shells look for them.
foreach(kind BIN INCLUDE LIB)
  string(TOLOWER ${kind} folder)
  set(CMAKE_INSTALL_${kind}DIR data/${folder})
endforeach()
set(CMAKE_INSTALL_DATADIR ${SKBUILD_DATA_DIR}/share)
set(CMAKE_INSTALL_MANDIR ${SKBUILD_DATA_DIR}/share/man)
