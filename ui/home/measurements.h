// What is known of how fast the devices and links of the home are, and measuring it.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/background_task.h"
#include "core/profile/home_measurements.h"
#include "core/run/job.h"
#include "ui/base/measure_control.h"

namespace hearth {

class HomeSource;
struct DeviceInfo;
class RunModel;

/// Presenter of Home: figures are those of the model of the job, or of another one that it names where nothing was
/// measured with that. They are read from the home's store beside the event loop, once somebody looks, and again when
/// something was measured. GUI thread.
class Measurements : public QObject {
    Q_OBJECT
  public:
    Measurements(HomeSource &home, const RunModel &run, QObject *parent = nullptr);

    /// Whose model counts; a job that cannot be used now is told by `isValid`.
    void setJob(const Job &job, bool isValid);
    /// Nothing is read before.
    void look();

    const HomeMeasurements &found() const { return m_found; }
    /// Of this computer; null where it was not measured.
    const MeasuredDevice *own() const { return m_found.device(m_self); }
    /// How fast a device is, as a person compares it: "842 samples/s · ×2.4 this computer"; empty where it was not
    /// measured.
    QString speedText(const QString &device) const;
    /// The same without the samples, where there is something to compare: "×2.4 this computer".
    QString ratioText(const QString &device) const;
    /// With what, and when: "fashion-cnn, float32, 4 threads, 128 samples at a time. Measured 14:03."
    QString sourceText(const QString &device) const;

    MeasureStatus status() const;
    /// measuringProgress() of now.
    std::optional<std::pair<int, int>> progressOf(const DeviceInfo &device) const;
    /// "Measuring: 12 of 80"; empty where nothing is measured.
    QString progressText() const;
    /// Whether all devices that are ready were measured with the job's model.
    bool areAllMeasured() const;
    bool isMeasured(const QString &device) const;
    /// Why it cannot be measured now, all where it is empty; empty where it can.
    QString whyNot(const QString &device = {}) const;
    /// Without devices all that are ready.
    void measure(const QStringList &devices, bool again);
    void cancel();

  Q_SIGNALS:
    /// Of what is known, or under way.
    void changed();
    /// All that is stored by now was read.
    void read();
    void failed(const hearth::Error &error);

  private:
    struct Read {
        HomeMeasurements found;
        QString jobModel;  // the digest of the job's model; empty where it cannot be read
    };
    void reload();
    void devicesChanged();
    QMap<QString, int> threads() const;

    HomeSource &m_home;
    const RunModel &m_run;
    Job m_job;
    bool m_isJobValid = true;
    bool m_isLookedAt = false;
    QString m_self;                // this computer's id
    QMap<QString, int> m_threads;  // of the devices as they were read last
    HomeMeasurements m_found;
    QString m_jobModel;
    std::unique_ptr<BackgroundTask> m_reading;
    bool m_again = false;  // there may be more by now
};

/// Steps done, and all, of a device that takes part in a measurement; 0 of 0 for the far end of a link.
std::optional<std::pair<int, int>> measuringProgress(const MeasureStatus &now, const DeviceInfo &device,
                                                     const RunModel &run);

}  // namespace hearth
