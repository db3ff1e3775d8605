"""What every device runs besides Hearth: a process that holds its namespaces, a system bus, Avahi."""
import os
import socket

from . import machine

BUS_SOCKET = "/run/dbus/system_bus_socket"

# Standard output tells when the namespaces are complete. /run is the device's own; the lab's folder, which may be
# below it, stays visible.
HOLDER = r"""set -e
lab=$1 device=$2 name=$3
mount -n -t tmpfs -o mode=755,size=64m hearth-lab "$device/run"
case $lab in /run/*) mkdir -p "$device$lab"; mount -n --bind "$lab" "$device$lab" ;; esac
mkdir "$device/run/dbus" "$device/run/lock"
mount -n --move "$device/run" /run
[ ! -d /etc/avahi/services ] || mount -n -t tmpfs -o size=1m hearth-lab /etc/avahi/services
hostname "$name"
echo ready
exec sleep infinity
"""

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="false"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>
"""

AVAHI = """[server]
host-name={name}
domain-name=local
use-ipv4=yes
use-ipv6=yes
allow-interfaces=eth0
enable-dbus=yes
[publish]
publish-hinfo=no
publish-workstation=no
[reflector]
enable-reflector=no
[rlimits]
"""


def write_files(lab, device):
    folder = lab.device_dir(device)
    os.makedirs(os.path.join(folder, "run"))
    os.makedirs(lab.state_dir(device), mode=0o700)
    for path in ("home", "home/.local", "home/.local/share", "home/.local/share/hearth"):
        os.chmod(os.path.join(folder, path), 0o700)
    for name, text in (("dbus.conf", BUS.format(socket=BUS_SOCKET)), ("avahi.conf", AVAHI.format(name=device))):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)


def holder_words(lab, device):
    return [machine.tool("unshare"), "--mount", "--uts", "--propagation", "private", "sh", "-c", HOLDER, "holder",
            lab.dir, lab.device_dir(device), device]


def bus_words(lab, device):
    return [machine.tool("dbus-daemon"), f"--config-file={lab.device_dir(device, 'dbus.conf')}", "--nofork", "--nopidfile"]


def avahi_words(lab, device):
    return [machine.tool("avahi-daemon"), "-f", lab.device_dir(device, "avahi.conf"), "--no-drop-root", "--no-chroot",
            "--no-rlimits"]


def has_bus(holder):
    """Whether the device's bus accepts connections; its socket appears a little earlier."""
    with socket.socket(socket.AF_UNIX) as attempt:
        try:
            attempt.connect(f"/proc/{holder}/root{BUS_SOCKET}")
            return True
        except OSError:
            return False


def has_avahi(holder):
    return os.path.exists(f"/proc/{holder}/root/run/avahi-daemon/socket")


def agent_words(lab, device):
    return [os.path.join(lab.about["programs"], "hearth-agent"), "--state", lab.state_dir(device.name), "--name",
             device.name, "--listen", f"{device.address}:47600", "--threads", str(device.threads)]
