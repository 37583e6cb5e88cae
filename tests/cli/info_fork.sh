# What is in a trace: processes, threads, domains, what was dropped.
golden fork
rangeline info fork.rln | sed 's/ ([^)]* on disk)//' # the file system's business
rangeline info --json fork.rln
