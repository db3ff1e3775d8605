// Devices that are to go from a run and are still here.
#pragma once

#include <QSet>
#include <QString>
#include <utility>

namespace hearth {

/// Those that rest, or leave the home, of their own accord, and those that a person wants out of the run. Plain value,
/// one thread.
class LeavingDevices {
  public:
    const QSet<QString> &all() const { return m_leaving; }
    bool isEmpty() const { return m_leaving.isEmpty(); }
    bool contains(const QString &device) const { return m_leaving.contains(device); }
    void begin(const QString &device) { m_leaving.insert(device); }
    /// It goes no more, or has gone. False: it was not about to.
    bool end(const QString &device) { return m_leaving.remove(device); }
    /// All of them are needed once more before they go. False: nobody was about to.
    bool recall() { return !std::exchange(m_leaving, {}).isEmpty(); }

    /// A person wants it out of this run, for good.
    void sendAway(const QString &device) { m_sentAway.insert(device); }
    bool isSentAway(const QString &device) const { return m_sentAway.contains(device); }
    const QSet<QString> &sentAway() const { return m_sentAway; }
    /// Those that were sent away and are still here stay: who they are.
    QSet<QString> keepSentAway() {
        const QSet<QString> stay = m_leaving & m_sentAway;
        m_leaving -= stay;
        m_sentAway -= stay;
        return stay;
    }

  private:
    QSet<QString> m_leaving, m_sentAway;
};

}  // namespace hearth
