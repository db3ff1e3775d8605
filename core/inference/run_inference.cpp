#include "core/inference/run_inference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/inference/answer_process.h"
#include "core/wire/channel.h"

namespace hearth {
namespace {

/// By input, its values of all samples.
QByteArray byInput(const std::vector<QByteArray> &samples, const std::vector<Slot> &inputs) {
    QByteArray joined;
    qint64 from = 0;
    for (const Slot &input : inputs) {
        for (const QByteArray &sample : samples)
            joined += QByteArrayView(sample).sliced(from, input.bytes());
        from += input.bytes();
    }
    return joined;
}

}  // namespace

std::vector<std::size_t> Answer::likeliest(std::size_t most) const {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    const std::size_t count = std::min(most, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), std::greater{},
                              [this](std::size_t output) { return values[output]; });
    order.resize(count);
    return order;
}

std::vector<std::size_t> Answer::told(const AskedRun &run, std::size_t classes, std::size_t most) const {
    if (run.isChoice())
        return likeliest(classes);
    std::vector<std::size_t> order(std::min(most, values.size()));
    std::iota(order.begin(), order.end(), 0U);
    return order;
}

int RunInference::piece(qint64 sampleBytes, qint64 outputs) {
    constexpr qint64 least = 16, most = 128, bytes = 64 << 10, number = sizeof(double);
    constexpr qint64 message = Channel::maximumControlBytes - 4096;  // the rest is for what stands around the bytes
    const qint64 wanted = std::clamp(bytes / std::max<qint64>(1, sampleBytes), least, most);
    const qint64 fitting =
        std::min(message / std::max<qint64>(1, sampleBytes), message / number / std::max<qint64>(1, outputs));
    return static_cast<int>(std::max<qint64>(1, std::min(wanted, fitting)));
}

RunInference::RunInference(AskedRun run, std::unique_ptr<AnswerSource> answers)
    : m_run(std::move(run)),
      m_answers(answers ? std::move(answers) : std::make_unique<AnswerProcess>(m_run.folder, m_run.weights)) {
    connect(m_answers.get(), &AnswerSource::prepares, this, [this](const QString &state) {
        if (m_isAsked)
            Q_EMIT prepares(state);
    });
    connect(m_answers.get(), &AnswerSource::failed, this, &RunInference::failed);
}

RunInference::~RunInference() = default;

void RunInference::ask(std::shared_ptr<SampleSource> source) {
    m_waiting.push_back(std::move(source));
    readNext();
}

bool RunInference::isBusy() const {
    return !isOver() && (m_isAsked || m_ready || isReading() || !m_waiting.empty());
}

void RunInference::stop() {
    const bool wasBusy = isBusy();
    m_waiting.clear();
    m_ready.reset();
    m_isAsked = false;
    ++m_stops;
    if (isReading())
        m_reading->giveUp();
    else if (wasBusy)
        Q_EMIT finished();
}

/// One piece ahead of what is being answered.
void RunInference::readNext() {
    if (isOver() || m_ready || isReading() || m_waiting.empty())
        return;
    m_reading = std::make_unique<BackgroundTask>();
    const auto cancelled = m_reading->cancelled();
    m_reading->start<Read>(
        this,
        [source = m_waiting.front(), inputs = m_run.data.samples, outputs = m_run.outputs,
         cancelled]() -> Result<Read> { return read(*source, inputs, outputs, *cancelled); },
        [this, cancelled](const Read &read) {
            if (*cancelled) {
                // By stop(). What waits was asked after it.
                if (m_waiting.empty())
                    Q_EMIT finished();
                else
                    readNext();
                return;
            }
            if (read.wrong)
                m_waiting.clear();
            else if (read.isLast)
                m_waiting.pop_front();
            m_ready = read;
            askNext();
        },
        [](const Error &) {});
}

RunInference::Read RunInference::read(SampleSource &source, const std::vector<Slot> &inputs, qint64 outputs,
                                      const std::atomic<bool> &cancelled) {
    Read read;
    std::vector<QByteArray> samples;
    qint64 sampleBytes = 0;
    for (const Slot &input : inputs)
        sampleBytes += input.bytes();
    for (int left = piece(sampleBytes, outputs); left > 0; --left) {
        if (cancelled)
            break;
        auto sample = source.next();
        if (!sample || !*sample) {
            read.isLast = true;
            if (!sample)
                read.wrong = sample.error();
            break;
        }
        if (!(*sample)->asked.broken)
            samples.push_back(std::move((*sample)->bytes));
        read.answers.push_back({std::move((*sample)->asked), {}});
    }
    read.samples = byInput(samples, inputs);
    return read;
}

void RunInference::askNext() {
    if (isOver() || m_isAsked || !m_ready)
        return;
    m_isAsked = true;
    Read asked = std::move(*m_ready);
    m_ready.reset();
    readNext();
    if (asked.samples.isEmpty())
        return take(std::move(asked), {});
    const QByteArray samples = std::exchange(asked.samples, {});
    m_answers->ask(samples, {}, [this, asked, stops = m_stops](std::vector<double> values) {
        if (stops == m_stops)
            take(asked, std::move(values));
    });
}

void RunInference::take(Read read, std::vector<double> values) {
    m_isAsked = false;
    const auto used = std::ranges::count_if(read.answers, [](const Answer &answer) { return !answer.broken; });
    const std::size_t outputs = used > 0 ? values.size() / static_cast<std::size_t>(used) : 0;
    std::span<const double> rest(values);
    for (Answer &answer : read.answers) {
        if (!answer.broken && outputs > 0) {
            answer.values = m_run.toAnswer(rest.first(outputs));
            // None of them would be the likeliest, and the first one would be told.
            if (!std::ranges::all_of(answer.values, [](double value) { return std::isfinite(value); })) {
                answer.values.clear();
                answer.broken = sentence(
                    "The network's answer is no number: its training diverged. Train it again with a lower learning rate.");
            }
            rest = rest.subspan(outputs);
        }
        Q_EMIT answered(answer);
    }
    if (read.wrong)
        Q_EMIT failed(*read.wrong);
    else if (m_waiting.empty() && !m_ready && !m_reading->isRunning())
        Q_EMIT finished();
    readNext();
    askNext();
}

}  // namespace hearth
