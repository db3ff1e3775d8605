// An installation in a thread of its own.
#pragma once

#include <memory>

#include "core/install/installation.h"

namespace hearth {

/// The destructor cancels, and waits until everything is undone.
class InstallJob : public Installation {
    Q_OBJECT
  public:
    explicit InstallJob(InstallRequest request, QObject *parent = nullptr);
    ~InstallJob() override;

    void start() override;
    void cancel() override;
    void answer(bool yes) override;
    void answer(Secret password) override;

  private:
    class Worker;
    std::unique_ptr<Worker> m_worker;
};

}  // namespace hearth
