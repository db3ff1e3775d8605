# Sourced by app/run and tests/run: what Hearth needs from Debian 12, and how to get it.
# shellcheck shell=bash

HEARTH_BUILD_PACKAGES=(
    g++ cmake ninja-build ccache lld
    qt6-base-dev qt6-base-dev-tools qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libgl1-mesa-dev
    libqcustomplot-dev libqrencode-dev libtorch-dev libopenblas0-pthread libexpected-dev libssl-dev zlib1g-dev libjpeg-dev libzstd-dev libarchive-dev libsentencepiece-dev
    libssh-dev libavahi-client-dev libonnx-dev libprotobuf-dev pkg-config lowdown python3 dpkg-dev file
)
HEARTH_RUN_PACKAGES=(dataset-fashion-mnist qt6-image-formats-plugins fonts-dejavu-core qt6-qpa-plugins qt6-wayland libqt6sql6-sqlite avahi-daemon)
HEARTH_TEST_PACKAGES=(gnome-icon-theme python3-vega-datasets sentencepiece fortunes fortunes-min python3-pil zip python3 python3-torch python3-torchvision python3-onnx python3-numpy libfaketime socat procps iproute2 dbus-daemon avahi-utils
    openssh-server xvfb desktop-file-utils appstream patchelf systemd zsh fish)
# resources/packages/build-arm64, and the Debian that it makes.
HEARTH_ARM64_PACKAGES=(g++-aarch64-linux-gnu patchelf)
HEARTH_ARM64_ROOT_PACKAGES=(debootstrap qemu-user-static binfmt-support)

hearth_missing_packages() {
    local package
    for package in "$@"; do
        dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^.i' || printf '%s\n' "$package"
    done
}

# hearth_install PACKAGE...: installs those that are missing; without root and without sudo it names them and fails.
hearth_install() {
    if ! command -v dpkg-query >/dev/null; then
        printf 'Hearth: this script sets up Debian 12 and its relatives; dpkg was not found.\n' >&2
        printf 'Install the equivalents of these packages by hand, then build with cmake --preset release: %s\n' "$*" >&2
        return 1
    fi
    local missing
    mapfile -t missing < <(hearth_missing_packages "$@")
    [ "${#missing[@]}" -eq 0 ] && return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            as_root=(sudo)
        else
            printf 'Hearth: these packages are missing: %s\n' "${missing[*]}" >&2
            hearth_say_command "${missing[@]}"
            return 1
        fi
    fi
    printf 'Hearth: installing %s\n' "${missing[*]}" >&2
    # A repository that does not answer need not be one of these packages'. A computer that was just switched on often
    # updates itself: what that locks is waited for.
    # shellcheck disable=SC2016
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c '
        apt-get update -q || echo "Hearth: not all lists of packages could be renewed; trying with those that are here."
        # Tests start this server for themselves; nobody is to log in here because of them. What is masked never starts.
        case " $* " in *" openssh-server "*) server=$(command -v systemctl) ;; *) server= ;; esac
        free() { [ -z "$server" ] || { systemctl unmask --quiet ssh.service; systemctl disable --quiet ssh.service; }; }
        trap free EXIT
        trap "exit 130" INT TERM
        [ -z "$server" ] || systemctl mask --quiet ssh.service
        apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=600 "$@"' sh "${missing[@]}" >&2 || {
        printf 'Hearth: these packages could not be installed; the reason is above. They are those of Debian 12, and this is %s.\n' \
            "$(. /etc/os-release 2>/dev/null; printf '%s' "${PRETTY_NAME:-another system}")" >&2
        hearth_say_command "${missing[@]}"
        return 1
    }
}

hearth_say_command() {
    printf 'Install them as root, then run this again:\n    apt-get update && apt-get install --no-install-recommends %s\n' "$*" >&2
}

# hearth_build PRESET [TARGET...]: configures once and builds, quietly when all goes well. Output goes to standard error,
# so that a program's own standard output stays clean.
hearth_build() {
    local preset=$1
    shift
    local folder="build/$preset" targets=() jobs
    [ "$#" -gt 0 ] && targets=(--target "$@")
    # One LibTorch file takes 1.5 GiB to compile: do not let a small machine swap.
    jobs=$(awk -v cores="$(nproc)" '/MemAvailable/ {n = int($2 / 1572864); print n < 1 ? 1 : (n < cores ? n : cores)}' /proc/meminfo)
    mkdir -p "$folder"
    (
        # Two builds in one folder would spoil each other's files.
        if ! flock --nonblock 9; then
            printf 'Hearth: waiting for another build in %s to end.\n' "$folder" >&2
            flock 9
        fi
        if ! cmake --preset "$preset" >"$folder/configure.log" 2>&1; then
            cat "$folder/configure.log" >&2
            exit 1
        fi
        cmake --build "$folder" --parallel "$jobs" "${targets[@]}" >&2
    ) 9>"$folder/build.lock"
}
