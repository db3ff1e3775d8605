// Measured profiles on disk, so that a device measures a model once; what devices offered and links carried last.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/profile/device_profile.h"
#include "core/profile/link_profile.h"
#include "core/profile/model_profile.h"

namespace hearth {

/// What makes a measurement valid again: another of any of these is another profile.
struct ProfileKey {
    QString device;  // fingerprint
    QString modelSha256;
    QString library;
    QString computeDevice;
    QString precision;
    int threads = 1;

    static ProfileKey of(const ModelProfile &profile);
    bool operator==(const ProfileKey &) const = default;
};

/// What one measurement left.
struct StoredProfile {
    ModelProfile profile;
    qint64 measured = 0;  // when, in milliseconds since 1970
};

/// What bursts at once told of cards and air (SharingTests), of all of these devices.
struct StoredSharing {
    QStringList devices;
    LinkProfile links;  // cards and media alone
    qint64 measured = 0;

    /// Of these alone.
    LinkProfile of(const QStringList &wanted) const;
};

/// The newest that is of all these devices; null where there is none.
const StoredSharing *newestSharing(const std::vector<StoredSharing> &stored, const QStringList &devices);

/// One JSON file per key in a folder. No state of its own; one writer at a time, saves are atomic.
class ProfileStore {
  public:
    explicit ProfileStore(QString folder);
    /// Nothing when there is none, or when the file is damaged (it will be measured and written again).
    std::optional<ModelProfile> load(const ProfileKey &key) const;
    /// Stores under the key that the profile's own fields make; makes the folder.
    Result<void> save(const ModelProfile &profile) const;
    QString pathOf(const ProfileKey &key) const;

    /// The same for what a device offers: one file for each device, in a folder beside, written where it is another.
    std::optional<DeviceProfile> loadDevice(const QString &id) const;
    Result<void> saveDevice(const DeviceProfile &device) const;

    /// How one direction of a link was last, with its latency; the newest measurement takes the place of the one
    /// before.
    Result<void> saveLink(const LinkProfile::Pair &link) const;

    /// The newest takes the place of the one before of the same devices.
    Result<void> saveSharing(const QStringList &devices, const LinkProfile &found) const;

    /// All that there is, in no order; files that cannot be read are passed over. Block while they read.
    std::vector<StoredProfile> profiles() const;
    std::vector<LinkProfile::Pair> links() const;
    std::vector<StoredSharing> sharing() const;

  private:
    QString pathOfLink(const QString &from, const QString &to) const;
    QString pathOfDevice(const QString &id) const;

    QString m_folder;
};

}  // namespace hearth
