// How a person pairs this computer with other devices, and forgets them. The app implements it over the local agent.
#pragma once

#include <QObject>
#include <QStringList>

#include "core/pairing/pairing_status.h"

namespace hearth {

/// One attempt at a time. GUI thread; all signals are emitted there. What is asked shows in `status()`, or is told by
/// `failed`.
class PairingControl : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    virtual PairingStatus status() const = 0;
    /// Addresses ("host:port") of one device, tried in order. `prefix`: the digits of the one that was chosen among
    /// those found nearby; empty where the person gave the address.
    virtual void start(const QStringList &addresses, const QString &prefix) = 0;
    /// Takes the device that wants to pair, by the fingerprint that was shown.
    virtual void accept(const QString &fingerprint) = 0;
    /// Whether the digits that were shown are those of the other device.
    virtual void confirm(bool match, const QString &code) = 0;
    /// Ends what is under way, and forgets the result of what is over.
    virtual void cancel() = 0;
    /// Devices that are not of this home, by the first digits of their keys, until they are taken back or paired.
    virtual void ignore(const QString &key) = 0;
    virtual void unignore(const QString &key) = 0;
    /// The device is removed from the home; by id.
    virtual void forget(const QString &device) = 0;

  Q_SIGNALS:
    void changed();
    void failed(const hearth::Error &error);
};

}  // namespace hearth
