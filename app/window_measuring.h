// Measuring over the local agent, for the window.
#pragma once

#include <memory>

#include "core/base/background_task.h"
#include "core/run/measuring_pace.h"
#include "ui/base/measure_control.h"

namespace hearth {

class AgentClient;
struct RunInfo;
struct RunOrder;

/// A measurement is a run of the agent that ends once devices and links are measured; one that is under way when the
/// window comes is followed as well. Over a client that is opened elsewhere (WindowHomes); `client` must outlive it.
/// GUI thread.
class AgentMeasuring : public MeasureControl {
    Q_OBJECT
  public:
    explicit AgentMeasuring(AgentClient &client, QObject *parent = nullptr);

    MeasureStatus status() const override { return m_status; }
    void start(const MeasureOrder &order) override;
    void cancel() override;

  private:
    void lookForRuns();
    void send(const RunOrder &order);
    void follow(const QString &run);
    void take(const QByteArray &line);
    void end();

    AgentClient &m_client;
    MeasureStatus m_status;
    QString m_run;  // empty: none is known
    MeasuringPace m_pace;
    bool m_starting = false;  // one is prepared, or the agent was asked to begin one
    std::unique_ptr<BackgroundTask> m_order;
};

}  // namespace hearth
