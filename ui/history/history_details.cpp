#include "ui/history/history_details.h"

#include <QButtonGroup>
#include <QSplitter>
#include <QStackedWidget>

#include "ui/base/widgets.h"
#include "ui/history/compare_table.h"
#include "ui/history/mistakes_view.h"
#include "ui/history/run_curves_view.h"
#include "ui/run/facts_view.h"
#include "ui/run/run_story.h"
#include "ui/train/event_list.h"
#include "ui/words/format.h"

namespace hearth {

HistoryDetails::HistoryDetails(QWidget *parent)
    : QFrame(parent),
      m_hint(makeLabel({}, "secondary")),
      m_body(new QWidget),
      m_views(new QStackedWidget),
      m_left(new QStackedWidget),
      m_facts(new FactsView),
      m_table(new CompareTable),
      m_showCurves(makeButton(QStringLiteral("historyShowCurves"), tr("Curves"), "segment")),
      m_showMistakes(makeButton(QStringLiteral("historyShowMistakes"), tr("Mistakes"), "segment")),
      m_showEvents(makeButton(QStringLiteral("historyShowEvents"), tr("Events"), "segment")),
      m_leftOut(makeLabel({}, "small")),
      m_parts(new QStackedWidget),
      m_curves(new RunCurvesView),
      m_mistakes(new MistakesView),
      m_events(new QWidget),
      m_story(new RunStory(this)) {
    setObjectName(QStringLiteral("historyDetails"));
    setProperty("role", QStringLiteral("card"));
    m_hint->setObjectName(QStringLiteral("historyHint"));
    m_leftOut->setObjectName(QStringLiteral("historyLeftOut"));
    m_hint->setAlignment(Qt::AlignCenter);
    for (QLabel *label : {m_hint, m_leftOut})
        label->setWordWrap(true);

    auto *parts = new QButtonGroup(this);
    for (QPushButton *button : {m_showCurves, m_showMistakes, m_showEvents}) {
        button->setCheckable(true);
        parts->addButton(button);
    }
    m_showCurves->setChecked(true);
    connect(m_showCurves, &QPushButton::clicked, this, [this] { showPart(m_curves); });
    connect(m_showMistakes, &QPushButton::clicked, this, [this] { showPart(m_mistakes); });
    connect(m_showEvents, &QPushButton::clicked, this, [this] { showPart(m_events); });

    auto *events = new EventListView(m_story->run());
    events->setObjectName(QStringLiteral("historyEvents"));
    auto *eventsLayout = new QVBoxLayout(m_events);
    eventsLayout->setContentsMargins(0, 0, 0, 0);
    eventsLayout->addWidget(m_leftOut);
    eventsLayout->addWidget(events, 1);
    // Beside two runs that are compared, what nobody looks at takes no room.
    m_mistakes->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    for (QWidget *part : {static_cast<QWidget *>(m_curves), static_cast<QWidget *>(m_mistakes), m_events})
        m_parts->addWidget(part);

    auto *head = new QHBoxLayout;
    head->setSpacing(grid);
    head->addWidget(m_showCurves);
    head->addWidget(m_showMistakes);
    head->addWidget(m_showEvents);
    head->addSpacing(grid);
    QSizePolicy kept = m_curves->head()->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_curves->head()->setSizePolicy(kept);
    head->addWidget(m_curves->head(), 1);
    auto *right = new QWidget;
    auto *rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(grid, 0, 0, 0);
    rightLayout->setSpacing(grid);
    rightLayout->addLayout(head);
    rightLayout->addWidget(m_parts, 1);

    auto *splitter = new QSplitter(Qt::Horizontal);
    splitter->setObjectName(QStringLiteral("historyDetailsSplitter"));
    splitter->setChildrenCollapsible(false);
    m_left->addWidget(m_facts);
    m_left->addWidget(m_table);
    splitter->addWidget(m_left);
    splitter->addWidget(right);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 5);
    m_left->setMinimumWidth(34 * grid);
    splitter->setSizes({40 * grid, 90 * grid});
    auto *body = new QHBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->addWidget(splitter);
    m_views->addWidget(m_hint);
    m_views->addWidget(m_body);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid * 3 / 2, 2 * grid, grid);
    layout->addWidget(m_views);
}

void HistoryDetails::showHint(const QString &hint) {
    m_hint->setText(hint);
    m_views->setCurrentWidget(m_hint);
    m_story->clear();
    m_facts->show({});
    m_curves->show({});
}

void HistoryDetails::showPart(QWidget *part) {
    m_parts->setCurrentWidget(part);
    m_curves->head()->setVisible(part == m_curves);
    (part == m_events ? m_showEvents : part == m_mistakes ? m_showMistakes : m_showCurves)->setChecked(true);
}

void HistoryDetails::showRun(const ShownRun &run, bool over) {
    m_views->setCurrentWidget(m_body);
    m_left->setCurrentWidget(m_facts);
    m_facts->show(factsOf({run}));
    m_curves->show({run.details});
    m_mistakes->show(run.details.summary.folder);
    for (QPushButton *button : {m_showCurves, m_showMistakes, m_showEvents})
        button->show();
    m_story->tell(run.details, over);
    m_leftOut->setVisible(run.details.eventsLeftOut > 0);
    m_leftOut->setText(tr("%n event(s) in the middle are left out here; opening the run shows more of them.", nullptr,
                          static_cast<int>(run.details.eventsLeftOut)));
}

void HistoryDetails::showComparison(const ShownRun &a, const ShownRun &b) {
    m_views->setCurrentWidget(m_body);
    FactSection limits{tr("What cannot be compared"), {}};
    for (const QString &limit : comparisonLimits(a.details, b.details))
        limits.facts.push_back({QString(), {limit}});
    std::vector<FactSection> facts = factsOf({a, b});
    facts.insert(facts.begin(), limits);
    m_left->setCurrentWidget(m_facts);
    m_facts->show(facts);
    showCurvesOnly({a.details, b.details});
}

void HistoryDetails::showMany(const std::vector<ShownRun> &runs) {
    m_views->setCurrentWidget(m_body);
    m_left->setCurrentWidget(m_table);
    m_table->show(runs);
    std::vector<RunDetails> details;
    details.reserve(runs.size());
    for (const ShownRun &run : runs)
        details.push_back(run.details);
    showCurvesOnly(details);
}

void HistoryDetails::showCurvesOnly(const std::vector<RunDetails> &runs) {
    m_curves->show(runs);
    for (QPushButton *button : {m_showCurves, m_showMistakes, m_showEvents})
        button->hide();
    showPart(m_curves);
    m_story->clear();
}

const RunCurvesView *HistoryDetails::curves() const {
    return m_curves->isEmpty() ? nullptr : m_curves;
}

}  // namespace hearth
