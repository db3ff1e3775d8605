#include "ui/train/plot_marks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hearth {

namespace {
// Labels of marks that lie close to each other go into rows; what finds no room in these is left to the event list.
constexpr int labelRows = 3;
constexpr int labelGap = 4;
constexpr int labelPadding = 3;
// So many words in one plot can be read; looking for room for thousands would take longer than a frame.
constexpr std::size_t mostLabels = 256;
}  // namespace

void PlotMarks::clear() {
    m_marks.clear();
    m_shown.clear();
}

std::vector<double> PlotMarks::places() const {
    std::vector<double> all;
    for (const Shown &shown : m_shown)
        all.push_back(shown.place);
    return all;
}

bool PlotMarks::findRow(Shown &shown, std::vector<std::vector<std::pair<double, double>>> &taken) const {
    const Mark &mark = m_marks[shown.mark];
    const QRect room = parentPlot()->axisRect()->rect();
    const double left = parentPlot()->xAxis->coordToPixel(shown.place);
    const double width = QFontMetrics(smallFont()).horizontalAdvance(mark.label) + 2 * labelPadding + labelGap;
    shown.turned = left + width > room.right();
    const std::pair<double, double> span = shown.turned ? std::pair(left - width, left) : std::pair(left, left + width);
    // Half a word says nothing: that of a mark before the first point is left out.
    if (span.first < room.left())
        return false;
    const auto row = std::ranges::find_if(taken, [&span](const auto &spans) {
        return std::ranges::none_of(
            spans, [&span](const auto &other) { return span.first < other.second && other.first < span.second; });
    });
    if (row == taken.end())
        return false;
    row->push_back(span);
    shown.row = static_cast<int>(row - taken.begin());
    return true;
}

int PlotMarks::arrange(const PlotStretch &stretch, bool labelled) {
    m_shown.clear();
    const QCPRange range = parentPlot()->xAxis->range();
    double lastPixel = -std::numeric_limits<double>::infinity();
    ThemeColour lastColour = nullptr;
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        if (m_marks[i].t < stretch.from() || m_marks[i].t > stretch.to())
            continue;
        const double place = stretch.placeOf(m_marks[i].t);
        if (!range.contains(place))
            continue;
        // One line per pixel and colour is all that can be seen.
        const double pixel = std::floor(parentPlot()->xAxis->coordToPixel(place));
        if (pixel == lastPixel && m_marks[i].colour == lastColour)
            continue;
        lastPixel = pixel;
        lastColour = m_marks[i].colour;
        m_shown.push_back({i, place, -1, false});
    }
    std::vector<std::vector<std::pair<double, double>>> taken(labelRows);
    int used = 0;
    std::size_t tried = 0;
    for (const bool urgent : {true, false}) {
        for (Shown &shown : m_shown) {
            if (!labelled || m_marks[shown.mark].urgent != urgent || tried >= mostLabels)
                continue;
            ++tried;
            if (findRow(shown, taken))
                used = std::max(used, shown.row + 1);
        }
    }
    return used;
}

void PlotMarks::draw(QCPPainter *painter) {
    const Theme &theme = ThemeManager::instance().theme();
    const QRect room = parentPlot()->axisRect()->rect();
    painter->setAntialiasing(false);
    painter->setFont(smallFont());
    const int height = QFontMetrics(smallFont()).height();
    for (const Shown &shown : m_shown) {
        const Mark &mark = m_marks[shown.mark];
        const double x = parentPlot()->xAxis->coordToPixel(shown.place);
        painter->setPen(QPen(theme.*mark.colour, 1, Qt::DotLine));
        painter->drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()));
    }
    for (const Shown &shown : m_shown) {
        if (shown.row < 0)
            continue;
        const Mark &mark = m_marks[shown.mark];
        const int width = QFontMetrics(smallFont()).horizontalAdvance(mark.label) + 2 * labelPadding;
        const auto x = static_cast<int>(parentPlot()->xAxis->coordToPixel(shown.place));
        const QRect place(shown.turned ? x - width : x + 1, room.top() + shown.row * height, width, height);
        painter->fillRect(place, theme.surface);
        painter->setPen(theme.*mark.colour);
        painter->drawText(place, Qt::AlignCenter, mark.label);
    }
}

}  // namespace hearth
