"""What the shells complete, asked of the shells themselves: `share` is a folder as /usr/share."""
import os
import shutil
import subprocess

BASH = '''. "$1"; shift; function=$1; shift; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
"$function"; [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"'''
ZSH = '''fpath=("$1"); shift; autoload -Uz "_$1"; compadd() { shift; (( $# == 0 )) || print -rl -- "$@" }
_files() { print -r -- ":files $*" }; words=("$@"); CURRENT=$#; "_$1"'''
FISH = 'source $argv[1]; complete -C "$argv[2]"'


def run(words, home):
    environment = {**os.environ, "HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    environment.pop("XDG_DATA_HOME", None)
    return subprocess.run([str(word) for word in words], env=environment, capture_output=True, text=True, check=True,
                          timeout=60).stdout.splitlines()


def bash(share, *words, home="/nonexistent"):
    file = share / "bash-completion/completions" / words[0]
    return run(["bash", "-uc", BASH, "bash", file, "_" + words[0].replace("-", "_"), *words], home)


def zsh(share, *words, home="/nonexistent"):
    return run(["zsh", "-fc", ZSH, "zsh", share / "zsh/vendor-completions", *words], home)


def fish(share, *words, home="/nonexistent"):
    file = share / "fish/vendor_completions.d" / f"{words[0]}.fish"
    said = run(["fish", "--no-config", "-c", FISH, file, " ".join(words)], home)
    return [line.split("\t")[0] for line in said]


def has(shell):
    return shutil.which(shell) is not None


def check_in_bash(case, share):
    """Without a home: what the program has told."""
    case.assertEqual(bash(share, "hearth", "dev"), ["devices"])
    case.assertIn("--headless", bash(share, "hearth", "demo", "--"))
    case.assertNotIn("--headless", bash(share, "hearth", "devices", "--"))
    case.assertIn("asteroid", bash(share, "hearth", "plan", "--planner", "as"))
    case.assertIn("resnet50", bash(share, "hearth", "model", "res"))
    case.assertEqual(bash(share, "hearth-agent", "tr"), ["trust"])
    case.assertIn("--group-socket", bash(share, "hearth-agent", "--g"))
