// Notices that a device has left for good what its predictions say, so that the next run measures it again.
#pragma once

#include <QSet>
#include <QString>
#include <map>

#include "core/predict/page_hinkley.h"
#include "core/run/capacity_drift.h"
#include "core/run/run_event.h"

namespace hearth {

/// How far rounds lie from what the first ones of a device said, by device. The coordinator's thread.
class ResidualWatch {
  public:
    /// Devices are looked at every so many seconds of rounds: what goes on for less than three of these, in however
    /// many rounds, is a hiccup, and no reason to measure again.
    static constexpr double lookSeconds = 5;

    /// Predicted times of devices that have left them go from the store in this folder.
    explicit ResidualWatch(QString profiles) : m_profiles(std::move(profiles)) {}
    void take(const event::Round &round, const CapacityDrift &drift);

  private:
    QString m_profiles;
    std::map<QString, PageHinkley> m_residuals;
    double m_unwatched = 0;  // seconds of rounds since residuals were added
    QSet<QString> m_strayed;
};

}  // namespace hearth
