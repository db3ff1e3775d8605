// Letting a device rest, wherever in the window somebody asks for it.
#pragma once

#include <QDateTime>
#include <functional>
#include <optional>

class QMenu;

namespace hearth {

class HomeSource;
struct DeviceInfo;

/// Whether its limits can be set from here: what cannot be reached cannot be told, and limits that are not understood
/// would be lost.
bool takesLimits(const DeviceInfo &device);
/// It rests until then (seconds since 1970), or until somebody resumes it. Its other limits stay.
void pauseDevice(HomeSource &home, const DeviceInfo &device, std::optional<qint64> until);
void resumeDevice(HomeSource &home, const DeviceInfo &device);
/// The next 7:00, local time.
QDateTime nextMorning(const QDateTime &now);
/// Fills the menu with how long a pause may last; actions NAME + "Hour", "Morning" and "Open" by their object names.
void addPauses(QMenu &menu, const QString &name, const std::function<void(std::optional<qint64> until)> &chosen);

}  // namespace hearth
