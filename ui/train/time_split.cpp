#include "ui/train/time_split.h"

#include <QGridLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <optional>

#include "ui/base/meter.h"
#include "ui/base/still_text.h"
#include "ui/base/widgets.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr int mostRows = 8;

class ColourDot : public QWidget {
  public:
    explicit ColourDot(ThemeColour colour) : m_colour(colour) { setFixedSize(grid, grid); }

  protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.fillRect(rect(), ThemeManager::instance().theme().*m_colour);
    }

  private:
    ThemeColour m_colour;
};

}  // namespace

/// Tells its seconds where the mouse rests: most are never asked for, and they change with each frame.
class TimeMeter : public Meter {
  public:
    void show(double computing, double waiting, double sending) {
        const Theme &theme = ThemeManager::instance().theme();
        setParts({{computing, theme.accent}, {waiting, theme.scroll}, {sending, theme.info}},
                 computing + waiting + sending);
        m_seconds = {computing, waiting, sending};
    }

    void clear() {
        setParts({}, 0);
        m_seconds.reset();
    }

  protected:
    bool event(QEvent *event) override {
        if (event->type() != QEvent::ToolTip || !m_seconds)
            return Meter::event(event);
        const auto [computing, waiting, sending] = *m_seconds;
        QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(),
                           TimeSplit::tr("computing %1, waiting %2, sending %3 per round")
                               .arg(formatSeconds(computing), formatSeconds(waiting), formatSeconds(sending)),
                           this);
        return true;
    }

  private:
    std::optional<std::array<double, 3>> m_seconds;
};

TimeSplit::TimeSplit(const RunModel &run, QWidget *parent)
    : QFrame(parent), m_run(run), m_grid(nullptr), m_scroll(nullptr) {
    setObjectName(QStringLiteral("timeSplit"));
    setProperty("role", QStringLiteral("card"));
    auto *legend = new QHBoxLayout;
    legend->setSpacing(grid / 2);
    const std::pair<ThemeColour, QString> entries[] = {
        {&Theme::accent, tr("computing")}, {&Theme::scroll, tr("waiting")}, {&Theme::info, tr("sending")}};
    for (const auto &[colour, text] : entries) {
        legend->addWidget(new ColourDot(colour));
        legend->addWidget(makeLabel(text, "small"));
        legend->addSpacing(grid / 2);
    }
    legend->addStretch(1);
    auto *rows = new QWidget;
    m_grid = new QGridLayout(rows);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(grid);
    m_grid->setVerticalSpacing(grid / 2);
    m_grid->setColumnStretch(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid * 3 / 2, 2 * grid, grid * 3 / 2);
    layout->setSpacing(grid / 2);
    layout->addWidget(makeLabel(tr("Time of each device"), "strong"));
    layout->addLayout(legend);
    // A large home scrolls, and leaves the story its room.
    m_scroll = makeScroll(QStringLiteral("timeSplitScroll"), rows, Qt::StrongFocus);
    m_scroll->setAccessibleName(tr("Time of each device"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    layout->addWidget(m_scroll);
    connect(&run, &RunModel::planChanged, this, &TimeSplit::rebuild);
    connect(&run, &RunModel::cleared, this, &TimeSplit::rebuild);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &TimeSplit::refresh);
    rebuild();
}

void TimeSplit::rebuild() {
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_rows.clear();
    setVisible(m_run.plan().has_value());
    if (!m_run.plan()) {
        return;
    }
    QMap<QString, QString> byName;
    for (const PlanStage &stage : m_run.plan()->stages) {
        for (const Share &share : stage.shares)
            byName.insert(m_run.devices().name(share.device) + share.device, share.device);
    }
    int line = 0, lineHeight = 0;
    for (const QString &device : std::as_const(byName)) {
        Row row{new TimeMeter, new StillText};
        row.share->setText(QStringLiteral("–"));
        const QString name = m_run.devices().name(device);
        row.meter->setObjectName(QStringLiteral("meter-") + name);
        row.meter->setAccessibleName(name);
        row.share->setObjectName(QStringLiteral("split-") + name);
        // The widest text reserves its room, so that nothing jumps.
        row.share->setFixedWidth(QFontMetrics(smallFont()).horizontalAdvance(formatPercent(1)) + 1);
        row.share->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        auto *label = makeLabel(name, "small");
        m_grid->addWidget(label, line, 0);
        m_grid->addWidget(row.meter, line, 1);
        m_grid->addWidget(row.share, line, 2);
        // Not by the grid: it counts nothing that is not shown yet.
        for (QWidget *each : std::initializer_list<QWidget *>{label, row.meter, row.share}) {
            each->ensurePolished();
            lineHeight = std::max(lineHeight, each->sizeHint().height());
        }
        m_rows[device] = row;
        ++line;
    }
    const int gap = m_grid->verticalSpacing(), seen = std::min(line, mostRows);
    m_scroll->setFixedHeight(seen > 0 ? seen * (lineHeight + gap) - gap : 0);
    m_scroll->setFocusPolicy(line > mostRows ? Qt::StrongFocus : Qt::NoFocus);
    refresh();
}

void TimeSplit::refresh() {
    for (auto it = m_rows.cbegin(); it != m_rows.cend(); ++it) {
        const auto found = m_run.devices().times().constFind(it.key());
        if (found == m_run.devices().times().constEnd()) {
            // It is away, or has done no round under this plan.
            it->meter->clear();
            it->share->setText(QStringLiteral("–"));
            continue;
        }
        const double computing = found->computeS + found->optimizerS;
        const double waiting = found->waitForwardS + found->waitBackwardS + found->waitAllreduceS;
        const double sending = found->sendS + found->allreduceS;
        const double whole = computing + waiting + sending;
        it->meter->show(computing, waiting, sending);
        it->share->setText(whole > 0 ? formatPercent(computing / whole) : QStringLiteral("–"));
    }
}

}  // namespace hearth
