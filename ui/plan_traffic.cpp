#include "ui/plan_traffic.h"

#include <QGridLayout>

#include "ui/format.h"
#include "ui/plan_draft.h"
#include "ui/widgets.h"

namespace hearth {

namespace {
constexpr int linksPerRow = 3;
}  // namespace

PlanTraffic::PlanTraffic(const PlanDraft &draft, QWidget *parent)
    : QFrame(parent), m_draft(draft), m_grid(new QGridLayout) {
    setObjectName(QStringLiteral("planTraffic"));
    setProperty("role", QStringLiteral("card"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid * 3 / 2, 2 * grid, grid * 3 / 2);
    layout->setSpacing(grid / 2);
    layout->addWidget(makeLabel(tr("Sent per round"), "strong"));
    m_grid->setHorizontalSpacing(grid);
    m_grid->setVerticalSpacing(4);
    layout->addLayout(m_grid);
    refresh();
}

void PlanTraffic::refresh() {
    const Plan &plan = m_draft.plan();
    QMap<QString, qint64> byName;
    if (plan.prediction) {
        const QMap<QString, qint64> &bytes = plan.prediction->roundBytes;
        for (auto it = bytes.cbegin(); it != bytes.cend(); ++it) {
            const qsizetype arrow = it.key().indexOf(QLatin1Char('>'));
            byName[tr("%1 → %2").arg(m_draft.nameOf(it.key().left(arrow)), m_draft.nameOf(it.key().mid(arrow + 1)))] +=
                it.value();
        }
    }
    setVisible(!byName.isEmpty());
    if (byName == m_shown)
        return;
    m_shown = byName;
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int at = 0;
    for (auto it = byName.cbegin(); it != byName.cend(); ++it, ++at) {
        const int column = at % linksPerRow * 3;
        m_grid->addWidget(makeLabel(it.key(), "small"), at / linksPerRow, column);
        m_grid->addWidget(makeLabel(formatBytes(it.value()), "small"), at / linksPerRow, column + 1, Qt::AlignRight);
        m_grid->setColumnStretch(column, 1);
        if (column + 3 < linksPerRow * 3)
            m_grid->setColumnMinimumWidth(column + 2, 2 * grid);
    }
}

}  // namespace hearth
