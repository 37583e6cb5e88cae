# `print` shows text that is not UTF-8, payloads of rare types, resources and a destroyed
# domain. If the program named a thread, there is a column for names.
golden rare
rangeline print rare.rln
rangeline print --tree rare.rln | tail -n 7
