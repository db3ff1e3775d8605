// How often the same may go wrong in a run before it gives up.
#pragma once

#include <QMap>
#include <QString>
#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace hearth {

/// Plain value, one thread.
class RecoveryTries {
  public:
    /// Recoveries for the same device without a round in between: what ends its worker is nothing that another plan
    /// mends.
    static constexpr int mostLosses = 10;
    /// Of a step that is due, also across recoveries, and of a link.
    static constexpr int mostTries = 3;

    bool mayLose(const QString &device) { return ++m_losses[device] <= mostLosses; }
    /// False: it has failed too often; then it counts from the beginning.
    bool mayRepeat(const QString &step) { return mayTry(m_failures, step); }
    /// The link between the two was there and let nothing through, whichever end tells. False: likewise.
    bool mayBeSilent(const QString &device, const QString &other) {
        return mayTry(m_silences, std::pair<QString, QString>(std::minmax(device, other)));
    }
    void succeeded(const QString &step) { m_failures.remove(step); }
    void roundDone() {
        m_losses.clear();
        m_silences.clear();
        succeeded(round());
    }
    static QString round() { return QStringLiteral("round"); }

    Error last;  // what went wrong last

  private:
    template <class Key>
    static bool mayTry(QMap<Key, int> &counts, const Key &key) {
        if (++counts[key] < mostTries)
            return true;
        counts.remove(key);
        return false;
    }

    // Since the last round that was done: by who caused them, and by the two ends of a link in order.
    QMap<QString, int> m_losses;
    QMap<std::pair<QString, QString>, int> m_silences;
    QMap<QString, int> m_failures;  // by step
};

}  // namespace hearth
