#include "core/profile/cost_source.h"

#include <algorithm>

namespace hearth {
namespace {

double interpolate(const std::vector<int> &batch, const std::vector<double> &seconds, int samples) {
    const double at = samples;
    const std::size_t count = batch.size();
    if (count == 1)
        return seconds[0] * at / batch[0];
    const auto upper = std::lower_bound(batch.begin(), batch.end(), samples);
    std::size_t high = static_cast<std::size_t>(upper - batch.begin());
    if (high == 0) {
        // Below the grid the first slope, but never less than in proportion: a smaller batch is not more efficient.
        const double slope = (seconds[1] - seconds[0]) / (batch[1] - batch[0]);
        const double line = seconds[0] - slope * (batch[0] - at);
        return std::clamp(line, seconds[0] * at / batch[0], seconds[0]);
    }
    high = std::min(high, count - 1);
    const double slope = (seconds[high] - seconds[high - 1]) / (batch[high] - batch[high - 1]);
    return seconds[high - 1] + slope * (at - batch[high - 1]);
}

void makeMonotone(std::vector<std::vector<double>> &rows) {
    for (auto &row : rows) {
        for (std::size_t i = 1; i < row.size(); ++i)
            row[i] = std::max(row[i], row[i - 1]);
    }
}

}  // namespace

MeasuredCosts::MeasuredCosts(std::vector<TimeTable> tables) : m_tables(std::move(tables)) {
    for (TimeTable &table : m_tables) {
        for (std::size_t l = 0; l < table.weights.size(); ++l) {
            for (std::size_t i = 0; i < table.weights[l].size(); ++i)
                table.backward[l][i] -= table.weights[l][i];
        }
        for (auto *rows : {&table.forward, &table.backward, &table.weights})
            makeMonotone(*rows);
    }
}

bool MeasuredCosts::same(int device, int other) const {
    return m_tables[static_cast<std::size_t>(device)] == m_tables[static_cast<std::size_t>(other)];
}

LayerSeconds MeasuredCosts::seconds(int device, int layer, int samples) const {
    if (samples <= 0)
        return {};
    const TimeTable &table = m_tables[static_cast<std::size_t>(device)];
    const auto row = static_cast<std::size_t>(layer);
    const double weights = table.weights.empty() ? 0 : interpolate(table.batch, table.weights[row], samples);
    return {interpolate(table.batch, table.forward[row], samples),
            interpolate(table.batch, table.backward[row], samples) + weights, weights};
}

double MeasuredCosts::relativeError(int device, int layer, int samples) const {
    const TimeTable &table = m_tables[static_cast<std::size_t>(device)];
    if (!table.isPredicted() || samples <= 0)
        return 0;
    const std::vector<double> &row = table.error[static_cast<std::size_t>(layer)];
    const auto upper = std::lower_bound(table.batch.begin(), table.batch.end(), samples);
    const auto high = std::min(static_cast<std::size_t>(upper - table.batch.begin()), row.size() - 1);
    return high > 0 && table.batch[high] != samples ? std::max(row[high - 1], row[high]) : row[high];
}

}  // namespace hearth
