# SPDX-License-Identifier: Apache-2.0
# aarch64.cmake - cross-compiles with Debian's gcc-aarch64-linux-gnu:
#   cmake -S . -B build/aarch64 -DCMAKE_TOOLCHAIN_FILE=$PWD/tools/aarch64.cmake
# tests/collect/aarch64.sh runs the result in an emulator.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Do not find this machine's own libraries.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig)
