// What a device offers to a plan, before any layer is timed.
#pragma once

#include <QJsonObject>
#include <QString>

#include "core/base/error.h"
#include "core/profile/codec_rates.h"

namespace hearth {

/// Plain value, any thread. Bytes are what a worker may use: the reserve for the system is already taken off
/// (u_d of Asteroid), the worker's own start-up is not.
struct DeviceProfile {
    QString device;           // id: the fingerprint in hex, or a preset's name
    QString name;             // for people; may be empty
    QString library;          // "libtorch 1.13.1"; empty for presets
    int threads = 1;          // compute threads
    qint64 memoryBytes = 0;   // u_d
    qint64 runtimeBytes = 0;  // what a worker takes before the first tensor
    CodecRates codecs = {};

    bool operator==(const DeviceProfile &) const = default;
    Result<void> validate() const;
    QJsonObject toJson() const;
    static Result<DeviceProfile> fromJson(const QJsonObject &object, const QString &source);
};

}  // namespace hearth
