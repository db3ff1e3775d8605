// What a person may do to the devices of a demo home.
#pragma once

#include <QObject>
#include <QString>

#include "core/base/error.h"

namespace hearth {

/// Trouble that a person may cause in a demo home, by real signals to real processes. GUI thread.
class DemoSwitches : public QObject {
    Q_OBJECT
  public:
    enum class Condition { Normal, Unplugged, Slowed };
    using QObject::QObject;

    virtual Condition condition(const QString &device) const = 0;
    /// Why this device cannot be unplugged; empty where it can.
    virtual QString whyNotUnplug(const QString &device) const = 0;
    /// Unplugged: the device falls silent, as if its cable were pulled. Slowed: it computes at a quarter of its speed.
    /// `changed` follows, or `failed`.
    virtual void setCondition(const QString &device, Condition condition) = 0;

  Q_SIGNALS:
    void changed();
    void failed(const hearth::Error &error);
};

}  // namespace hearth
