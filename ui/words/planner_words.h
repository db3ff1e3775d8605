// What people call a planner.
#pragma once

#include <QString>

namespace hearth {

/// By its name in a plan, with where it was published: "Asteroid (MobiCom 2024)"; the name itself where nobody knows
/// it. Any thread.
QString plannerText(const QString &name);

}  // namespace hearth
