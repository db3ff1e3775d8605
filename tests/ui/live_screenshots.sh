#!/bin/sh
# The pictures of the README and the manual: starts a demo by a plan of two stages on a virtual display, clicks "Start
# training", takes Plan and Home, then unplugs local-2 (its processes are stopped), takes Train when the run has recovered, plugs it in
# again, and takes what the window tells of that.
# Usage: tests/ui/live_screenshots.sh BUILD_FOLDER OUTPUT_FOLDER [SECONDS_OF_TRAINING]
# Needs Xvfb, xdotool and ImageMagick; the display number is free to choose with HEARTH_DISPLAY.
set -eu
build=$1
out=$2
seconds=${3:-20}
export DISPLAY=":${HEARTH_DISPLAY:-97}" LANG=en_US.UTF-8
mkdir -p "$out"
# What the window remembers would move it from under the pointer.
XDG_CONFIG_HOME=$(mktemp -d)
export XDG_CONFIG_HOME
Xvfb "$DISPLAY" -screen 0 1280x800x24 >/dev/null 2>&1 &
display=$!
trap 'kill "$display" 2>/dev/null || true' EXIT
sleep 1
plan=$(mktemp)
cat >"$plan" <<'PLAN'
{"format": "hearth-plan/1", "model": {"name": "fashion-cnn", "layers": 5}, "planner": "hearth",
 "batch": 128, "micro_batch": 32, "schedule": "1f1b",
 "stages": [{"layers": [0, 2], "shares": {"local-2": 18, "local-3": 14}, "in_flight": 3},
            {"layers": [2, 5], "shares": {"local-1": 32}, "in_flight": 1}]}
PLAN
"$build/bin/hearth" demo --devices 3 --rounds 3000 --plan "$plan" --keep-plan &
app=$!
trap 'kill -INT "$app" 2>/dev/null || true; wait "$app" || true; kill "$display" 2>/dev/null || true; rm -f "$plan"' EXIT
window=
for _ in $(seq 100); do
    window=$(xdotool search --onlyvisible --name Hearth 2>/dev/null | head -1) && [ -n "$window" ] && break
    sleep 0.1
done
# The home needs a moment until all its agents answer; the button is enabled then.
sleep 4
xdotool mousemove 1186 34 click 1
sleep "$seconds"
xdotool mousemove 640 20
shoot() {
    sleep 1
    import -window "$window" "$out/$1.png"
    convert "$out/$1.png" -strip -define png:compression-level=9 "$out/$1.png"
}
xdotool mousemove 44 234 click 1
xdotool mousemove 640 20
shoot plan
xdotool mousemove 44 96 click 1
xdotool mousemove 640 20
shoot home
xdotool mousemove 44 303 click 1
sleep 1
unplug() { xdotool mousemove 748 189 click 1; }
unplug
sleep 6
xdotool mousemove 640 20
shoot train
xdotool mousemove 44 96 click 1
xdotool mousemove 640 20
shoot home-lost
xdotool mousemove 44 303 click 1
unplug
sleep 12
xdotool mousemove 640 20
shoot train-returned
