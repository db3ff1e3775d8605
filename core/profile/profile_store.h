// Measured profiles on disk, so that a device measures a model once, and what devices offered last.
#pragma once

#include <QString>
#include <optional>

#include "core/profile/device_profile.h"
#include "core/profile/model_profile.h"

namespace hearth {

/// What makes a measurement valid again: another of any of these is another profile.
struct ProfileKey {
    QString device;  // fingerprint
    QString modelSha256;
    QString library;
    QString precision;
    int threads = 1;
};

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

  private:
    QString pathOfDevice(const QString &id) const;

    QString m_folder;
};

}  // namespace hearth
