// The agent as its coordinator sees it: calls and notes over the pipe between them.
#pragma once

#include "core/run/links.h"
#include "core/wire/rpc.h"

namespace hearth {

/// `rpc` must outlive it.
class AgentRpcLink : public AgentLink {
    Q_OBJECT
  public:
    explicit AgentRpcLink(Rpc &rpc, QObject *parent = nullptr);
    void startWorker(const QString &device, std::chrono::milliseconds deadline, QObject *context,
                     StartedFn done) override;
    void stopWorker(const QString &device) override;
    void startHolder(const QString &device, std::chrono::milliseconds deadline, QObject *context,
                     StartedFn done) override;
    void stopHolder(const QString &device) override;
    void eventWritten(quint64 seq) override;
    void failed(const Error &error) override;

  private:
    Rpc &m_rpc;
};

}  // namespace hearth
