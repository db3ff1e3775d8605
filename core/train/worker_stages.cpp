#include "core/train/worker_stages.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

#include "core/plan/schedule.h"

namespace hearth {
namespace {

/// What both did; of waiting only the first stage tells, as all wait at the same time.
void join(RoundReport &all, const RoundReport &own) {
    all.loss += own.loss;
    all.computeSeconds += own.computeSeconds;
    all.sendSeconds += own.sendSeconds;
    all.allReduceSeconds += own.allReduceSeconds;
    all.optimizerSeconds += own.optimizerSeconds;
    all.memoryBytes = std::max(all.memoryBytes, own.memoryBytes);
    for (auto sent = own.sent.cbegin(); sent != own.sent.cend(); ++sent)
        all.sent[sent.key()] += sent.value();
    all.savedBytes += own.savedBytes;
    all.checks.insert(all.checks.end(), own.checks.begin(), own.checks.end());
    all.packing.insert(all.packing.end(), own.packing.begin(), own.packing.end());
    if (own.gradientNorm)
        all.gradientNorm = own.gradientNorm;
}

/// As many as a message may have; true where some were left out.
template <class Entry>
bool isCut(std::vector<Entry> &entries) {
    const bool isMore = entries.size() > RoundTrace::mostEntries / 2;
    if (isMore)
        entries.resize(RoundTrace::mostEntries / 2);
    return isMore;
}

bool join(QMap<QString, std::vector<TraceFrame>> &all, const QMap<QString, std::vector<TraceFrame>> &own) {
    bool cut = false;
    for (auto frames = own.cbegin(); frames != own.cend(); ++frames) {
        std::vector<TraceFrame> &list = all[frames.key()];
        list.insert(list.end(), frames->begin(), frames->end());
        std::ranges::stable_sort(list, {}, &TraceFrame::at);
        cut = isCut(list) || cut;
    }
    return cut;
}

/// A stage that waits twice in a row tells of one wait, though another one may have worked in between.
void addAround(std::vector<TraceSpan> &spans, TraceSpan wait, const std::vector<TraceSpan> &work) {
    for (const TraceSpan &span : work) {
        if (span.end <= wait.start || span.start >= wait.end)
            continue;
        if (span.start > wait.start)
            spans.push_back({wait.activity, wait.microBatch, wait.start, span.start});
        wait.start = std::min(span.end, wait.end);
    }
    if (wait.end > wait.start)
        spans.push_back(wait);
}

void join(RoundTrace &all, const RoundTrace &own) {
    std::vector<TraceSpan> work, spans;
    for (const TraceSpan &span : own.spans) {
        if (!isWait(span.activity))
            work.push_back(span);
    }
    for (const TraceSpan &span : all.spans) {
        if (isWait(span.activity))
            addAround(spans, span, work);
        else
            spans.push_back(span);
    }
    spans.insert(spans.end(), work.begin(), work.end());
    std::ranges::stable_sort(spans, {}, &TraceSpan::start);
    all.spans = std::move(spans);
    const bool cuts[] = {own.cut, isCut(all.spans), join(all.sent, own.sent), join(all.received, own.received)};
    all.cut = all.cut || std::ranges::any_of(cuts, std::identity());
}

/// Once all have told: what the first one told, with that of the others.
template <class Part>
std::optional<Part> joined(std::map<quint32, std::map<std::size_t, Part>> &rounds, quint32 round, std::size_t count) {
    std::map<std::size_t, Part> &parts = rounds[round];
    if (parts.size() < count)
        return std::nullopt;
    Part all = std::move(parts.begin()->second);
    for (auto other = std::next(parts.begin()); other != parts.end(); ++other)
        join(all, other->second);
    rounds.erase(rounds.begin(), rounds.upper_bound(round));
    return all;
}

}  // namespace

Result<std::unique_ptr<WorkerStages>> WorkerStages::make(const Deployment &deployment, const Model &model,
                                                         const QString &self, const StageOutputs &outputs) {
    std::unique_ptr<WorkerStages> all(new WorkerStages);
    all->m_outputs = outputs;
    all->m_stages = deployment.stagesOf(self);
    if (all->m_stages.empty())
        all->m_stages.push_back(-1);  // the executor says what is wrong
    for (std::size_t place = 0; place < all->m_stages.size(); ++place) {
        auto made = StageExecutor::make(deployment, model, self, all->m_stages[place], all->outputsOf(place));
        if (!made)
            return tl::unexpected(made.error());
        all->m_executors.push_back(std::move(*made));
    }
    return all;
}

/// Of one stage they are passed on as they are.
StageOutputs WorkerStages::outputsOf(std::size_t place) {
    StageOutputs own = m_outputs;
    if (m_stages.size() == 1)
        return own;
    own.roundDone = [this, place](const RoundReport &report) {
        m_reports[report.round][place] = report;
        if (const auto all = joined(m_reports, report.round, m_stages.size()))
            m_outputs.roundDone(*all);
    };
    if (m_outputs.roundTraced) {
        own.roundTraced = [this, place](RoundTrace trace) {
            const quint32 round = trace.round;
            m_traces[round][place] = std::move(trace);
            if (auto all = joined(m_traces, round, m_stages.size()))
                m_outputs.roundTraced(std::move(*all));
        };
    }
    return own;
}

StageExecutor *WorkerStages::withLayer(int layer) const {
    const auto found = std::ranges::find_if(
        m_executors, [layer](const auto &each) { return layer >= each->firstLayer() && layer < each->lastLayer(); });
    return found == m_executors.end() ? nullptr : found->get();
}

Result<void> WorkerStages::deliver(const QString &from, const TensorFrame &frame, qint64 arrived) {
    const int stage = frame.header.stage;
    StageExecutor *receiver = m_executors.front().get();  // also of what is for nobody: it says so
    if (frame.header.kind == TensorKind::Replica) {
        if (StageExecutor *owner = withLayer(stage))
            receiver = owner;
    } else if (const auto place = std::ranges::find(m_stages, stage); place != m_stages.end()) {
        receiver = m_executors[static_cast<std::size_t>(place - m_stages.begin())].get();
    }
    return receiver->deliver(from, frame, arrived);
}

bool WorkerStages::weightsComplete() const {
    return std::ranges::all_of(m_executors, [](const auto &each) { return each->weightsComplete(); });
}

/// The first stage comes last: what it waits for is what the device waits for. A stage that is done with the round
/// waits for the others: what is kept of a version is kept of all stages.
Result<bool> WorkerStages::step() {
    if (m_executors.size() == 1)
        return m_executors.front()->step();
    for (const auto &executor : m_executors)
        executor->endWait();
    const quint64 done = version();
    for (int urgency = 0; urgency <= leastUrgent; ++urgency) {
        for (const auto &executor : std::views::reverse(m_executors)) {
            if (executor->version() > done)
                continue;
            auto worked = executor->step(urgency);
            if (!worked || *worked)
                return worked;
        }
    }
    return false;
}

Result<void> WorkerStages::beginEvaluation(const EvaluationOrder &order) {
    for (const auto &executor : m_executors) {
        if (auto begun = executor->beginEvaluation(order); !begun)
            return begun;
    }
    return {};
}

quint64 WorkerStages::version() const {
    return std::ranges::min(m_executors | std::views::transform([](const auto &each) { return each->version(); }));
}

/// What one refuses the coordinator has to end with a new plan, so that others have it already does no harm.
Result<void> WorkerStages::changeCodecs(const QJsonArray &changes) {
    for (const auto &executor : m_executors) {
        if (auto changed = executor->changeCodecs(changes); !changed)
            return changed;
    }
    return {};
}

void WorkerStages::sumExactly(quint64 version) {
    for (const auto &executor : m_executors)
        executor->sumExactly(version);
}

bool WorkerStages::owesGradients() const {
    return std::ranges::any_of(m_executors, [](const auto &each) { return each->owesGradients(); });
}

void WorkerStages::endTrace() {
    for (const auto &executor : m_executors)
        executor->endTrace();
}

bool WorkerStages::isIdle() const {
    return std::ranges::all_of(m_executors, [](const auto &each) { return each->isIdle(); });
}

void WorkerStages::observeGradients(
    const std::function<void(quint32 round, const std::vector<NamedTensor> &)> &observer) {
    for (const auto &executor : m_executors)
        executor->observeGradients(observer);
}

}  // namespace hearth
