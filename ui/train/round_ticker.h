// Ticks of axes that count. For .cpp files only: QCustomPlot's header is large.
#pragma once

#include <QLocale>
#include <cmath>

#include "ui/base/custom_plot.h"

namespace hearth {

/// Round numbers, written with as many digits as they have; multiples of one where there are no parts.
class RoundTicker : public QCPAxisTicker {
  public:
    explicit RoundTicker(bool whole) : m_whole(whole) {}

  protected:
    double getTickStep(const QCPRange &range) override {
        double magnitude = 1;
        const double mantissa = getMantissa(range.size() / mTickCount, &magnitude);
        double step = 10 * magnitude;
        for (const double candidate : {5.0, 2.5, 2.0, 1.0}) {
            if (candidate >= mantissa)
                step = candidate * magnitude;
        }
        if (m_whole)
            step = std::ceil(step);
        m_decimals = 0;
        for (double scaled = step; m_decimals < 9 && std::abs(scaled - std::round(scaled)) > 1e-6; scaled *= 10)
            ++m_decimals;
        return step;
    }
    QString getTickLabel(double tick, const QLocale &locale, QChar, int) override {
        return locale.toString(tick, 'f', m_decimals);
    }

  private:
    bool m_whole;
    int m_decimals = 0;
};

}  // namespace hearth
