#include "core/run/measuring_pace.h"

#include <algorithm>
#include <cmath>

namespace hearth {

std::vector<int> profiledBatches(const Job &job) {
    const int largest = job.microBatch.value_or(job.batch);
    std::vector<int> batches;
    for (int size = 1; size < largest; size *= 2)
        batches.push_back(size);
    batches.push_back(largest);
    return batches;
}

void MeasuringPace::begin(const event::Run &run) {
    *this = {};
    m_started = QDateTime::fromString(run.started, Qt::ISODate);
    if (const auto job = Job::validFromJson(run.job))
        m_batches = profiledBatches(*job);
}

void MeasuringPace::take(double t, const event::Profile &profile) {
    if (profile.total <= 0)
        return;
    Device &device = m_devices[profile.id];
    device.isDone = profile.done >= profile.total;
    const auto sizes = static_cast<qint64>(m_batches.size());
    const auto measured = static_cast<std::size_t>(std::max<qint64>(0, profile.done * sizes / profile.total));
    while (device.ends.size() <= std::min(measured, m_batches.size()))
        device.ends.push_back(t);
}

std::optional<double> MeasuringPace::endOf(const Device &device) const {
    const std::vector<double> &ends = device.ends;
    if (ends.size() < 3)
        return std::nullopt;
    const std::size_t measured = ends.size() - 1;
    const double last = ends[measured] - ends[measured - 1], before = ends[measured - 1] - ends[measured - 2];
    if (last <= 0 || before <= 0)
        return std::nullopt;
    const auto size = [this](std::size_t index) { return static_cast<double>(m_batches[index]); };
    // Between no growth (small batches cost what a pass costs at least) and growth with the samples.
    const double growth =
        std::clamp(std::log(last / before) / std::log(size(measured - 1) / size(measured - 2)), 0.0, 1.0);
    double end = ends.back();
    for (std::size_t next = measured; next < m_batches.size(); ++next)
        end += last * std::pow(size(next) / size(measured - 1), growth);
    return end;
}

std::optional<QDateTime> MeasuringPace::end() const {
    std::optional<double> latest;
    for (const Device &device : m_devices) {
        if (device.isDone)
            continue;
        const auto end = endOf(device);
        if (!end)
            return std::nullopt;
        latest = std::max(latest.value_or(*end), *end);
    }
    if (!latest || !m_started.isValid())
        return std::nullopt;
    return m_started.addMSecs(std::llround(*latest * 1000));
}

}  // namespace hearth
