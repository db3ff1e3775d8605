// Which links of a plan might be made better.
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "core/plan/explain/changed_home.h"
#include "core/plan/plan.h"

namespace hearth {

/// How much of the home a change touches; less is better where it gives as much.
enum class Reach { Single, Stage, Device, Everywhere };

struct LinkQuestion {
    QString what;  // "A 1 Gbit/s link between a and b"
    Reach reach = Reach::Single;
    std::function<void(ChangedHome &)> apply;
};

/// For what a plan sends: each of the slowest pairs alone, all of a cut or of a group, all of a device, all there are;
/// at 1 Gbit/s, or ten times their rate where they have that. A bounded number, however many devices there are.
std::vector<LinkQuestion> linkQuestions(const CostModel &model, const Plan &plan);

}  // namespace hearth
