# The viewer as one page in the command: page.html with style and scripts inserted, as
# an array of bytes. The scripts are modules; in one page they are concatenated, so
# imports and exports are removed. The page's policy has the checksums of its script and
# style, so that nothing else runs.
#
#     cmake -DVIEWER=DIR -DOUTPUT=FILE.c -P viewer.cmake
#
# With a reader it is a page of its own, which opens the traces that people give it. It
# may also compile the reader, run it in a worker that is made of text in the page, and
# fetch what people agree to:
#
#     cmake -DVIEWER=DIR -DREADER=FILE.wasm -DOUTPUT=FILE.html -P viewer.cmake
set(modules text names colors size view stats unpack tiles rows side lines axis counters
  marks bars arrows area draw elements kept address timeline flame copy totals histogram
  occurrences callers details compare listing reports search keys overview splitters status controls)
if(READER)
  list(APPEND modules questions local chosen)
else()
  list(APPEND modules decode links embedded)
endif()
list(APPEND modules sources main)

# A checksum in base 64, as policies require: three bytes become four digits.
function(base64 hex out)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(text "")
  string(LENGTH "${hex}" length)
  foreach(at RANGE 0 61 6) # the last group of the 32 bytes has only two
    string(SUBSTRING "${hex}0000" ${at} 6 three)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${three} >> ${shift}) & 63")
      string(SUBSTRING "${digits}" ${digit} 1 digit)
      string(APPEND text "${digit}")
    endforeach()
  endforeach()
  string(SUBSTRING "${text}" 0 43 text)
  set(${out} "sha256-${text}=" PARENT_SCOPE)
endfunction()

function(checksum text out)
  string(SHA256 hex "${text}")
  base64("${hex}" checksum)
  set(${out} "${checksum}" PARENT_SCOPE)
endfunction()

function(join out) # MODULE...: as one script
  set(script "")
  foreach(module ${ARGN})
    file(READ ${VIEWER}/${module}.js text)
    # Statements begin a line; comments may have these words, too.
    string(REGEX REPLACE "\nimport [^;]*;" "" text "\n${text}")
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
    string(SUBSTRING "${text}" 1 -1 text)
    string(APPEND script "${text}")
  endforeach()
  set(${out} "\"use strict\";\n${script}" PARENT_SCOPE)
endfunction()

file(READ ${VIEWER}/page.html page)
file(READ ${VIEWER}/style.css style)
join(script ${modules})
checksum("${script}" script_hash)
checksum("${style}" style_hash)
if(READER)
  join(worker wasi worker)
  execute_process(COMMAND gzip -9 -n -c ${READER} COMMAND base64 -w 0 OUTPUT_VARIABLE reader
    COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "script-src '@SCRIPT_HASH@'"
    "script-src '@SCRIPT_HASH@' 'wasm-unsafe-eval'; worker-src blob:" page "${page}")
  string(REPLACE "connect-src 'none'" "connect-src http: https:" page "${page}")
  string(REPLACE "@DATA@" "<script id=\"worker\" type=\"text/plain\">${worker}</script>
<script id=\"reader\" type=\"application/gzip\">${reader}</script>
" page "${page}")
endif()
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
if(READER)
  file(WRITE ${OUTPUT} "${page}")
  return()
endif()
file(WRITE ${OUTPUT}.html "${page}")
file(READ ${OUTPUT}.html bytes HEX)
string(LENGTH "${bytes}" n)
math(EXPR n "${n} / 2")
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Made of viewer/ by cmake/viewer.cmake. */
#include \"serve/page.h\"

const size_t rln__viewer_page_bytes = ${n};
const unsigned char rln__viewer_page[] = {
${bytes}};
")
