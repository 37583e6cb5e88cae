# The reader as WebAssembly, for pages that have traces or open them by themselves:
# src/web. Found are a clang that knows wasm32, its run-time library, its linker,
# wasi-libc, and basenc of coreutils. Without one of them `rangeline view --html` says
# what was missing, and there is no rangeline.html.
#
# rangeline.html also opens Nsight's exports if SQLite's amalgamation is there, which
# tools/fetch_sqlite makes; pages in files need only the reader of traces.
#
# -DRLN_WASI_ROOT=FOLDER: what has include/wasm32-wasi and lib/wasm32-wasi.
# -DRLN_SQLITE_SOURCE=FOLDER: what has sqlite3.c and sqlite3.h.
option(RLN_PAGE_READER "Build pages of traces, if the compiler of their reader is found"
  ${is_top_level})
set(RLN_WASI_ROOT /usr CACHE PATH "Where wasi-libc is")
find_program(RLN_WASM_CC clang)
find_program(RLN_BASENC basenc)
mark_as_advanced(RLN_WASM_CC RLN_BASENC)
set(RLN_SQLITE_SOURCE ${PROJECT_SOURCE_DIR}/build/sqlite CACHE PATH
  "Where sqlite3.c and sqlite3.h are, for rangeline.html")

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

rln_page_lacks(rln_page_lack)
if(rln_page_lack)
  message(STATUS "pages of traces are left out: ${rln_page_lack}")
  add_custom_command(OUTPUT ${viewer_parts}
    COMMAND ${viewer_command} "-DGZIP=${viewer_gzip}" "-DLACK=${rln_page_lack}"
      -P ${viewer_cmake}
    DEPENDS ${viewer_sources} ${viewer_cmake} VERBATIM)
  return()
endif()

set(page_flags --target=wasm32-wasi -nostdlibinc
  -isystem ${PROJECT_SOURCE_DIR}/src/web/libc
  -isystem ${RLN_WASI_ROOT}/include/wasm32-wasi
  -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include
  -std=gnu11 -D_GNU_SOURCE -Oz -DNDEBUG -msign-ext -mnontrapping-fptoint
  -ffunction-sections -fdata-sections)
set(page_warnings -Wall -Wextra -Wconversion)
if(RLN_WERROR)
  list(APPEND page_warnings -Werror)
endif()

# OUT: the objects of those sources, in a folder of the name KIND.
function(rln_page_objects out kind flags) # SOURCE...
  set(objects "")
  foreach(source ${ARGN})
    get_filename_component(name ${source} NAME_WE) # unique in the tree
    set(object ${PROJECT_BINARY_DIR}/page_reader/${kind}/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${RLN_WASM_CC} ${page_flags} ${flags}
        -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/page_reader/${kind})
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

