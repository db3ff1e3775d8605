// The data processes that run on this device, one per run of which it holds a part of the data.
#pragma once

#include <memory>

#include "core/agent/process_host.h"

namespace hearth {

/// Starts, watches and ends them: hearth-coordinator with --serve. A device that only serves data computes nothing, and
/// counts as ready. Main thread.
class DataHost : public ProcessHost {
    Q_OBJECT
  public:
    explicit DataHost(ProcessSettings settings, QObject *parent = nullptr);
    ~DataHost() override;

  protected:
    bool launch(const QString &run, const Start &start) override;
};

}  // namespace hearth
