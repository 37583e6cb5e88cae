# Lost events are shown where they were lost; nothing is paired across them.
golden gap
rangeline print gap.rln
rangeline print --tree gap.rln
