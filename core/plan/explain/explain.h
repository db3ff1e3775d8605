// What limits a plan, and what would help most, in words.
#pragma once

#include <QStringList>

#include "core/plan/explain/what_if.h"

namespace hearth {

/// English sentences about a plan that was judged (it has a prediction) and is valid for the model's problem: first
/// what limits it, who waits and where memory ends, then changes by what they would give, then who is needed least. The
/// same plan gives the same sentences.
QStringList explain(const CostModel &model, const Plan &plan, const WhatIfOptions &options = {});

}  // namespace hearth
