// Fetches the states of all layers at one version from their owners, while training goes on.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <vector>

#include "core/protocol/deployment.h"
#include "core/run/checkpoint_store.h"
#include "core/run/deadlines.h"
#include "core/run/quiet_step.h"
#include "core/run/recovery_choice.h"
#include "core/run/worker_session.h"
#include "core/wire/state_chunks.h"

namespace hearth {

/// Asks one holder per layer; they send behind everything else. It fails where somebody does not give what it was said
/// to hold; training is not touched by that. One use; the coordinator's thread.
class StateCollector : public QuietStep {
    Q_OBJECT
  public:
    /// `term`: the workers', by which they answer. What was sent for an earlier one may still be on its way.
    StateCollector(StateLayers layers, quint64 version, quint32 term, const RunDeadlines &deadlines,
                   QObject *parent = nullptr);
    /// Over how much time the rounds that go on meanwhile let the states be spread; before start().
    void setSpread(std::chrono::milliseconds spread) { m_spread = spread; }
    /// `from`: who holds which layers, by device, without overlap. Devices without a session fail at once.
    void start(const std::vector<WorkerSession *> &workers, const std::map<QString, std::vector<HeldState>> &from);
    quint64 version() const { return m_version; }
    /// At finished(); once.
    LayerStates takeStates() { return std::move(m_states); }

  Q_SIGNALS:
    void finished();

  private:
    void tooQuiet() override;
    void ask(WorkerSession &worker, const HeldState &part);
    void take(const WorkerSession &worker, const TensorFrame &frame);
    void completeWhenDone();

    StateLayers m_layers;
    quint64 m_version;
    quint32 m_term;
    RunDeadlines m_deadlines;
    std::map<int, std::pair<QString, std::unique_ptr<StateAssembly>>> m_open;  // by layer: its sender
    LayerStates m_states;
    std::size_t m_calls = 0;
    std::chrono::milliseconds m_spread{0};
};

/// One holder for each layer that has a state, of those that hold it at this version; nothing where one is missing.
/// Where `nearest` is among them nothing crosses the network.
std::optional<std::map<QString, std::vector<HeldState>>> sourcesOf(const StateLayers &layers, quint64 version,
                                                                   const HeldByDevice &held, const QString &nearest);

}  // namespace hearth
