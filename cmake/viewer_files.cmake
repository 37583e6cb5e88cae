# The viewer as separate files, for the server: viewer/*.js and style.css unchanged, and
# page.html with links to them instead of their contents.
#
#     cmake -DVIEWER=DIR -DOUTPUT=FILE.c -P viewer_files.cmake
set(arrays "")
set(table "")

function(add_file file name type) # an array of the file's bytes, and its row
  string(MAKE_C_IDENTIFIER "file_${name}" array)
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" n)
  math(EXPR n "${n} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  set(arrays "${arrays}static const unsigned char ${array}[] = {\n${bytes}};\n" PARENT_SCOPE)
  set(table "${table}    {\"${name}\", \"${type}\", ${array}, ${n}},\n" PARENT_SCOPE)
endfunction()

# The page may only execute files that come from the server. Its policy is in the
# server's headers, and is stricter than that of the single page.
file(READ ${VIEWER}/page.html page)
string(REGEX REPLACE "<meta http-equiv=\"Content-Security-Policy\"[^>]*>\n" "" page "${page}")
string(REGEX REPLACE "<style>[^<]*</style>"
  "<link rel=\"stylesheet\" href=\"style.css\">" page "${page}")
string(REPLACE "@DATA@" "" page "${page}")
string(REGEX REPLACE "<script>[^<]*</script>"
  "<script type=\"module\" src=\"main.js\"></script>" page "${page}")
file(WRITE ${OUTPUT}.html "${page}")
add_file(${OUTPUT}.html "" "text/html; charset=utf-8")

add_file(${VIEWER}/style.css "style.css" "text/css; charset=utf-8")
file(GLOB modules ${VIEWER}/*.js)
foreach(module ${modules})
  get_filename_component(name ${module} NAME)
  add_file(${module} ${name} "text/javascript; charset=utf-8")
endforeach()

file(WRITE ${OUTPUT} "/* Made of viewer/ by cmake/viewer_files.cmake. */
#include \"serve/files.h\"

${arrays}
const struct rln__viewer_file rln__viewer_files[] = {
${table}};
const size_t rln__n_viewer_files = sizeof(rln__viewer_files) / sizeof(rln__viewer_files[0]);
")
