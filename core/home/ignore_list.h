// Devices that a person does not want to hear of, in a file of the state folder.
#pragma once

#include <QCborMap>
#include <QString>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// Plain value.
struct IgnoredDevice {
    QString key;       // the first digits of its fingerprint, as many as were known: 16 to 64, lower case
    QString name;      // that it had; anybody's word, may be empty
    qint64 since = 0;  // milliseconds since 1970, UTC

    bool operator==(const IgnoredDevice &) const = default;
    QCborMap toCbor() const;
    /// Bounds every field; a key that is none is an error.
    static Result<IgnoredDevice> fromCbor(const QCborMap &map);
};

/// Whether these are the first digits of a key, and enough of them to tell it from others.
bool isKeyStart(const QString &text);
/// Whether both may begin the same key.
bool isSameKey(const QString &one, const QString &other);

/// Read once; every change is saved whole or not at all, with mode 0600. When it is full the oldest entry goes: whoever
/// makes keys without end must not fill a disk. One thread.
class IgnoreList {
  public:
    static constexpr std::size_t maximumDevices = 256;

    /// `path` need not exist. One that is no such list, that others may write, or that is a link is an error.
    static Result<IgnoreList> load(const QString &path);

    bool contains(const QString &key) const;
    /// Takes the place of an entry with the same key.
    Result<void> add(const IgnoredDevice &device);
    /// All that may be that key; none is no error.
    Result<void> remove(const QString &key);
    const std::vector<IgnoredDevice> &devices() const { return m_devices; }

  private:
    explicit IgnoreList(QString path) : m_path(std::move(path)) {}
    Result<void> save(std::vector<IgnoredDevice> devices);

    QString m_path;
    std::vector<IgnoredDevice> m_devices;  // oldest first
};

}  // namespace hearth
