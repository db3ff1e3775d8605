#include "figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "core/predict/brief_profile.h"
#include "timings.h"

namespace hearth::bench {

double quantile(std::vector<double> values, double part) {
    if (values.empty())
        return std::nan("");
    std::sort(values.begin(), values.end());
    return 100 *
           values[std::min(values.size() - 1, static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

void Errors::count(const TimeTable &predicted, const TimeTable &real,
                   const std::vector<std::vector<double>> &uncertain) {
    for (std::size_t b = 0; b < real.batch.size(); ++b) {
        for (std::size_t l = 0; l < real.forward.size(); ++l) {
            if (uncertain.empty() || uncertain[l][b] > 0)
                units.push_back(std::abs(seconds(predicted, l, b) / seconds(real, l, b) - 1));
            if (l < 2)
                continue;
            double guess = 0, truth = 0;
            for (std::size_t i = l - 2; i <= l; ++i) {
                guess += seconds(predicted, i, b);
                truth += seconds(real, i, b);
            }
            stages.push_back(std::abs(guess / truth - 1));
        }
    }
}

void printHeading() {
    std::printf("%-44s %7s %7s %7s %7s\n", "", "unit", "p90", "stage", "mean");
}

void Errors::print(const char *name) const {
    const double mean =
        100 * std::accumulate(stages.begin(), stages.end(), 0.0) / static_cast<double>(std::max(stages.size(), 1UL));
    std::printf("%-44s %7.1f %7.1f %7.1f %7.1f\n", name, quantile(units, 0.5), quantile(units, 0.9),
                quantile(stages, 0.5), mean);
}

void Told::count(const TimeTable &predicted, const TimeTable &real) {
    const std::size_t last = predicted.batch.size() - 1;
    errors.push_back(predicted.relativeError(last));
    within += std::abs(predicted.seconds(last) / real.seconds(last) - 1) <= errors.back();
}

void Told::print(const char *name) const {
    const auto good = std::ranges::count_if(errors, [](double error) { return error <= BriefProfile::mostError; });
    std::printf("%s: ± %.0f %% of the sum is said (median), %td of %zu are within; %td are good enough to plan on\n",
                name, quantile(errors, 0.5), within, errors.size(), good);
}

}  // namespace hearth::bench
