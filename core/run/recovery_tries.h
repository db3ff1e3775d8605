// How often the same may go wrong in a run before it gives up.
#pragma once

#include <QMap>
#include <QString>

#include "core/base/error.h"

namespace hearth {

/// Plain value, one thread.
class RecoveryTries {
  public:
    /// Recoveries for the same device without a round in between: what ends its worker is nothing that another plan
    /// mends.
    static constexpr int mostLosses = 10;
    /// Of a step that is due, also across recoveries.
    static constexpr int mostTries = 3;

    bool mayLose(const QString &device) { return ++m_losses[device] <= mostLosses; }
    /// False: it has failed too often; then it counts from the beginning.
    bool mayRepeat(const QString &step) {
        if (++m_failures[step] < mostTries)
            return true;
        m_failures.remove(step);
        return false;
    }
    void succeeded(const QString &step) { m_failures.remove(step); }
    void roundDone() {
        m_losses.clear();
        succeeded(round());
        succeeded(silentLink());
    }
    static QString round() { return QStringLiteral("round"); }
    /// A link that was built again and lets nothing through.
    static QString silentLink() { return QStringLiteral("silent link"); }

    Error last;  // what went wrong last

  private:
    QMap<QString, int> m_losses;    // since the last round that was done, by who caused them
    QMap<QString, int> m_failures;  // by step
};

}  // namespace hearth
