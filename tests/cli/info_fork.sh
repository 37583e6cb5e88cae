# What is in a trace: processes, threads, domains, what was dropped.
golden fork
rangeline info fork.rln
rangeline info --json fork.rln
