# What is seldom seen: text that is not UTF-8, payloads of other types, resources, a
# domain that ends. The thread that the program named has a column for its name.
golden rare
rangeline print rare.rln
rangeline print --tree rare.rln | tail -n 7
