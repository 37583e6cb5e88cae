# The viewer, for the command and for rangeline.html: page.html, one style and one script.
# The scripts are modules; they are concatenated, so imports and exports are removed, and
# for its size comments and indentation.
#
#     cmake -DVIEWER=DIR -DWORK=DIR -DGZIP=COMMAND -DARRAYS=FILE.c
#       [-DREADER=FILE.wasm -DOPEN_READER=FILE.wasm -DPAGE=FILE.html | -DLACK=TEXT]
#       -P viewer.cmake
#
# ARRAYS, in the command, has each part compressed: the server sends a page and the script,
# and src/serve/page.c puts style, scripts and reader, with traces, into a page that makes
# no request. PAGE has them, too, and opens the files that people give it, with a reader of
# its own; it may fetch what they agree to. FILE.wasm.gz is each reader, compressed. LACK:
# why there is none.
#
# The policy of a page in a file has the checksums of its scripts and its style: nothing
# else runs, except the reader of traces in a worker. That of the server's page has the
# checksum of its style, and allows only scripts that the server sends.
cmake_minimum_required(VERSION 3.20)

set(modules text names colors size view tiles rows side lines axis counters marks launch idle
  bars states arrows area draw elements kept address timeline flame copy totals histogram
  inside highlights occurrences callers details menu compare levels listing reports search keys paper overview splitters
  status controls questions local served chosen sources main)

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
  # Two of one name would be no error: the last one would count.
  string(REGEX MATCHALL "\n(async )?function [A-Za-z0-9_]+" functions "\n${script}")
  set(seen "")
  foreach(function ${functions})
    string(REGEX REPLACE ".* " "" function "${function}")
    if(function IN_LIST seen)
      message(FATAL_ERROR "two modules of the viewer have a function ${function}()")
    endif()
    list(APPEND seen "${function}")
  endforeach()
  set(${out} "\"use strict\";\n${script}" PARENT_SCOPE)
endfunction()

function(compress name text) # to WORK/NAME.gz
  file(WRITE ${WORK}/${name} "${text}")
  execute_process(COMMAND ${GZIP} ${WORK}/${name} OUTPUT_FILE ${WORK}/${name}.gz
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(put_array file name) # the bytes of a file
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(APPEND ${ARRAYS} "static const unsigned char ${name}[] = {\n${bytes}};\n")
endfunction()

function(put_part file name type) # FILE and FILE.gz
  string(MAKE_C_IDENTIFIER "part_${name}" array)
  put_array(${file}.gz ${array})
  file(SIZE ${file} n)
  string(APPEND parts
    "    {\"${name}\", \"${type}\", ${array}, sizeof(${array}), ${n}},\n")
  set(parts "${parts}" PARENT_SCOPE)
endfunction()

# A compressed file as digits of base 85: src/serve/page.c says which.
function(put_block file id) # after the others in `blocks`
  execute_process(COMMAND cp ${file}.gz ${WORK}/packed COMMAND_ERROR_IS_FATAL ANY)
  file(SIZE ${WORK}/packed n)
  execute_process(COMMAND truncate -s %4 ${WORK}/packed COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND basenc --z85 -w 0 ${WORK}/packed OUTPUT_VARIABLE digits
    COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "&" "," digits "${digits}")
  string(REPLACE "<" ";" digits "${digits}")
  string(REPLACE ">" "_" digits "${digits}")
  math(EXPR n "(${n} * 5 + 3) / 4")
  string(SUBSTRING "${digits}" 0 ${n} digits)
  string(APPEND blocks "<script type=\"application/gzip\" id=\"${id}\">${digits}</script>\n")
  set(blocks "${blocks}" PARENT_SCOPE)
endfunction()

file(READ ${VIEWER}/page.html page)
file(READ ${VIEWER}/style.css style)
join(boot unpack boot)
join(script ${modules})
join(worker wasi worker)
compress(style "${style}")
compress(script "${script}")
compress(worker "${worker}")

checksum("${boot}" boot_hash)
checksum("${script}" script_hash)
checksum("${style}" style_hash)

# The page that the server sends has its style, so that it says at once that it loads. What
# the script asks for first is requested along with it.
set(links "<script src=\"script\" defer></script>
<link rel=\"preload\" href=\"0/about?names=0\" as=\"fetch\" crossorigin>
<style>${style}</style>")
string(REGEX REPLACE "<meta http-equiv=\"Content-Security-Policy\"[^>]*>\n" "" served "${page}")
string(REPLACE "@DATA@<script>@SCRIPT@</script>\n" "" served "${served}")
string(REPLACE "<style>@STYLE@</style>" "${links}" served "${served}")
compress(served.html "${served}")
set(policy "default-src 'none'; script-src 'self'; style-src '${style_hash}'; connect-src 'self'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'")

string(REPLACE "@SCRIPT_HASH@" "${boot_hash}' '${script_hash}" page "${page}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "<style>@STYLE@</style>\n" "" page "${page}")
string(REPLACE "@SCRIPT@" "${boot}" page "${page}")
file(WRITE ${WORK}/page.html "${page}")

set(parts "")
file(WRITE ${ARRAYS} "/* Made of viewer/ by cmake/viewer.cmake. */
#include \"serve/viewer_parts.h\"

")
put_part(${WORK}/served.html "" "text/html; charset=utf-8")
put_part(${WORK}/style "style" "")
put_part(${WORK}/script "script" "text/javascript; charset=utf-8")
if(NOT LACK)
  put_part(${WORK}/worker "worker" "")
  put_part(${READER} "reader" "")
endif()
put_array(${WORK}/page.html page_in_file)
string(REGEX REPLACE "([\"\\\\])" "\\\\\\1" lack "${LACK}")
file(APPEND ${ARRAYS} "
const struct rln__viewer_part rln__viewer_parts[] = {
${parts}};
const size_t rln__n_viewer_parts = sizeof(rln__viewer_parts) / sizeof(rln__viewer_parts[0]);
const char rln__viewer_policy[] = \"${policy}\";
const rln_text rln__viewer_page = {(const char *)page_in_file, sizeof(page_in_file)};
const char rln__viewer_page_lack[] = \"${lack}\";
")

if(NOT LACK)
  set(blocks "")
  put_block(${WORK}/style style)
  put_block(${WORK}/script script)
  put_block(${WORK}/worker worker)
  put_block(${OPEN_READER} reader)
  string(REPLACE "connect-src 'none'" "connect-src http: https:" page "${page}")
  string(REPLACE "@DATA@" "${blocks}" page "${page}")
  file(WRITE ${PAGE} "${page}")
endif()
