#include "ui/plan/plan_what_if.h"

#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/plan/explain/changed_home.h"
#include "core/plan/planner.h"
#include "core/plan/replay/survivors.h"
#include "ui/base/widgets.h"
#include "ui/plan/plan_draft.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr double longestQuestion = 5;
constexpr double gigabit = 125e6;  // bytes per second
constexpr std::size_t mostLinks = 12;
// Rounds that differ by less take the same time.
constexpr double sameShare = 0.005;

/// A gigabit, or ten times as much where that is there already.
double better(double bytesPerSecond) {
    return bytesPerSecond < 0.9 * gigabit ? gigabit : 10 * bytesPerSecond;
}

QString rateText(double bytesPerSecond) {
    return PlanWhatIf::tr("%1 Gbit/s").arg(QLocale().toString(bytesPerSecond / gigabit, 'g', 3));
}

/// Infinite where nothing is predicted.
double roundSecondsOf(const Plan &plan) {
    return plan.prediction ? plan.prediction->roundSeconds : std::numeric_limits<double>::infinity();
}

}  // namespace

PlanWhatIf::PlanWhatIf(PlanDraft &draft, QWidget *parent)
    : QFrame(parent),
      m_draft(draft),
      m_ask(makeButton(QStringLiteral("planAsk"), tr("Ask …"), "")),
      m_menu(new QMenu(this)),
      m_answer(makeLabel({}, "secondary")),
      m_search(m_ask) {
    setObjectName(QStringLiteral("planWhatIf"));
    setProperty("role", QStringLiteral("card"));
    m_ask->setAccessibleName(tr("Ask what if"));
    m_menu->setObjectName(QStringLiteral("planQuestions"));
    m_answer->setObjectName(QStringLiteral("planAnswer"));
    m_answer->setWordWrap(true);
    auto *texts = new QVBoxLayout;
    texts->setSpacing(grid / 2);
    texts->addWidget(makeLabel(tr("What if …?"), "strong"));
    texts->addWidget(m_answer);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    layout->setSpacing(grid);
    layout->addLayout(texts, 1);
    layout->addWidget(m_ask);
    connect(&m_search, &SearchButton::wanted, this, [this] {
        fillMenu();
        m_menu->popup(m_ask->mapToGlobal(QPoint(0, m_ask->height())));
    });
    connect(&m_search, &SearchButton::cancelled, this, &PlanWhatIf::forget);
    forget();
}

void PlanWhatIf::refresh() {
    setVisible(m_draft.isEditable());
    if (m_asked && !m_asked->isSame(m_draft.committed()))
        forget();
}

void PlanWhatIf::forget() {
    m_search.cancel();
    m_asked.reset();
    m_answer->setText(tr("See how the time of a round changes if a device leaves or a link gets faster."));
}

/// Those that send most come first.
std::vector<PlanWhatIf::Link> PlanWhatIf::links() const {
    const std::optional<Prediction> &prediction = m_draft.committed().prediction;
    std::vector<std::pair<qint64, Link>> found;
    if (!prediction)
        return {};
    const PlanningProblem &problem = m_draft.problem();
    const CostModel model(problem);
    for (auto it = prediction->roundBytes.cbegin(); it != prediction->roundBytes.cend(); ++it) {
        const qsizetype arrow = it.key().indexOf(QLatin1Char('>'));
        QString one = it.key().left(arrow), other = it.key().mid(arrow + 1);
        if (m_draft.nameOf(other) < m_draft.nameOf(one))
            std::swap(one, other);
        const int first = problem.indexOf(one), second = problem.indexOf(other);
        if (first < 0 || second < 0)
            continue;
        const auto known = std::ranges::find_if(found, [&](const std::pair<qint64, Link> &each) {
            return each.second.one == one && each.second.other == other;
        });
        if (known != found.end()) {
            known->first += it.value();
            continue;
        }
        const double rate =
            std::max(model.links().bytesPerSecond(first, second), model.links().bytesPerSecond(second, first));
        found.push_back({it.value(), {one, other, better(rate)}});
    }
    std::ranges::stable_sort(found, [](const auto &a, const auto &b) { return a.first > b.first; });
    found.resize(std::min(found.size(), mostLinks));
    std::vector<Link> sorted;
    for (const auto &[bytes, link] : found)
        sorted.push_back(link);
    return sorted;
}

