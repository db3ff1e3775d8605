// Ticks of an axis of time. For .cpp files only: QCustomPlot's header is large.
#pragma once

#include <cmath>

#include "ui/base/custom_plot.h"
#include "ui/words/format.h"

namespace hearth {

/// At whole seconds, minutes or hours, written as the list of events writes them.
class ClockTicker : public QCPAxisTickerTime {
  public:
    ClockTicker() { setTimeFormat(QStringLiteral("%h:%m:%s")); }

  protected:
    double getTickStep(const QCPRange &range) override {
        constexpr double hour = 3600, wider = 1.5;  // what hours add to a label
        return QCPAxisTickerTime::getTickStep(range.upper < hour ? range : range * wider);
    }
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return formatClock(std::round(tick)); }
};

}  // namespace hearth
