# `info` prints the contents of a trace: processes, threads, domains, dropped events.
golden fork
rangeline info fork.rln | sed 's/ ([^)]* on disk)//' # depends on the file system
rangeline info --json fork.rln
