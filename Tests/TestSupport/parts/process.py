"""Programs that end with this process, whatever ends it."""
import os
import signal
import subprocess


class Process:
    """A program that can be started again after it ended. Its output goes to a log file."""

    def __init__(self, name, directory):
        self.name, self.log = name, os.path.join(directory, name + ".log")
        self.child = None

    def start(self, command, environment, stdin=b"", pass_fds=()):
        """`setpriv` asks the kernel to kill the program when this process is gone, which holds also for SIGKILL."""
        self.end()
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "--", *command], env=environment, stdin=subprocess.PIPE,
                stdout=log, stderr=log, pass_fds=pass_fds, start_new_session=True)
        self.child.stdin.write(stdin)
        self.child.stdin.close()

    @property
    def pid(self):
        if not self.running:
            raise RuntimeError(f"{self.name} is not running")
        return self.child.pid

    @property
    def running(self):
        return self.child is not None and self.child.poll() is None

    def freeze(self):
        """Returns when it stands still."""
        os.kill(self.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOWAIT)

    def thaw(self):
        os.kill(self.pid, signal.SIGCONT)

    def kill(self):
        """Returns when it is gone; fine where it is gone already."""
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            self.child = None

    def end(self):
        """As it would end itself, so that it removes what it made; killed after 2 s."""
        if self.running:
            self.child.terminate()
            self.child.send_signal(signal.SIGCONT)
            try:
                self.child.wait(2)
            except subprocess.TimeoutExpired:
                pass
        self.kill()

    def last_words(self):
        with open(self.log, errors="replace") as log:
            return " / ".join(line.strip() for line in log.readlines()[-3:])
