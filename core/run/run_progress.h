// How far a run had come, as its events tell it.
#pragma once

#include <QString>

namespace hearth {

/// Plain value, any thread.
struct RunProgress {
    qint64 rounds = 0;
    quint32 term = 0;
    qint64 evaluated = -1;  // the last round that was
    bool isPaused = false;

    /// Nothing has happened where there is no such file.
    static RunProgress read(const QString &eventsFile);
};

}  // namespace hearth
