"""A computer of a lab that has an SSH server and nothing of Hearth: real packages come and go with it."""
import os
import shutil
import subprocess

from ..errors import LabError
from ..machine import tool, wait_until
from ..processes import run_tool

PASSWORD = "open sesame"
SYSTEMCTL = os.path.join(os.path.dirname(os.path.realpath(__file__)), "systemctl")
SSHD = "/usr/sbin/sshd"

# What is written below /etc, /usr, /var and /root is written beside it, in memory, and gone with the device. What apt
# could download is nothing to these packages, and takes it seconds to read; what this machine's root runs at each login
# would run at each command.
ENTER = r"""set -e
folder=$1 systemctl=$2 password=$3
mount -n -t proc proc /proc
mkdir -p /run/sshd /run/systemd/system "$folder/layers"
mount -n -t tmpfs -o size=2g hearth-lab "$folder/layers"
for name in etc usr var; do
  mkdir -p "$folder/layers/$name/upper" "$folder/layers/$name/work"
  mount -n -t overlay -o "lowerdir=/$name,upperdir=$folder/layers/$name/upper,workdir=$folder/layers/$name/work" \
    hearth-lab "/$name"
done
mount -n -t tmpfs -o size=1m hearth-lab /var/lib/apt/lists
echo "root:$password" | chpasswd
install -m 755 "$systemctl" /usr/bin/systemctl
mount -n -t tmpfs -o mode=0700,size=1g hearth-lab /root
exec /usr/sbin/sshd -D -e -f "$folder/sshd_config"
"""

CONFIG = """Port 22
HostKey {folder}/host_key
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
PasswordAuthentication yes
KbdInteractiveAuthentication no
AuthorizedKeysFile {folder}/authorized_keys
PrintMotd no
"""


def missing():
    """What the machine lacks for it, in a sentence; None where nothing."""
    for program, package in ((SSHD, "openssh-server"), ("/usr/bin/ssh-keygen", "openssh-client"),
                             ("/usr/sbin/chpasswd", "passwd"), ("/usr/bin/dpkg-deb", "dpkg")):
        if not os.access(program, os.X_OK):
            return f"The program {program} is missing. Install the package {package}."
    with open("/proc/filesystems") as known:
        return None if "\toverlay\n" in known.read() else "The kernel knows no overlays."


def make_key(path):
    run_tool("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path)


class BareComputer:
    """Answers by SSH once it is made; root is let in by the password."""

    def __init__(self, place, device):
        self.place, self.device = place, device
        self.address = place.lab.device(device).address
        folder = place.lab.device_dir(device, "bare")
        os.makedirs(folder)
        os.chmod(folder, 0o755)
        make_key(os.path.join(folder, "host_key"))
        with open(os.path.join(folder, "sshd_config"), "w") as file:
            file.write(CONFIG.format(folder=folder))
        self.keys = os.path.join(folder, "authorized_keys")
        printed = run_tool("ssh-keygen", "-l", "-f", os.path.join(folder, "host_key.pub"))
        self.fingerprint = printed.split()[1]
        self.log = os.path.join(folder, "sshd.log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                place.exec_words(device, tool("unshare"), "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER,
                                 "bare", folder, SYSTEMCTL, PASSWORD),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=place.env)
        wait_until(self.answers, 120, f"the SSH server of {device} does not answer")
        if traces := self.traces():
            raise LabError(f"{device} is not bare.", f"There is {', '.join(traces)}.", "Remove that from this machine.")

    def answers(self):
        if self.process.poll() is not None:
            with open(self.log, errors="replace") as log:
                raise LabError(f"The SSH server of {self.device} has ended.", log.read().strip()[-300:])
        ask = f'exec 3<>/dev/tcp/{self.address}/22 && read -t 10 line <&3 && echo "$line"'
        return self.place.run(self.place.first, "bash", "-c", ask, check=False).stdout.startswith("SSH-2.0")

    def admit(self, key):
        """From now on by this public key, too."""
        shutil.copyfile(key, self.keys)

    def inside(self, script):
        """What a script of sh prints that runs there as root."""
        children = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        with open(children) as file:
            child = file.read().split()[0]
        return run_tool("nsenter", "--target", child, "--mount", "--pid", "sh", "-c", script)

    def traces(self):
        """Whatever of Hearth there is."""
        return self.inside("dpkg-query -W -f '${Package} ${db:Status-Abbrev}\\n' hearth-agent 2>/dev/null; "
                           "ls -d /var/lib/hearth /root/.local/share/hearth* /etc/systemd/system/hearth* "
                           "/usr/libexec/hearth 2>/dev/null; grep hearth /etc/passwd /etc/group; true").split()
