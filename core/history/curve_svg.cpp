#include "core/history/curve_svg.h"

#include <algorithm>
#include <cmath>

namespace hearth {
namespace {

constexpr double left = 70, right = 710, top = 10, bottom = 190;

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;

    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    /// From 0 to 1; the middle where all values are the same.
    double part(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
    double at(double part) const { return low + part * (high - low); }
};

QString coordinate(double value) {
    return QString::number(value, 'f', 1);
}

QString line(const char *kind, double x1, double y1, double x2, double y2) {
    return QStringLiteral(R"(<line class="%1" x1="%2" y1="%3" x2="%4" y2="%5"/>)")
        .arg(QLatin1String(kind), coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2));
}

QString text(const char *anchor, double x, double y, double number) {
    return QStringLiteral(R"(<text text-anchor="%1" x="%2" y="%3">%4</text>)")
        .arg(QLatin1String(anchor), coordinate(x), coordinate(y), QString::number(number, 'g', 4));
}

}  // namespace

QString curveSvg(const Curve &curve, const QString &label, const std::vector<double> &marks) {
    Range rounds, values;
    for (const CurvePoint &point : curve) {
        if (std::isfinite(point.value)) {
            rounds.include(point.round);
            values.include(point.value);
        }
    }
    if (rounds.low > rounds.high)
        return {};
    const auto x = [&](double round) { return left + (right - left) * rounds.part(round); };
    const auto y = [&](double value) { return bottom - (bottom - top) * values.part(value); };
    QString svg =
        QStringLiteral(R"(<svg viewBox="0 0 720 220" role="img" aria-label="%1">)").arg(label.toHtmlEscaped());
    for (const double part : {0.0, 0.5, 1.0}) {
        const double value = values.at(part), round = std::round(rounds.at(part));
        svg += line("axis", left, y(value), right, y(value)) + text("end", left - 6, y(value) + 4, value) +
               text("middle", x(round), bottom + 20, round);
        if (values.low == values.high)
            break;
    }
    for (const double mark : marks) {
        if (mark >= rounds.low && mark <= rounds.high)
            svg += line("mark", x(mark), top, x(mark), bottom);
    }
    QString path;
    bool isGap = true;
    for (const CurvePoint &point : curve) {
        if (!std::isfinite(point.value)) {
            isGap = true;
            continue;
        }
        path += (isGap ? QLatin1Char('M') : QLatin1Char('L')) + coordinate(x(point.round)) + QLatin1Char(' ') +
                coordinate(y(point.value));
        isGap = false;
    }
    return svg + QStringLiteral(R"(<path class="curve" d="%1"/></svg>)").arg(path);
}

}  // namespace hearth
