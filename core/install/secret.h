// A password between a person and a connection.
#pragma once

#include <QByteArray>
#include <cstring>
#include <utility>

namespace hearth {

/// Overwrites its bytes when it dies; cannot be copied, so that nothing else holds them. Never printed or logged.
class Secret {
  public:
    Secret() = default;
    /// Takes the bytes over; whoever gave them must hold no other copy.
    explicit Secret(QByteArray &&bytes) : m_bytes(std::move(bytes)) {}
    ~Secret() { wipe(); }
    Secret(Secret &&other) noexcept : m_bytes(std::exchange(other.m_bytes, {})) {}
    Secret &operator=(Secret &&other) noexcept {
        if (this != &other) {
            wipe();
            m_bytes = std::exchange(other.m_bytes, {});
        }
        return *this;
    }

    bool isEmpty() const { return m_bytes.isEmpty(); }
    /// Ends with a zero byte; valid as long as this lives.
    const char *data() const { return m_bytes.constData(); }
    qsizetype size() const { return m_bytes.size(); }

  private:
    void wipe() {
        if (!m_bytes.isEmpty())
            ::explicit_bzero(m_bytes.data(), static_cast<size_t>(m_bytes.size()));
    }
    QByteArray m_bytes;
};

}  // namespace hearth
