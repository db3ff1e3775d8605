// The last step of taking a device in: it is measured as soon as it is ready.
#pragma once

#include <QWidget>
#include <optional>

#include "core/base/error.h"
#include "core/home/device_info.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace hearth {

class HomeSource;
class Measurements;

/// Hidden until begin(). It can be skipped; whoever closes it while it measures finds that on Home. GUI thread; `home`
/// and `measurements` outlive it.
class FirstMeasurement : public QWidget {
    Q_OBJECT
  public:
    FirstMeasurement(HomeSource &home, Measurements &measurements, QWidget *parent = nullptr);

    /// The device, by its fingerprint, and with it this computer where it was not measured yet: to compare with.
    void begin(const QString &device, const QString &name);
    /// Nothing is shown any more, and what waited to begin does not.
    void forget();

  Q_SIGNALS:
    /// What it says may need more or less room.
    void changed();

  private:
    enum class Phase { Idle, Waiting, Measuring, Reading, Over };

    void follow();
    void start();
    void skip();
    void end(const QString &said);
    void fail(const Error &error);
    void showProgress();
    std::optional<DeviceInfo> device() const;

    HomeSource &m_home;
    Measurements &m_measurements;
    Phase m_phase = Phase::Idle;
    QString m_id, m_name;
    QLabel *m_text;
    QProgressBar *m_bar;
    QPushButton *m_skip;
};

}  // namespace hearth
