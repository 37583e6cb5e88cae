# The reader as WebAssembly, for pages that have traces or open them by themselves:
# src/web. Found are a clang that knows wasm32, its run-time library, its linker,
# wasi-libc, and basenc of coreutils. Without one of them `rangeline view --html` says
# what was missing, and there is no rangeline.html.
#
# -DRLN_WASI_ROOT=FOLDER: what has include/wasm32-wasi and lib/wasm32-wasi.
option(RLN_PAGE_READER "Build pages of traces, if the compiler of their reader is found"
  ${is_top_level})
set(RLN_WASI_ROOT /usr CACHE PATH "Where wasi-libc is")
find_program(RLN_WASM_CC clang)
find_program(RLN_BASENC basenc)
mark_as_advanced(RLN_WASM_CC RLN_BASENC)

# OUT: why the reader cannot be built, or "".
function(rln_page_lacks out)
  set(${out} "" PARENT_SCOPE)
  if(NOT RLN_PAGE_READER)
    set(${out} "RLN_PAGE_READER is OFF" PARENT_SCOPE)
  elseif(NOT RLN_WASM_CC)
    set(${out} "clang is not installed" PARENT_SCOPE)
  elseif(NOT RLN_BASENC)
    set(${out} "basenc of coreutils 8.31 is not installed" PARENT_SCOPE)
  else()
    set(probe ${PROJECT_BINARY_DIR}/page_reader/probe)
    file(WRITE ${probe}.c "#include <stdio.h>\nint main(void) { return puts(\"\"); }\n")
    execute_process(COMMAND ${RLN_WASM_CC} --target=wasm32-wasi --sysroot=${RLN_WASI_ROOT}
      ${probe}.c -o ${probe}.wasm RESULT_VARIABLE result ERROR_VARIABLE errors)
    if(result)
      string(REGEX REPLACE "\n.*" "" first "${errors}")
      set(${out} "wasi-libc, lld and libclang-rt-dev-wasm32 are needed: ${first}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

set(viewer_page ${PROJECT_BINARY_DIR}/viewer_page.c)
rln_page_lacks(rln_page_lack)
if(rln_page_lack)
  message(STATUS "pages of traces are left out: ${rln_page_lack}")
  string(REGEX REPLACE "([\"\\\\])" "\\\\\\1" lack "${rln_page_lack}")
  file(CONFIGURE OUTPUT ${viewer_page} CONTENT "/* Made by cmake/page_reader.cmake. */
#include \"serve/page.h\"

const size_t rln__viewer_page_bytes = 0;
const unsigned char rln__viewer_page[1] = {0};
const char rln__viewer_page_lack[] = \"${lack}\";
" @ONLY)
  return()
endif()

# The reading side without what records, rewrites files, or needs a library.
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS src/statistics/*.c src/trace/*.c
  src/ranges/*.c src/reports/*.c src/table/*.c src/analysis/*.c
  src/timeline/*.c src/query/*.c src/web/*.c)
set(page_base ${base_sources} ${format_sources})
list(FILTER page_base EXCLUDE REGEX
  "/(allowance|clock|remove_tree|superblock|superblock_guard|trace_path|trim|disk_space)\\.c$")
list(APPEND page_sources ${page_base} ${PROJECT_SOURCE_DIR}/src/import/import.c)

set(page_flags --target=wasm32-wasi -nostdlibinc
  -isystem ${PROJECT_SOURCE_DIR}/src/web/libc
  -isystem ${RLN_WASI_ROOT}/include/wasm32-wasi
  -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include
  -std=gnu11 -D_GNU_SOURCE -DRLN_HAVE_SQLITE=0 -Oz -DNDEBUG -msign-ext -mnontrapping-fptoint
  -ffunction-sections -fdata-sections -Wall -Wextra -Wconversion)
if(RLN_WERROR)
  list(APPEND page_flags -Werror)
endif()
set(page_objects "")
foreach(source ${page_sources})
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/src ${source})
  string(REPLACE "/" "_" name ${name})
  set(object ${PROJECT_BINARY_DIR}/page_reader/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${RLN_WASM_CC} ${page_flags} -MD -MF ${object}.d
      -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d VERBATIM)
  list(APPEND page_objects ${object})
endforeach()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/page_reader)

file(STRINGS src/web/page_reader.h page_exports REGEX "^[a-z].*rln_page_[a-z_]+\\(")
set(page_exported "")
foreach(line ${page_exports})
  string(REGEX REPLACE ".*(rln_page_[a-z_]+)\\(.*" "\\1" name "${line}")
  list(APPEND page_exported -Wl,--export=${name})
endforeach()
set(page_wasm ${PROJECT_BINARY_DIR}/page_reader/rangeline.wasm)
# Memory: heap.c says why not all of 4 GiB. The stack comes first, so that overflowing it
# is a trap and nothing is overwritten.
add_custom_command(OUTPUT ${page_wasm}
  COMMAND ${RLN_WASM_CC} --target=wasm32-wasi --sysroot=${RLN_WASI_ROOT}
    -mexec-model=reactor -Wl,--strip-all -Wl,--gc-sections -Wl,--stack-first
    -Wl,-z,stack-size=1048576 -Wl,--max-memory=4294901760
    ${page_exported} ${page_objects} -o ${page_wasm}
  DEPENDS ${page_objects} VERBATIM)
set(page_html ${PROJECT_BINARY_DIR}/rangeline.html)
add_custom_command(OUTPUT ${page_html} ${viewer_page}
  COMMAND ${CMAKE_COMMAND} -DVIEWER=${PROJECT_SOURCE_DIR}/viewer -DREADER=${page_wasm}
    -DWORK=${PROJECT_BINARY_DIR}/page_reader -DPAGE=${page_html} -DARRAY=${viewer_page}
    -P ${PROJECT_SOURCE_DIR}/cmake/viewer.cmake
  DEPENDS ${viewer_sources} ${page_wasm} ${PROJECT_SOURCE_DIR}/cmake/viewer.cmake)
add_custom_target(page_reader ALL DEPENDS ${page_html} ${viewer_page})
