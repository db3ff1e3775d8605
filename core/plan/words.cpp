#include "core/plan/words.h"

#include "core/plan/problem.h"

namespace hearth {

Sentence layerText(const PlanningProblem &problem, int layer) {
    const QString &name = problem.layers[static_cast<std::size_t>(layer)].name;
    return name.isEmpty() ? sentence("layer %1").arg(layer) : Sentence(name);
}

}  // namespace hearth
