"""What commands change in a running lab: addresses, rates, cuts, slowness. They last until `restore`."""
from .network import set_address, shape

ORIGINAL = {"address": None, "up": None, "down": None, "cut_out": False, "cut_in": False, "slow": 1}


def settings_of(lab, device):
    return {**ORIGINAL, **lab.settings().get(device, {})}


def change(lab, cgroups, device, **changes):
    """Under the lab's lock. Keeps the change, then applies it: repeating it after a failure does no harm."""
    settings = lab.settings()
    settings[device] = {**ORIGINAL, **settings.get(device, {}), **changes}
    lab.save_settings(settings)
    apply(lab, cgroups, device)


def apply(lab, cgroups, device):
    home, now = lab.device(device), settings_of(lab, device)
    set_address(lab, device, home.address if now["address"] is None else now["address"])
    shape(lab, device, now["up"] or home.up, now["down"] or home.down, now["cut_out"], now["cut_in"])
    whole = home.core >= 0 and now["slow"] == 1
    cgroups.set_cpu(device, None if whole else home.cpu / now["slow"])
