// How far off predictions are.
#pragma once

#include <vector>

#include "core/profile/cost_source.h"

namespace hearth::bench {

/// Of single units (a layer at a number of samples) and of stages of three layers that follow each other.
struct Errors {
    std::vector<double> units, stages;

    /// Units that were measured themselves do not count: `uncertain` is 0 there.
    void count(const TimeTable &predicted, const TimeTable &real,
               const std::vector<std::vector<double>> &uncertain = {});
    /// A row of the table that printHeading() begins.
    void print(const char *name) const;
};
void printHeading();

/// How far off predictions say that all layers together may be at the largest batch size, and how many are within that.
struct Told {
    std::vector<double> errors;
    std::ptrdiff_t within = 0;

    void count(const TimeTable &predicted, const TimeTable &real);
    void print(const char *name) const;
};

/// In per cent: that part of the values is not larger.
double quantile(std::vector<double> values, double part);

}  // namespace hearth::bench
