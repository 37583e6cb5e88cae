# SPDX-License-Identifier: Apache-2.0
# zig.cmake - builds with zig for glibc 2.28, with the static libraries of
# dependencies.sh and no other. The variables are set by common.sh.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $ENV{ZIG_ARCH})
set(CMAKE_C_COMPILER $ENV{ZIG_BIN}/cc)
set(CMAKE_AR $ENV{ZIG_BIN}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB $ENV{ZIG_BIN}/ranlib CACHE FILEPATH "")
set(CMAKE_FIND_ROOT_PATH $ENV{ZIG_PREFIX})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# No debug information, which zig writes by default, and no path of the build.
set(CMAKE_C_FLAGS_INIT "-g0 -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.")
# Runs the command to write its man pages and completions.
if($ENV{ZIG_ARCH} STREQUAL "aarch64")
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu)
else()
  set(CMAKE_CROSSCOMPILING_EMULATOR env)
endif()
