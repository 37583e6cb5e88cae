"""stopped_job.py COMMAND... - performs Ctrl-Z and `fg` like a shell with job control.

Runs COMMAND as the foreground job of a terminal, stops it with Ctrl-Z when it says
"stop me", and continues it when it has stopped, with the return key typed. Prints the
states of the job's leader and of its child at each step, the job's output, and its exit
status. It waits for states, never for times. The line editing of a real shell would
interfere.
"""
import os
import signal
import sys


def state(pid):
    with open(f"/proc/{pid}/stat") as stat:
        letter = stat.read().rsplit(")", 1)[1].split()[0]
    return "stopped" if letter == "T" else "not stopped"


keyboard, terminal = os.openpty()
if os.fork():  # a process group leader cannot start a session
    os.close(keyboard)
    os.close(terminal)
    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
os.setsid()
signal.alarm(90)  # other timeouts do not reach this session
os.close(os.open(os.ttyname(terminal), os.O_RDWR))  # sets the controlling terminal
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
pid = os.fork()
if pid == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(terminal, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    for fd in range(3):
        os.dup2(terminal, fd)
    os.execvp(sys.argv[1], sys.argv[1:])

shown = b""
while b"stop me" not in shown:
    shown += os.read(keyboard, 4096)
with open(f"/proc/{pid}/task/{pid}/children") as children:
    child = int(children.read().split()[0])
os.write(keyboard, b"\x1a")
status = os.waitpid(pid, os.WUNTRACED)[1]
child_state = state(child)
print("leader:", "stopped" if os.WIFSTOPPED(status) else "ended")
print("child:", child_state)
if child_state != "stopped":  # it may stop later, when nothing would continue it
    os.killpg(pid, signal.SIGKILL)
    sys.exit(1)
os.tcsetpgrp(terminal, os.getpid())
os.tcsetpgrp(terminal, pid)
os.killpg(pid, signal.SIGCONT)
os.close(terminal)
os.write(keyboard, b"\r")
while True:
    try:
        shown += os.read(keyboard, 4096)
    except OSError:  # no process has the terminal open any more
        break
sys.stdout.write(shown.decode(errors="replace").replace("\r", ""))
print("exit", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
