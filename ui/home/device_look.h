// How the states of a device look: always a word and an icon, never colour alone.
#pragma once

#include <QString>

#include "core/home/device_info.h"
#include "ui/base/widgets.h"
#include "ui/run/run_model.h"

namespace hearth {

struct DeviceLook {
    QString word;
    QString iconName;
    ThemeColour colour;
};

DeviceLook lookOf(DeviceState state);
/// Of one that may take part in a live run: what the run knows of it comes first. One that was paired and has never
/// answered is not lost.
DeviceLook lookOf(const DeviceInfo &device, Health health);
/// Of one of which only the run is known.
DeviceLook lookOf(Health health);
/// Why it is resting, to stand behind a colon: its owner says so, or the run that is shown does without it. Empty where
/// it is not.
QString whyResting(const DeviceInfo &device, const RunModel &run);
/// The word for its state, and behind a colon why it is resting.
QString stateWord(const DeviceInfo &device, const QString &word, const RunModel &run);
/// Since when it looks so: "since 14:03", or "for 12 s" of the run where the run knows it; empty where it is not known.
QString sinceText(const DeviceInfo &device, const RunModel &run);
/// Both, for whoever points at it: "Lost · since 14:03".
QString stateTip(const DeviceInfo &device, const RunModel &run);
/// What a measurement under way looks like.
DeviceLook measuringLook();
/// The kind of computer that it is, as an icon name.
QString kindIcon(const DeviceInfo &device);
/// "Laptop, on battery"; empty where neither is known.
QString kindText(const DeviceInfo &device);

}  // namespace hearth
