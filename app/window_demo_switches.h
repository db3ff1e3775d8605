// Unplug and Slow down in a demo home: signals to the processes of its agents.
#pragma once

#include <map>
#include <memory>

#include "ui/base/demo_switches.h"
#include "ui/base/home_source.h"

namespace hearth {

class ProcessBrake;

/// Knows the agents by what the home tells of them; `home` must outlive it. Everything is undone when it dies, which
/// must be before the demo's home ends. GUI thread.
class ProcessSwitches : public DemoSwitches {
    Q_OBJECT
  public:
    explicit ProcessSwitches(const HomeSource &home, QObject *parent = nullptr);
    ~ProcessSwitches() override;

    Condition condition(const QString &device) const override;
    QString whyNotUnplug(const QString &device) const override;
    void setCondition(const QString &device, Condition condition) override;
    /// Undoes everything: stopped agents could not end.
    void release();

  private:
    const HomeSource &m_home;
    std::map<QString, std::unique_ptr<ProcessBrake>> m_brakes;
};

}  // namespace hearth
