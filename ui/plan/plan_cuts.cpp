#include "ui/plan/plan_cuts.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "core/base/codec_choice.h"
#include "core/plan/cut_levels.h"
#include "core/plan/planner.h"
#include "ui/base/widgets.h"
#include "ui/plan/plan_draft.h"
#include "ui/run/run_model.h"
#include "ui/words/codec_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

/// Of more cuts one by one would be too much to read.
constexpr int mostRows = 12;
constexpr double longestCutSearch = 5;
/// Rounds that differ by less take the same time.
constexpr double sameShare = 0.005;

const Codec *levelOf(const QComboBox *box) {
    const Codec *codec = codecByName(box->currentData().toString());
    return codec ? codec : &noCodec();
}

/// One that the box does not have is added: a plan may come from elsewhere.
void setLevel(QComboBox *box, const Codec &codec) {
    const QString name = QString::fromLatin1(codec.name);
    if (box->findData(name) < 0)
        box->addItem(codecText(codec), name);
    box->setCurrentIndex(box->findData(name));
}

}  // namespace

PlanCuts::PlanCuts(PlanDraft &draft, const RunModel &run, QWidget *parent)
    : QFrame(parent),
      m_draft(draft),
      m_run(run),
      m_offer(makeLabel({}, "secondary")),
      m_more(makeLabel({}, "small")),
      m_compress(makeButton(QStringLiteral("planCompress"), tr("Compress"), "")),
      m_allRow(new QWidget),
      m_all(makeLevels(QStringLiteral("planAllCuts"), tr("All cuts"))),
      m_grid(new QGridLayout),
      m_search(m_compress) {
    setObjectName(QStringLiteral("planCuts"));
    setProperty("role", QStringLiteral("card"));
    m_offer->setObjectName(QStringLiteral("planCodecOffer"));
    m_offer->setWordWrap(true);
    m_more->setWordWrap(true);
    m_compress->setToolTip(tr("The planner chooses cuts and their compression anew"));
    auto *head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Between stages"), "strong"));
    head->addWidget(m_search.makeWords(tr("Searching …")), 1);
    auto *all = new QHBoxLayout(m_allRow);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(makeLabel(tr("All cuts"), "secondary"));
    all->addWidget(m_all);
    head->addWidget(m_allRow);
    auto *offer = new QHBoxLayout;
    offer->addWidget(m_offer, 1);
    offer->addWidget(m_compress);
    m_grid->setHorizontalSpacing(grid);
    m_grid->setVerticalSpacing(grid / 2);
    m_grid->setColumnStretch(3, 1);
    m_grid->addWidget(makeLabel(tr("Activations"), "small"), 0, 1);
    m_grid->addWidget(makeLabel(tr("Gradients"), "small"), 0, 2);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    layout->setSpacing(grid);
    layout->addLayout(head);
    layout->addLayout(offer);
    layout->addLayout(m_grid);
    layout->addWidget(m_more);
    connect(m_all, &QComboBox::activated, this, &PlanCuts::chosenForAll);
    connect(&m_search, &SearchButton::wanted, this, &PlanCuts::compress);
    connect(&m_search, &SearchButton::cancelled, this, &PlanCuts::refreshOffer);
    refresh();
}

QComboBox *PlanCuts::makeLevels(const QString &objectName, const QString &accessibleName) {
    auto *box = new QComboBox;
    box->setObjectName(objectName);
    box->setAccessibleName(accessibleName);
    box->addItem(codecText(noCodec()), QString::fromLatin1(noCodec().name));
    for (const Codec *codec : levelsOf(CodecChoice::Strong))
        box->addItem(codecText(*codec), QString::fromLatin1(codec->name));
    for (int i = 0; i < box->count(); ++i) {
        if (const Codec *codec = codecByName(box->itemData(i).toString()))
            box->setItemData(i, codecCostText(*codec), Qt::ToolTipRole);
    }
    return box;
}

void PlanCuts::build(int cuts) {
    if (m_cuts == cuts)
        return;
    m_cuts = cuts;
    const auto rows = at(std::min(cuts, mostRows));
    while (m_rows.size() > rows) {
        const Row &row = m_rows.back();
        for (QWidget *widget : std::initializer_list<QWidget *>{row.name, row.forward, row.backward, row.what})
            widget->deleteLater();
        m_rows.pop_back();
    }
    while (m_rows.size() < rows) {
        const int cut = static_cast<int>(m_rows.size());
        const QString name = tr("Stage %1 → %2").arg(cut + 1).arg(cut + 2);
        Row row{makeLabel(name, ""),
                makeLevels(QStringLiteral("planCut%1Forward").arg(cut + 1), tr("%1, activations").arg(name)),
                makeLevels(QStringLiteral("planCut%1Backward").arg(cut + 1), tr("%1, gradients").arg(name)),
                makeLabel({}, "small")};
        row.what->setObjectName(QStringLiteral("planCut%1Text").arg(cut + 1));
        row.what->setWordWrap(true);
        row.forward->setToolTip(tr("How activations are sent"));
        row.backward->setToolTip(tr("How their gradients are sent back"));
        for (QComboBox *box : {row.forward, row.backward})
            connect(box, &QComboBox::activated, this, [this, cut] { chosen(cut); });
        m_grid->addWidget(row.name, cut + 1, 0);
        m_grid->addWidget(row.forward, cut + 1, 1);
        m_grid->addWidget(row.backward, cut + 1, 2);
        m_grid->addWidget(row.what, cut + 1, 3);
        m_rows.push_back(row);
    }
    m_allRow->setVisible(cuts > 1);
    m_more->setVisible(cuts > mostRows);
    m_more->setText(tr("%n more cut(s) are in the picture of the layers.", nullptr, std::max(0, cuts - mostRows)));
}

