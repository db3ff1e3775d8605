#include "ui/run/whole_job_lines.h"

#include <QGridLayout>

#include "ui/base/widgets.h"
#include "ui/words/core_words.h"

namespace hearth {

WholeJobLines::WholeJobLines(const QString &name, QWidget *parent)
    : QWidget(parent), m_length(makeLabel({}, "small")), m_instead(makeLabel({}, "small")), m_rows(new QWidget) {
    setObjectName(name);
    setAccessibleName(tr("Whole job"));
    setToolTip(tr("Without measuring before the first round, copies for recovery, and losses of devices"));
    m_length->setObjectName(name + QStringLiteral("Length"));
    m_length->setWordWrap(true);
    m_instead->setObjectName(name + QStringLiteral("Instead"));
    m_instead->setWordWrap(true);
    m_instead->hide();
    QSizePolicy policy = m_rows->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_rows->setSizePolicy(policy);

    auto *head = new QHBoxLayout;
    head->setSpacing(grid);
    head->addWidget(makeLabel(tr("Whole job"), "strong"));
    head->addWidget(m_length, 1);
    auto *rows = new QGridLayout(m_rows);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setHorizontalSpacing(2 * grid);
    rows->setVerticalSpacing(grid / 2);
    rows->setColumnStretch(1, 1);
    const auto lines = linesOf({}, {});
    for (std::size_t i = 0; i < lines.size(); ++i) {
        auto *caption = makeLabel(coreText(lines[i].caption), "small");
        m_texts[i] = makeLabel({}, "");
        m_texts[i]->setObjectName(name + QLatin1Char('-') + QLatin1String(lines[i].name));
        m_texts[i]->setWordWrap(true);
        for (QLabel *label : {caption, m_texts[i]})
            label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        rows->addWidget(caption, static_cast<int>(i), 0);
        rows->addWidget(m_texts[i], static_cast<int>(i), 1);
    }
    auto *place = new QGridLayout;
    place->addWidget(m_rows, 0, 0);
    place->addWidget(m_instead, 0, 0, Qt::AlignTop);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid / 2);
    layout->addLayout(head);
    layout->addLayout(place);
}

void WholeJobLines::tell(const PlannedJob &planned, const QString &instead) {
    const JobLength &length = planned.whole.length;
    const QString words = coreText(lengthText(length));
    m_length->setText(length.isKnown() ? words : QString());
    const auto lines = linesOf(planned.whole, planned.nameOfFullest);
    for (std::size_t i = 0; i < lines.size(); ++i)
        m_texts[i]->setText(lines[i].text.isEmpty() ? QStringLiteral("–") : coreText(lines[i].text));
    if (!length.isKnown())
        m_texts.front()->setText(words);
    m_instead->setText(instead);
    m_instead->setVisible(!instead.isEmpty());
    m_rows->setVisible(instead.isEmpty());
    // Of what is hidden nobody hears that it needs other room.
    m_rows->updateGeometry();
}

}  // namespace hearth
