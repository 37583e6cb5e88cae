# `info` prints the contents of a trace: processes, threads, domains, dropped events.
golden fork
rangeline info fork.rln | sed 's/, [0-9.]* KiB,/, SIZE,/' # depends on the file system
rangeline info --json fork.rln
