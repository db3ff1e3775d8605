#include "ui/job/job_card.h"

#include "ui/base/widgets.h"

namespace hearth {

JobCard::JobCard(const QString &heading, QWidget *parent) : QFrame(parent), m_body(new QVBoxLayout(this)) {
    setProperty("role", QStringLiteral("card"));
    m_body->setContentsMargins(2 * grid, 2 * grid, 2 * grid, 2 * grid);
    m_body->setSpacing(grid * 3 / 2);
    m_body->addWidget(makeLabel(heading, "strong"));
}

}  // namespace hearth
