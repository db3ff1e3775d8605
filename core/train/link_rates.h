// What links deliver, told in the thread that owns them and asked for in others.
#pragma once

#include <QHash>
#include <QString>
#include <mutex>

namespace hearth {

/// Bytes a second by device. Any thread.
class LinkRates {
  public:
    /// 0, of a link that has nothing to deliver, changes nothing.
    void note(const QString &device, double bytesPerSecond) {
        const std::lock_guard lock(m_mutex);
        if (bytesPerSecond > 0)
            m_rates[device] = bytesPerSecond;
    }
    /// 0 of one that nobody knows.
    double of(const QString &device) const {
        const std::lock_guard lock(m_mutex);
        return m_rates.value(device);
    }

  private:
    mutable std::mutex m_mutex;
    QHash<QString, double> m_rates;
};

}  // namespace hearth
