# The viewer's server, if libmicrohttpd is found; else `rangeline view` opens a page
# from a file, and says so: cmake -DCMAKE_DISABLE_FIND_PACKAGE_MICROHTTPD=ON makes such
# a build.
file(GLOB query_sources CONFIGURE_DEPENDS src/query/*.c)
file(GLOB serve_sources CONFIGURE_DEPENDS src/serve/*.c)
rln_find_library(MICROHTTPD microhttpd.h microhttpd)
if(TARGET rln-microhttpd)
  set(rln_microhttpd rln-microhttpd)
  list(FILTER serve_sources EXCLUDE REGEX /server_none.c$)
else()
  list(FILTER serve_sources EXCLUDE REGEX /server.c$)
endif()
list(APPEND serve_sources ${query_sources})
