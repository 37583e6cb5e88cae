"""in_terminal.py [WAIT_FOR KEYS]... -- COMMAND... - types KEYS when WAIT_FOR appears.

Runs COMMAND as session leader in a new terminal; prints the terminal's output and the
exit status. In KEYS, ^C is Ctrl-C and so on, and ~ is the return key.
"""
import os
import pty
import re
import sys

split = sys.argv.index("--")
steps = sys.argv[1:split]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[split + 1], sys.argv[split + 1:])
shown = ""
since = 0  # output before this offset has been matched already
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:  # no process has the terminal open any more
        break
    shown += piece.decode(errors="replace")
    while steps and (found := shown.find(steps[0], since)) >= 0:
        since = found + len(steps[0])
        keys = re.sub(r"\^(.)", lambda key: chr(ord(key[1]) - 64), steps[1])
        del steps[:2]
        os.write(terminal, keys.replace("~", "\r").encode())
sys.stdout.write(shown.replace("\r", ""))
print("exit", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
