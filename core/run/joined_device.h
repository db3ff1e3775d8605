// What a run knows once a device that came to it, or came back, has been measured.
#pragma once

#include "core/plan/problem.h"

namespace hearth {

/// False: nobody has measured it yet, as one of the two was away when the other joined.
bool knowsLink(const PlanningProblem &problem, const QString &from, const QString &to);

/// Adds the device, where it is new, and those of its links that are, but none to whoever is still to be measured: they
/// come with its own. True: it is the last one of the problem now. `all` knows all who are here.
bool joinProblem(PlanningProblem &problem, const PlanningProblem &all, const QString &device);

}  // namespace hearth