void PlanCuts::refresh() {
    const int cuts = static_cast<int>(m_draft.plan().stages.size()) - 1;
    const bool shown = m_draft.isEditable() && cuts > 0 && m_all->count() > 1;
    setVisible(shown);
    if (!shown)
        return;
    build(cuts);
    for (int cut = 0; cut < static_cast<int>(m_rows.size()); ++cut)
        refreshRow(cut);
    const CutCodec &first = m_draft.plan().stages.front().codec;
    const bool alike = first.forward == first.backward &&
                       std::all_of(m_draft.plan().stages.begin(), m_draft.plan().stages.end() - 1,
                                   [&first](const PlanStage &stage) { return stage.codec == first; });
    if (alike)
        setLevel(m_all, *first.forward);
    else
        m_all->setCurrentIndex(-1);
    refreshOffer();
}

void PlanCuts::refreshRow(int cut) {
    const Row &row = m_rows[at(cut)];
    const CutCodec &codec = m_draft.plan().stages[at(cut)].codec;
    setLevel(row.forward, *codec.forward);
    setLevel(row.backward, *codec.backward);
    // With the simulator's numbers: a drag shall not wait for what lies far below it.
    if (m_draft.isSimulated())
        row.what->setText(describe(cut));
}

QString PlanCuts::describe(int cut) const {
    const Plan &plan = m_draft.plan();
    const PlanStage &stage = plan.stages[at(cut)];
    const QString raw = formatBytes(m_draft.bytesAcross(cut, {}));
    if (stage.codec == CutCodec())
        return tr("%1 a round, exact").arg(raw);
    QStringList parts{tr("%1 a round instead of %2").arg(formatBytes(m_draft.bytesAcross(cut, stage.codec)), raw)};
    const std::optional<double> without = m_draft.roundSecondsWith(cut, {});
    if (without && plan.prediction) {
        const double saved = *without - plan.prediction->roundSeconds;
        parts << (std::abs(saved) <= sameShare * *without ? tr("the round takes as long")
                  : saved > 0                             ? tr("saves %1 of each round").arg(formatSeconds(saved))
                                                          : tr("costs %1 of each round").arg(formatSeconds(-saved)));
    }
    QStringList costs;
    for (const Codec *codec : {stage.codec.forward, stage.codec.backward}) {
        const QString cost = codec == &noCodec() ? QString() : codecCostText(*codec);
        if (!cost.isEmpty() && !costs.contains(cost))
            costs << cost;
    }
    return (parts + costs).join(QStringLiteral("; "));
}

void PlanCuts::chosen(int cut) {
    const Row &row = m_rows[at(cut)];
    const CutCodec codec{levelOf(row.forward), levelOf(row.backward)};
    m_draft.commit(
        tr("Compression behind stage %1").arg(cut + 1),
        [cut, codec](const PlanEditor &editor, const Plan &plan) { return editor.setCodec(plan, cut, codec); });
    refresh();
}

void PlanCuts::chosenForAll() {
    const CutCodec codec{levelOf(m_all), levelOf(m_all)};
    m_draft.commit(tr("Compression of all cuts"), [codec](const PlanEditor &editor, const Plan &plan) {
        auto edited = editor.setCodec(plan, 0, codec);
        for (int cut = 1; edited && cut + 1 < static_cast<int>(plan.stages.size()); ++cut)
            edited = editor.setCodec(edited->plan, cut, codec);
        return edited;
    });
    refresh();
}

void PlanCuts::compress() {
    if (!m_draft.isEditable())
        return;
    PlanningProblem problem = m_draft.problem();
    problem.levels = levelsOf(CodecChoice::Auto);
    const auto search = [](const PlanningProblem &asked, const BackgroundPlan::Cancelled &cancelled) {
        PlannerOptions options;
        options.abandoned = cancelled;
        options.secondsLimit = longestCutSearch;
        return makePlan(defaultPlanner(), asked, options);
    };
    m_search.start(std::move(problem), search, [this](const Result<Plan> &found) {
        if (found)
            m_draft.replace(tr("Compress cuts"), *found);
        else
            m_draft.refuse(found.error());
        refreshOffer();
    });
}

void PlanCuts::cancelSearch() {
    m_search.cancel();
    refreshOffer();
}

void PlanCuts::refreshOffer() {
    const std::optional<Plan> &own = m_run.plan();
    const bool offers = own && own->prediction && own->prediction->codecGain && !isLossy(m_draft.plan());
    m_offer->setVisible(offers);
    m_compress->setVisible(offers || m_search.isRunning());
    if (offers)
        m_offer->setText(codecOfferText(*own->prediction->codecGain) + QLatin1Char(' ') +
                         tr("Plan with it here, or allow it in the job."));
}

}  // namespace hearth
