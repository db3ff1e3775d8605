#include "ui/history/run_curves_view.h"

#include <QButtonGroup>
#include <QPainter>
#include <algorithm>

#include "ui/run/run_facts.h"

namespace hearth {

namespace {

constexpr int swatchWidth = 3 * grid;

/// The line of a run as it looks in the plots.
class LineSwatch : public QWidget {
  public:
    explicit LineSwatch(int look) : m_look(look) { setFixedSize(swatchWidth, grid * 3 / 2); }

    static void draw(QPainter &painter, const QRectF &room, int look) {
        painter.setPen(CurvePlot::linePen(look, 2));
        painter.drawLine(QPointF(room.left(), room.center().y()), QPointF(room.right(), room.center().y()));
    }

  protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        draw(painter, rect(), m_look);
    }

  private:
    int m_look;
};

QString legendText(const std::vector<RunDetails> &runs, std::size_t index) {
    const QString title = runTitle(runs[index].summary);
    return runs.size() < 2 ? title : QStringLiteral("%1: %2").arg(QChar(u'A' + static_cast<char16_t>(index)), title);
}

}  // namespace

RunCurvesView::RunCurvesView(QWidget *parent)
    : QWidget(parent),
      m_head(new QWidget),
      m_legend(new QHBoxLayout),
      m_measures(new QWidget),
      m_measure(new QButtonGroup(this)),
      m_plots(new QHBoxLayout) {
    setObjectName(QStringLiteral("historyCurves"));
    auto *byRound = makeButton(QStringLiteral("historyByRound"), tr("By round"), "segment");
    auto *byTime = makeButton(QStringLiteral("historyByTime"), tr("By time"), "segment");
    auto *axes = new QButtonGroup(this);
    for (QPushButton *button : {byRound, byTime}) {
        button->setCheckable(true);
        axes->addButton(button);
    }
    byRound->setChecked(true);
    connect(byRound, &QPushButton::clicked, this, [this] { setAxis(CurvePlot::Axis::Round); });
    connect(byTime, &QPushButton::clicked, this, [this] { setAxis(CurvePlot::Axis::Time); });

    auto *measures = new QHBoxLayout(m_measures);
    measures->setContentsMargins(0, 0, 0, 0);
    measures->setSpacing(grid);
    for (const auto &[name, text] : {std::pair{"historyShowLoss", tr("Loss")},
                                     {"historyShowAccuracy", tr("Accuracy")},
                                     {"historyShowSpeed", tr("Samples/s")}}) {
        auto *button = makeButton(QLatin1String(name), text, "segment");
        button->setCheckable(true);
        m_measure->addButton(button, static_cast<int>(m_measure->buttons().size()));
        measures->addWidget(button);
    }
    m_measure->button(0)->setChecked(true);
    connect(m_measure, &QButtonGroup::idClicked, this, &RunCurvesView::choosePlot);
    m_measures->hide();

    m_legend->setSpacing(grid);
    auto *head = new QHBoxLayout(m_head);
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(grid);
    head->addWidget(m_measures);
    head->addLayout(m_legend, 1);
    head->addWidget(byRound);
    head->addWidget(byTime);
    m_plots->setSpacing(2 * grid);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    layout->addLayout(m_plots, 1);
    connect(&ThemeManager::instance(), &ThemeManager::changed, m_head, qOverload<>(&QWidget::update));
}

void RunCurvesView::buildPlots() {
    m_loss = new CurvePlot(QStringLiteral("historyLoss"), tr("Loss"));
    m_accuracy = new CurvePlot(QStringLiteral("historyAccuracy"), tr("Accuracy, %"), 100, 100);
    m_speed = new CurvePlot(QStringLiteral("historySpeed"), tr("Samples per second"));
    for (CurvePlot *plot : {m_loss, m_accuracy, m_speed})
        m_plots->addWidget(plot, 1);
}

void RunCurvesView::show(const std::vector<RunDetails> &runs) {
    m_runs = runs;
    if (!m_runs.empty() && m_loss == nullptr)
        buildPlots();
    while (QLayoutItem *item = m_legend->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (std::size_t i = 0; i < m_runs.size() && !isMany(); ++i) {
        auto *name = new ElidedLabel;
        name->setObjectName(QStringLiteral("historyLegend%1").arg(i + 1));
        name->setProperty("role", QStringLiteral("small"));
        name->setFullText(legendText(m_runs, i));
        m_legend->addWidget(new LineSwatch(static_cast<int>(i)));
        m_legend->addWidget(name, 1);
    }
    m_measures->setVisible(isMany());
    if (isMany())
        m_legend->addStretch(1);
    choosePlot();
    refresh();
}

void RunCurvesView::choosePlot() {
    if (m_loss == nullptr)
        return;
    CurvePlot *plots[] = {m_loss, m_accuracy, m_speed};
    for (int i = 0; i < 3; ++i)
        plots[i]->setVisible(!isMany() || m_measure->checkedId() == i);
}

void RunCurvesView::setAxis(CurvePlot::Axis axis) {
    m_axis = axis;
    refresh();
}

void RunCurvesView::refresh() {
    if (m_loss == nullptr)
        return;
    std::vector<CurvePlot::Line> losses, accuracies, speeds;
    double last = 0;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        for (const Curve *curve : {&m_runs[i].loss, &m_runs[i].accuracy, &m_runs[i].speed})
            last = curve->empty() ? last : std::max(last, CurvePlot::keyOf(curve->back(), m_axis));
        losses.push_back({m_runs[i].loss, static_cast<int>(i)});
        accuracies.push_back({m_runs[i].accuracy, static_cast<int>(i)});
        speeds.push_back({m_runs[i].speed, static_cast<int>(i)});
    }
    m_loss->show(losses, m_axis, last);
    m_accuracy->show(accuracies, m_axis, last);
    m_speed->show(speeds, m_axis, last);
}

QImage RunCurvesView::picture() const {
    constexpr QSize plotSize(1200, 300);
    constexpr int margin = 4 * grid, line = 4 * grid;
    constexpr double scale = 2;
    const CurvePlot *plots[] = {m_loss, m_accuracy, m_speed};
    const int height = 2 * margin + static_cast<int>(m_runs.size()) * line + 3 * (plotSize.height() + line);
    const QSize size(plotSize.width() + 2 * margin, height);
    QImage image(size * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    const Theme &theme = ThemeManager::instance().theme();
    image.fill(theme.surface);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    int top = margin;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        LineSwatch::draw(painter, QRectF(margin, top, 2 * swatchWidth, line), static_cast<int>(i));
        painter.setFont(bodyFont());
        painter.setPen(theme.text);
        const int left = margin + 2 * swatchWidth + grid;
        painter.drawText(
            QRect(left, top, size.width() - left - margin, line), Qt::AlignVCenter,
            QFontMetrics(bodyFont()).elidedText(legendText(m_runs, i), Qt::ElideMiddle, size.width() - left - margin));
        top += line;
    }
    const QString unit = m_axis == CurvePlot::Axis::Round ? tr("by round") : tr("by time");
    for (const CurvePlot *plot : plots) {
        painter.setFont(bodyFont());
        painter.setPen(theme.secondary);
        painter.drawText(QRect(margin, top, plotSize.width(), line), Qt::AlignVCenter,
                         tr("%1, %2").arg(plot->title(), unit));
        top += line;
        painter.drawPixmap(QPoint(margin, top), plot->picture(plotSize, scale));
        top += plotSize.height();
    }
    return image;
}

}  // namespace hearth
