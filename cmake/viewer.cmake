# The viewer as one page, without traces: page.html with style and scripts inserted. The
# scripts are modules; in one page they are concatenated, so imports and exports are
# removed, and for its size comments and indentation. The page's policy has the checksums of its scripts and its style: nothing else
# runs, except the reader of traces in a worker.
#
#     cmake -DVIEWER=DIR -DREADER=FILE.wasm.gz -DOPEN_READER=FILE.wasm.gz -DWORK=DIR
#       -DGZIP=COMMAND -DPAGE=FILE.html -DARRAY=FILE.c -P viewer.cmake
#
# The array, in the command, has a mark where traces go, and its page makes no request;
# PAGE opens the files that people give it, with a reader of its own, and may fetch what
# they agree to.
set(modules text names colors size view tiles rows side lines axis counters marks launch idle
  bars arrows area draw elements kept address timeline flame copy totals histogram
  inside highlights occurrences callers details compare listing reports search keys overview splitters
  status controls questions local chosen sources main)

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

function(join out) # MODULE...: as one script, without the lines that are comments
  set(script "")
  foreach(module ${ARGN})
    file(READ ${VIEWER}/${module}.js text)
    # Statements begin a line; comments may have these words, too.
    string(REGEX REPLACE "\nimport [^;]*;" "" text "\n${text}")
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
    string(REGEX REPLACE "\n *//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "\n +" "\n" text "${text}")
    string(SUBSTRING "${text}" 1 -1 text)
    string(APPEND script "${text}")
  endforeach()
  set(${out} "\"use strict\";\n${script}" PARENT_SCOPE)
endfunction()

# A compressed file as digits of base 85: src/serve/page.c says which.
function(pack file out)
  execute_process(COMMAND cp ${file} ${WORK}/packed COMMAND_ERROR_IS_FATAL ANY)
  file(SIZE ${WORK}/packed n)
  execute_process(COMMAND truncate -s %4 ${WORK}/packed COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND basenc --z85 -w 0 ${WORK}/packed OUTPUT_VARIABLE digits
    COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "&" "," digits "${digits}")
  string(REPLACE "<" ";" digits "${digits}")
  string(REPLACE ">" "_" digits "${digits}")
  math(EXPR n "(${n} * 5 + 3) / 4")
  string(SUBSTRING "${digits}" 0 ${n} digits)
  set(${out} "${digits}" PARENT_SCOPE)
endfunction()

function(pack_text text out)
  file(WRITE ${WORK}/text "${text}")
  execute_process(COMMAND ${GZIP} ${WORK}/text OUTPUT_FILE ${WORK}/text.gz
    COMMAND_ERROR_IS_FATAL ANY)
  pack(${WORK}/text.gz digits)
  set(${out} "${digits}" PARENT_SCOPE)
endfunction()

file(READ ${VIEWER}/page.html page)
file(READ ${VIEWER}/style.css style)
join(boot unpack boot)
join(script ${modules})
join(worker wasi worker)
checksum("${boot}" boot_hash)
checksum("${script}" script_hash)
checksum("${style}" style_hash)
string(REPLACE "@SCRIPT_HASH@" "${boot_hash}' '${script_hash}" page "${page}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "<style>@STYLE@</style>\n" "" page "${page}")
string(REPLACE "@SCRIPT@" "${boot}" page "${page}")
pack_text("${style}" style)
pack_text("${script}" script)
pack_text("${worker}" worker)
foreach(kind READER OPEN_READER)
  pack(${${kind}} reader)
  string(REPLACE "@DATA@" "<script type=\"application/gzip\" id=\"style\">${style}</script>
<script type=\"application/gzip\" id=\"script\">${script}</script>
<script type=\"application/gzip\" id=\"worker\">${worker}</script>
<script type=\"application/gzip\" id=\"reader\">${reader}</script>
@DATA@" ${kind}_page "${page}")
endforeach()

string(REPLACE "connect-src 'none'" "connect-src http: https:" open_page "${OPEN_READER_page}")
string(REPLACE "\n@DATA@" "\n" open_page "${open_page}")
file(WRITE ${PAGE} "${open_page}")

file(WRITE ${WORK}/page.html "${READER_page}")
file(READ ${WORK}/page.html bytes HEX)
string(LENGTH "${bytes}" n)
math(EXPR n "${n} / 2")
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${ARRAY} "/* Made of viewer/ by cmake/viewer.cmake. */
#include \"serve/page.h\"

const size_t rln__viewer_page_bytes = ${n};
const unsigned char rln__viewer_page[] = {
${bytes}};
const char rln__viewer_page_lack[] = \"\";
")
