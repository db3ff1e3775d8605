"""The network of a lab: one namespace with a bridge, one namespace per device, a shaped veth pair between them.

Nothing of it is in the machine's own namespace, no namespace has a route out, and the bridge has no address. Up is what
the device sends, shaped at its own end; down is what it receives, shaped at the bridge's end.
"""
import contextlib
import ipaddress
import json
import os

from .errors import LabError
from .processes import run_tool
from .rates import bucket_arguments, largest_send

BRIDGE = "br0"
AIR = "air0"
INTERFACE = "eth0"
NAMESPACES = "/run/netns"
NETWORK = ipaddress.ip_network("10.77.0.0/24")


def port(lab, device):
    """The bridge's end of a device's cable; short, for interface names have 15 characters."""
    return f"p{[each.name for each in lab.devices].index(device)}"


def make_namespace(lab, name):
    if os.path.exists(os.path.join(NAMESPACES, name)):
        raise LabError(f"The network namespace {name} exists already.", "This lab did not make it.",
                       f"Choose another --name, or remove it: ip netns del {name}")
    lab.record("namespace", name)
    run_tool("ip", "netns", "add", name)


def make_network(lab):
    make_namespace(lab, lab.switch)
    run_tool("ip", "-n", lab.switch, "link", "add", BRIDGE, "type", "bridge", "stp_state", "0", "forward_delay", "0",
             "mcast_snooping", "0")
    run_tool("ip", "-n", lab.switch, "link", "set", BRIDGE, "addrgenmode", "none", "up")
    for device in lab.devices:
        make_namespace(lab, lab.namespace(device.name))
        plug_in(lab, device)


def plug_in(lab, device):
    inside, cable = lab.namespace(device.name), port(lab, device.name)
    run_tool("ip", "-n", lab.switch, "link", "add", cable, "type", "veth", "peer", "name", INTERFACE, "netns", inside)
    run_tool("ip", "-n", lab.switch, "link", "set", cable, "addrgenmode", "none", "master", BRIDGE, "up")
    run_tool("ip", "-n", inside, "link", "set", "lo", "up")
    run_tool("ip", "-n", inside, "address", "add", f"{device.address}/24", "brd", "+", "dev", INTERFACE)
    run_tool("ip", "-n", inside, "link", "set", INTERFACE, "up")


def addresses(lab, device):
    """What the device has at its end of the cable, without IPv6."""
    links = json.loads(run_tool("ip", "-n", lab.namespace(device), "-j", "-4", "address", "show", "dev", INTERFACE))
    return [each["local"] for link in links for each in link.get("addr_info", [])]


def check_address(lab, device, address):
    """It is one of the lab's network, and no other device has it."""
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        number = None
    taken = [each for other in lab.devices if other.name != device for each in addresses(lab, other.name)]
    if number is None or number not in NETWORK or address in taken:
        raise LabError(f"{device} cannot have the address {address!r}.", "",
                       f"Give one of {NETWORK} that no other device has, or none.")


def set_address(lab, device, address):
    """In place of the one that it has; empty: it has none then. Nothing says so to the sockets there, as on a Wi-Fi."""
    if addresses(lab, device) == ([address] if address else []):
        return
    inside = lab.namespace(device)
    run_tool("ip", "-n", inside, "-4", "address", "flush", "dev", INTERFACE)
    if address:
        run_tool("ip", "-n", inside, "address", "add", f"{address}/24", "brd", "+", "dev", INTERFACE)


def shape(lab, device, up, down, cut_out, cut_in):
    """Rates in bits per second. A cut swallows packets without a word to either side, as a cable pulled elsewhere does."""
    for namespace, interface, rate, is_cut in ((lab.namespace(device), INTERFACE, up, cut_out),
                                               (lab.switch, port(lab, device), down, cut_in)):
        wanted = "blackhole" if is_cut else "tbf"
        present = queue(namespace, interface)
        if present["kind"] == "blackhole" and not is_cut:
            run_tool("tc", "-n", namespace, "qdisc", "del", "dev", interface, "root")
        if is_cut and present["kind"] == wanted:
            continue
        # Under another handle it is a new queue: what waited in a fast link's would keep a slow link busy for long.
        handle = "2:" if present["handle"] == "1:" else "1:"
        run_tool("tc", "-n", namespace, "qdisc", "replace", "dev", interface, "root",
                 *(["blackhole"] if is_cut else ["handle", handle, *bucket_arguments(rate)]))
    run_tool("ip", "-n", lab.namespace(device), "link", "set", INTERFACE, "gso_max_size", str(largest_send(up)))


def share_air(lab, devices, rate):
    """All that these devices send passes one queue of that many bits per second before the bridge, as over one hub."""
    air = ["-n", lab.switch, "link"]
    run_tool("ip", *air, "add", AIR, "type", "ifb")
    run_tool("ip", *air, "set", AIR, "up")
    run_tool("tc", "-n", lab.switch, "qdisc", "add", "dev", AIR, "root", *bucket_arguments(rate))
    for device in devices:
        cable = port(lab, device)
        run_tool("tc", "-n", lab.switch, "qdisc", "add", "dev", cable, "ingress")
        run_tool("tc", "-n", lab.switch, "filter", "add", "dev", cable, "parent", "ffff:", "protocol", "all", "u32",
                 "match", "u32", "0", "0", "action", "mirred", "egress", "redirect", "dev", AIR)


def queue(namespace, interface):
    """Kind and handle of an interface's queue, and of a token bucket its rate in bits per second."""
    first = json.loads(run_tool("tc", "-n", namespace, "-j", "qdisc", "show", "dev", interface))[0]
    return {"kind": first["kind"], "handle": first.get("handle"), "rate": 8 * first.get("options", {}).get("rate", 0)}


def remove_network(lab):
    """Call when no process lives there any more."""
    for name in lab.made("namespace"):
        if os.path.exists(os.path.join(NAMESPACES, name)):
            # One that was never mounted, by a crash, is only a file.
            try:
                run_tool("ip", "netns", "del", name)
            except LabError:
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(NAMESPACES, name))
                if os.path.exists(os.path.join(NAMESPACES, name)):
                    raise
