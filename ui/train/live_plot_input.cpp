// What mouse and keys do on a plot: the cursor, and wishes about the part of the run that is seen.
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/base/custom_plot.h"
#include "ui/train/live_plot.h"
#include "ui/train/plot_cursor.h"
#include "ui/words/format.h"

namespace hearth {

namespace {
constexpr double zoomStep = 0.8;
// Of the width that is seen.
constexpr double panStep = 0.1;
constexpr double cursorStep = 0.01;
constexpr double wheelNotch = 120;
constexpr double scrollStep = 60;  // pixels per notch
// More lines would hide the curves that they tell of.
constexpr std::size_t mostLines = 9, fewestLines = 3;

/// The newest of these moments, such as an evaluation after the round; where silence follows, the first.
std::optional<TimeSeries::Piece> valueAt(const TimeSeries &series, const PlotAxis::Moments &moments) {
    const auto newest = series.at(std::clamp(series.lastT(), moments.from, moments.until));
    return newest ? newest : series.at(moments.from);
}

}  // namespace

double LivePlot::placeAt(double x) const {
    return m_plot->xAxis->pixelToCoord(x);
}

bool LivePlot::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_plot)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (handleKey(key->key(), key->modifiers()))
            return true;
    }
    if (handleMouse(event))
        return true;
    return QWidget::eventFilter(watched, event);
}

bool LivePlot::handleMouse(QEvent *event) {
    switch (event->type()) {
        case QEvent::MouseMove: {
            const double x = static_cast<QMouseEvent *>(event)->position().x();
            if (m_dragged) {
                Q_EMIT panWanted(placeAt(*m_dragged) - placeAt(x));
                m_dragged = x;
            }
            const QRect room = m_plot->axisRect()->rect();
            const bool inside = x >= room.left() && x <= room.right();
            Q_EMIT cursorWanted(inside ? std::optional(placeAt(x)) : std::nullopt);
            return true;
        }
        case QEvent::MouseButtonPress: {
            const auto *mouse = static_cast<QMouseEvent *>(event);
            if (mouse->button() == Qt::LeftButton)
                m_dragged = mouse->position().x();
            return false;
        }
        case QEvent::MouseButtonRelease:
            m_dragged.reset();
            return false;
        case QEvent::MouseButtonDblClick:
            Q_EMIT wholeWanted();
            return true;
        case QEvent::Leave:
            Q_EMIT cursorWanted(std::nullopt);
            return false;
        case QEvent::Wheel: {
            const auto *wheel = static_cast<QWheelEvent *>(event);
            const double notches = (wheel->angleDelta().y() + wheel->angleDelta().x()) / wheelNotch;
            const double width = m_plot->xAxis->range().size();
            if ((wheel->modifiers() & Qt::ControlModifier) != 0)
                Q_EMIT zoomWanted(std::pow(zoomStep, notches), placeAt(wheel->position().x()));
            else if ((wheel->modifiers() & Qt::ShiftModifier) != 0)
                Q_EMIT panWanted(-notches * panStep * width);
            else
                Q_EMIT scrollWanted(static_cast<int>(-notches * scrollStep));
            return true;
        }
        default:
            return false;
    }
}

bool LivePlot::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    const QCPRange range = m_plot->xAxis->range();
    const double middle = m_cursorAt.value_or(range.center());
    const bool cursor = (modifiers & Qt::ShiftModifier) == 0;
    const double sign = key == Qt::Key_Left ? -1 : 1;
    switch (key) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (cursor)
                Q_EMIT cursorWanted(
                    m_axis.stepFrom(middle, sign * cursorStep * range.size(), range.lower, range.upper));
            else
                Q_EMIT panWanted(sign * panStep * range.size());
            return true;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            Q_EMIT zoomWanted(zoomStep, middle);
            return true;
        case Qt::Key_Minus:
            Q_EMIT zoomWanted(1 / zoomStep, middle);
            return true;
        case Qt::Key_Home:
            Q_EMIT wholeWanted();
            return true;
        case Qt::Key_End:
            Q_EMIT followWanted();
            return true;
        case Qt::Key_Escape:
            if (!m_cursorAt)
                return false;
            Q_EMIT cursorWanted(std::nullopt);
            return true;
        default:
            return false;
    }
}

QString LivePlot::placeText(double place) const {
    switch (m_axis.kind()) {
        case AxisKind::Time:
            return formatClock(place);
        case AxisKind::Round:
            return tr("Round %1").arg(formatCount(std::llround(m_axis.roundOf(place))));
        case AxisKind::Epoch:
            return tr("Epoch %1").arg(QLocale().toString(m_axis.roundOf(place) * m_axis.unit(), 'f', 2));
    }
    return {};
}

/// One for the place, and of the curves as many as find room.
std::vector<CursorLine> LivePlot::readAt(double place) const {
    struct Reading {
        const Curve *curve;
        std::optional<TimeSeries::Piece> piece;
    };
    std::vector<Reading> readings;
    const PlotAxis::Moments moments = m_axis.momentsAt(place);
    for (const Curve &curve : m_curves) {
        if (curve.series != nullptr && curve.look != Look::Ticks && curve.look != Look::Rings)
            readings.push_back({&curve, valueAt(*curve.series, moments)});
    }
    const std::size_t most =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0, m_cursor->room() - 1)), fewestLines, mostLines);
    const auto valueOf = [](const Reading &reading) {
        return reading.piece ? reading.piece->mean * reading.curve->scale : -1;
    };
    // Of many the greatest and the least.
    const bool many = readings.size() > most;
    const std::size_t least = !many ? 0 : most < mostLines ? 1 : 2;
    const std::size_t greatest = many ? most - 1 - least : readings.size();
    if (many)
        std::ranges::stable_sort(readings, std::greater{}, valueOf);
    const Theme &theme = ThemeManager::instance().theme();
    std::vector<CursorLine> lines{{placeText(place), {}}};
    for (std::size_t i = 0; i < readings.size(); ++i) {
        if (many && i == greatest)
            lines.push_back({tr("%n more", nullptr, static_cast<int>(readings.size() - greatest - least)), {}});
        if (i >= greatest && i + least < readings.size())
            continue;
        const Reading &reading = readings[i];
        const QString value = reading.piece ? reading.curve->format(valueOf(reading)) : QStringLiteral("–");
        lines.push_back(
            {tr("%1  %2", "name and value of a curve").arg(reading.curve->name, value), reading.curve->colour(theme)});
    }
    return lines;
}

void LivePlot::setCursor(std::optional<double> place) {
    m_cursorAt = place;
    const std::vector<CursorLine> lines = place ? readAt(*place) : std::vector<CursorLine>();
    m_readout.clear();
    for (const CursorLine &line : lines)
        m_readout << line.text;
    m_cursor->show(place, lines);
    m_plot->setAccessibleDescription(m_readout.join(QStringLiteral(", ")));
}

}  // namespace hearth