void PlanWhatIf::fillMenu() {
    m_menu->clear();
    if (!m_draft.isEditable())
        return;
    QSet<QString> asked;
    for (const PlanStage &stage : m_draft.committed().stages) {
        for (const Share &share : stage.shares) {
            // Without the one that serves the data there is no run.
            if (share.device == m_draft.problem().dataDevice || asked.contains(share.device))
                continue;
            asked.insert(share.device);
            m_menu->addAction(withAmpersands(tr("What if %1 left?").arg(m_draft.nameOf(share.device))), this,
                              [this, device = share.device] { askWithout(device); });
        }
    }
    m_menu->addSeparator();
    for (const Link &link : links()) {
        const QString question =
            tr("What if %1 – %2 had %3?")
                .arg(m_draft.nameOf(link.one), m_draft.nameOf(link.other), rateText(link.bytesPerSecond));
        m_menu->addAction(withAmpersands(question), this, [this, link] { askLink(link); });
    }
}

void PlanWhatIf::ask(const QString &waiting, const BackgroundPlan::Search &search,
                     const std::function<QString(const Result<Plan> &)> &say) {
    m_asked = m_draft.committed();
    m_search.start(m_draft.problem(), search,
                   [this, say](const Result<Plan> &found) { m_answer->setText(say(found)); });
    m_answer->setText(waiting);
}

void PlanWhatIf::askWithout(const QString &device) {
    // Both by the planner: a plan that a person has changed says little about what the device is worth.
    const std::optional<Prediction> &shown = m_draft.committed().prediction;
    auto withIt = std::make_shared<double>(roundSecondsOf(m_draft.committed()));
    const auto search = [device, withIt, fits = shown && shown->fits](
                            const PlanningProblem &problem,
                            const BackgroundPlan::Cancelled &cancelled) -> Result<Plan> {
        PlannerOptions options;
        options.abandoned = cancelled;
        options.secondsLimit = longestQuestion;
        const PlanningProblem rest = problemWithout(problem, {device});
        if (const auto valid = rest.validate(); !valid)
            return tl::unexpected(valid.error());
        // A plan that could not run is no measure.
        if (const auto all = makePlan(defaultPlanner(), problem, options))
            *withIt = fits ? std::min(*withIt, roundSecondsOf(*all)) : roundSecondsOf(*all);
        return makePlan(defaultPlanner(), rest, options);
    };
    const QString name = m_draft.nameOf(device);
    ask(tr("Planning without %1 …").arg(name), search, [this, name, withIt](const Result<Plan> &found) {
        if (!found)
            return tr("Without %1 there is no plan. %2").arg(name, m_draft.withNames(errorText(found.error())));
        const double now = roundSecondsOf(*found);
        const QString share = formatPercent(std::abs(now - *withIt) / *withIt);
        const QStringList rounds = formatSeconds({now, *withIt});
        if (rounds[0] == rounds[1])
            return tr("Without %1 a round of the best known plan would still take %2.").arg(name, rounds[0]);
        if (now < *withIt)
            return tr("Without %1 a round of the best known plan would take %2 instead of %3: %4 less.")
                .arg(name, rounds[0], rounds[1], share);
        return tr("Without %1 a round of the best known plan would take %2 instead of %3: %4 more.")
            .arg(name, rounds[0], rounds[1], share);
    });
}

void PlanWhatIf::askLink(const Link &link) {
    const auto search = [link, plan = m_draft.committed()](const PlanningProblem &problem,
                                                           const BackgroundPlan::Cancelled &) -> Result<Plan> {
        const CostModel model(problem);
        ChangedHome home(model);
        home.raiseLink(problem.indexOf(link.one), problem.indexOf(link.other), link.bytesPerSecond);
        const CostModel changed(home.problem(), home);
        return evaluate(changed, plan).map([&plan](const Prediction &prediction) {
            Plan judged = plan;
            judged.prediction = prediction;
            return judged;
        });
    };
    const QString rate = rateText(link.bytesPerSecond);
    const QString one = m_draft.nameOf(link.one), other = m_draft.nameOf(link.other);
    ask(tr("Simulating …"), search, [this, rate, one, other](const Result<Plan> &found) {
        if (!found)
            return m_draft.withNames(errorText(found.error()));
        const double then = roundSecondsOf(*m_asked), now = roundSecondsOf(*found);
        if (then - now < sameShare * then)
            return tr("%1 between %2 and %3: a faster link would not help.").arg(rate, one, other);
        const QStringList rounds = formatSeconds({now, then});
        return tr("With %1 between %2 and %3 a round of this plan would take %4 instead of %5: %6 less.")
            .arg(rate, one, other, rounds[0], rounds[1], formatPercent((then - now) / then));
    });
}

}  // namespace hearth
