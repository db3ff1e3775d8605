// Links between workers that are both well and do not reach each other.
#pragma once

#include <QSet>
#include <QString>
#include <utility>

namespace hearth {

/// Both directions, by the ids of devices, until one of the two joins anew or is found at another place. Plain value.
class BrokenLinks {
  public:
    void add(const QString &device, const QString &other) {
        m_pairs.insert({device, other});
        m_pairs.insert({other, device});
    }
    bool contains(const QString &from, const QString &to) const { return m_pairs.contains({from, to}); }
    /// False: it was not broken.
    bool forget(const QString &device, const QString &other) {
        m_pairs.remove({device, other});
        return m_pairs.remove({other, device});
    }
    /// Likewise, of all links of that device.
    bool forget(const QString &device) {
        return m_pairs.removeIf([&](const auto &pair) { return pair.first == device || pair.second == device; }) > 0;
    }

  private:
    QSet<std::pair<QString, QString>> m_pairs;
};

}  // namespace hearth
