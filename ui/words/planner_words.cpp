#include "ui/words/planner_words.h"

#include "core/plan/planner.h"
#include "ui/words/core_words.h"

namespace hearth {

QString plannerText(const QString &name) {
    const Result<const Planner *> planner = findPlanner(name);
    if (!planner)
        return name;
    const PlannerSource source = (*planner)->source();
    const QString title = coreText(source.title);
    return source.paper.isEmpty() ? title
                                  : QStringLiteral("%1 (%2 %3)").arg(title, source.paper, QString::number(source.year));
}

}  // namespace hearth
