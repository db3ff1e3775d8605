#include "ui/history/compare_table.h"

#include <QHeaderView>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/history/job_values.h"
#include "ui/run/job_value_words.h"
#include "ui/train/curve_plot.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr int swatchWidth = 3 * grid, swatchHeight = 2 * grid, mostNameWidth = 28 * grid;

struct Reached {
    QString title;
    double (*of)(const RunSummary &);
    QString (*text)(double);
    int better;  // 1: high ones, -1: low ones, 0: neither
};

std::vector<Reached> figures() {
    return {
        {CompareTable::tr("Rounds"), [](const RunSummary &run) { return static_cast<double>(run.rounds); },
         [](double rounds) { return formatCount(static_cast<qint64>(rounds)); }, 0},
        {CompareTable::tr("Last loss"), [](const RunSummary &run) { return run.loss; }, formatLoss, -1},
        {CompareTable::tr("Lowest loss"), [](const RunSummary &run) { return run.lowestLoss; }, formatLoss, -1},
        {CompareTable::tr("Last accuracy"), [](const RunSummary &run) { return run.accuracy; }, formatPercent, 1},
        {CompareTable::tr("Best accuracy"), [](const RunSummary &run) { return run.bestAccuracy; }, formatPercent, 1},
        {CompareTable::tr("Samples/s"), [](const RunSummary &run) { return run.samplesPerSecond; }, formatNumber, 1},
        {CompareTable::tr("Duration"), [](const RunSummary &run) { return run.seconds; }, formatWholeSeconds, 0},
    };
}

/// NaN where nothing is better than anything.
double bestOf(const Reached &figure, const std::vector<const RunSummary *> &runs) {
    double best = RunSummary::unknown;
    for (const RunSummary *run : runs) {
        const double value = figure.of(*run);
        best = figure.better < 0 ? std::fmin(best, value) : figure.better > 0 ? std::fmax(best, value) : best;
    }
    return best;
}

}  // namespace

CompareTable::CompareTable(QWidget *parent) : QTableWidget(parent) {
    setObjectName(QStringLiteral("compareTable"));
    setAccessibleName(tr("Runs side by side"));
    setEditTriggers(NoEditTriggers);
    setSelectionMode(NoSelection);
    setShowGrid(false);
    setTextElideMode(Qt::ElideMiddle);
    setWordWrap(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setIconSize(QSize(swatchWidth, swatchHeight));
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(4 * grid);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setHighlightSections(false);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &CompareTable::drawLines);
}

void CompareTable::show(const std::vector<ShownRun> &shown) {
    std::vector<const RunSummary *> runs;
    runs.reserve(shown.size());
    for (const ShownRun &run : shown)
        runs.push_back(&run.details.summary);
    const QStringList differing = differingPaths(runs);
    const std::vector<Reached> all = figures();
    clear();
    setRowCount(static_cast<int>(runs.size()));
    setColumnCount(1 + static_cast<int>(differing.size()) + static_cast<int>(all.size()));
    int column = 0;
    const auto set = [this](int row, int at, const QString &text) {
        auto *item = new QTableWidgetItem(text);
        item->setToolTip(text);
        setItem(row, at, item);
        return item;
    };
    const auto setTitle = [&](const QString &title) { setHorizontalHeaderItem(column, new QTableWidgetItem(title)); };
    setTitle(tr("Run"));
    for (int row = 0; row < rowCount(); ++row)
        set(row, column, runTitle(*runs[static_cast<std::size_t>(row)]));
    for (const QString &path : differing) {
        ++column;
        setTitle(jobValueName(path));
        for (int row = 0; row < rowCount(); ++row)
            set(row, column, jobValueText(path, valueAt(runs[static_cast<std::size_t>(row)]->job, path)));
    }
    for (const Reached &figure : all) {
        ++column;
        setTitle(figure.title);
        const double best = bestOf(figure, runs);
        for (int row = 0; row < rowCount(); ++row) {
            const double value = figure.of(*runs[static_cast<std::size_t>(row)]);
            auto *item = set(row, column, std::isfinite(value) ? figure.text(value) : QStringLiteral("–"));
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            QFont font = bodyFont();
            font.setBold(value == best);
            item->setFont(font);
        }
        horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    drawLines();
    resizeColumnsToContents();
    setColumnWidth(0, std::min(columnWidth(0), mostNameWidth));
}

void CompareTable::drawLines() {
    for (int row = 0; row < rowCount(); ++row) {
        QPixmap picture(QSize(swatchWidth, swatchHeight) * devicePixelRatioF());
        picture.setDevicePixelRatio(devicePixelRatioF());
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setPen(CurvePlot::linePen(row, 2));
        painter.drawLine(QPointF(0, swatchHeight / 2.0), QPointF(swatchWidth, swatchHeight / 2.0));
        painter.end();
        if (QTableWidgetItem *name = item(row, 0))
            name->setIcon(picture);
    }
}

}  // namespace hearth