# The reading side without what records, rewrites files, or needs a library.
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS src/statistics/*.c src/trace/*.c
  src/ranges/*.c src/reports/*.c src/table/*.c src/analysis/*.c
  src/timeline/*.c src/query/*.c src/web/*.c)
list(FILTER page_sources EXCLUDE REGEX "/sqlite_file\\.c$")
set(page_base ${base_sources} ${format_sources})
list(FILTER page_base EXCLUDE REGEX
  "/(allowance|clock|remove_tree|superblock|superblock_guard|trace_path|trim|disk_space)\\.c$")
rln_page_objects(page_objects reader "${page_warnings}" ${page_sources} ${page_base})
rln_page_objects(page_traces traces "${page_warnings};-DRLN_HAVE_SQLITE=0"
  ${PROJECT_SOURCE_DIR}/src/import/import.c)

file(STRINGS src/web/page_reader.h page_exports REGEX "^[a-z].*rln_page_[a-z_]+\\(")
set(page_exported "")
foreach(line ${page_exports})
  string(REGEX REPLACE ".*(rln_page_[a-z_]+)\\(.*" "\\1" name "${line}")
  list(APPEND page_exported -Wl,--export=${name})
endforeach()
# Memory: heap.c says why not all of 4 GiB. The stack comes first, so that overflowing it
# is a trap and nothing is overwritten.
function(rln_page_link wasm) # OBJECT...
  set(shrink "")
  if(RLN_WASM_OPT)
    set(shrink COMMAND ${RLN_WASM_OPT} -Oz --enable-bulk-memory --enable-sign-ext
      --enable-mutable-globals --enable-nontrapping-float-to-int ${wasm} -o ${wasm})
  endif()
  add_custom_command(OUTPUT ${wasm}
    COMMAND ${RLN_WASM_CC} --target=wasm32-wasi --sysroot=${RLN_WASI_ROOT}
      -mexec-model=reactor -Wl,--strip-all -Wl,--gc-sections -Wl,--stack-first
      -Wl,-z,stack-size=1048576 -Wl,--max-memory=4294901760
      ${page_exported} ${ARGN} -o ${wasm}
    ${shrink}
    DEPENDS ${ARGN} VERBATIM)
  add_custom_command(OUTPUT ${wasm}.gz COMMAND ${viewer_gzip} ${wasm} > ${wasm}.gz
    DEPENDS ${wasm} VERBATIM)
endfunction()
set(page_wasm ${PROJECT_BINARY_DIR}/page_reader/rangeline.wasm)
rln_page_link(${page_wasm} ${page_objects} ${page_traces})

set(page_wasm_open ${page_wasm}) # of rangeline.html
if(EXISTS ${RLN_SQLITE_SOURCE}/sqlite3.c)
  # What reads a file and sorts in memory. Whatever a schema may have is parsed, but only
  # tables are read.
  set(page_sqlite_flags -w -DSQLITE_OS_OTHER -DSQLITE_THREADSAFE=0 -DSQLITE_TEMP_STORE=3
    -DSQLITE_DEFAULT_MEMSTATUS=0 -DSQLITE_DQS=0 -DSQLITE_UNTESTABLE)
  foreach(feature AUTHORIZATION AUTORESET COMPILEOPTION_DIAGS COMPLETE
    DATETIME_FUNCS DECLTYPE DEPRECATED DESERIALIZE GET_TABLE INCRBLOB
    INTEGRITY_CHECK JSON LOAD_EXTENSION LOOKASIDE PROGRESS_CALLBACK SHARED_CACHE
    TCL_VARIABLE TRACE WAL)
    list(APPEND page_sqlite_flags -DSQLITE_OMIT_${feature})
  endforeach()
  file(GLOB import_sources_of_page CONFIGURE_DEPENDS src/import/*.c)
  rln_page_objects(page_sqlite sqlite "${page_sqlite_flags}" ${RLN_SQLITE_SOURCE}/sqlite3.c)
  rln_page_objects(page_imports imports
    "${page_warnings};-DRLN_HAVE_SQLITE=1;-isystem;${RLN_SQLITE_SOURCE}"
    ${import_sources_of_page} ${PROJECT_SOURCE_DIR}/src/web/sqlite_file.c)
  set(page_wasm_open ${PROJECT_BINARY_DIR}/page_reader/rangeline-sqlite.wasm)
  rln_page_link(${page_wasm_open} ${page_objects} ${page_imports} ${page_sqlite})
else()
  message(STATUS "rangeline.html is built without SQLite: tools/fetch_sqlite fetches it")
endif()

set(page_html ${PROJECT_BINARY_DIR}/rangeline.html)
add_custom_command(OUTPUT ${page_html} ${viewer_parts}
  COMMAND ${viewer_command} "-DGZIP=${viewer_gzip}" -DREADER=${page_wasm}
    -DOPEN_READER=${page_wasm_open} -DPAGE=${page_html} -P ${viewer_cmake}
  DEPENDS ${viewer_sources} ${page_wasm}.gz ${page_wasm_open}.gz ${viewer_cmake} VERBATIM)
add_custom_target(page_reader ALL DEPENDS ${page_html} ${viewer_parts})
