# The viewer as one page in the command: page.html with style and scripts inserted, as
# an array of bytes. The scripts are modules; in one page they are concatenated, so
# imports and exports are removed. The page's policy has the checksums of its script and
# style, so that nothing else runs.
#
#     cmake -DVIEWER=DIR -DOUTPUT=FILE.c -P viewer.cmake
set(modules text names colors size view stats decode links embedded served tiles rows side lines axis
  counters marks bars arrows area draw elements kept address timeline flame copy totals histogram occurrences callers details compare listing search keys
  sources overview splitters status controls main)

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

file(READ ${VIEWER}/page.html page)
file(READ ${VIEWER}/style.css style)
set(script "\"use strict\";\n")
foreach(module ${modules})
  file(READ ${VIEWER}/${module}.js text)
  # Statements begin a line; comments may have these words, too.
  string(REGEX REPLACE "\nimport [^;]*;" "" text "\n${text}")
  string(REGEX REPLACE "\nexport " "\n" text "${text}")
  string(SUBSTRING "${text}" 1 -1 text)
  string(APPEND script "${text}")
endforeach()
checksum("${script}" script_hash)
checksum("${style}" style_hash)
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
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
