# The layout of a Python wheel, which pip unpacks into the user's environment. Files go
# into the package's own folder, so that they do not hide or replace headers and
# libraries there. Only man pages and completions go where man and shells look for them.
foreach(kind BIN INCLUDE LIB)
  string(TOLOWER ${kind} folder)
  set(CMAKE_INSTALL_${kind}DIR data/${folder})
endforeach()
set(CMAKE_INSTALL_DATADIR ${SKBUILD_DATA_DIR}/share)
set(CMAKE_INSTALL_MANDIR ${SKBUILD_DATA_DIR}/share/man)
