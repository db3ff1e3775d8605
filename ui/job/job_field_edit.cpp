#include "ui/job/job_field_edit.h"

#include <QLineEdit>
#include <QStyle>
#include <utility>

#include "ui/base/widgets.h"

namespace hearth {

JobFieldEdit::JobFieldEdit(JobDraft &draft, JobField field, const QString &objectName, const QString &caption,
                           const QString &hint, QWidget *parent)
    : QWidget(parent),
      m_draft(draft),
      m_field(field),
      m_captionText(caption),
      m_hint(hint),
      m_caption(makeLabel(caption, "small")),
      m_edit(new QLineEdit),
      m_reason(makeLabel(hint, "small")) {
    m_edit->setObjectName(objectName);
    m_caption->setBuddy(m_edit);
    m_reason->setObjectName(objectName + QStringLiteral("Reason"));
    m_reason->setWordWrap(true);
    // Room for a reason is kept, so that the next field stays where it is when it comes.
    m_reason->setMinimumHeight(QFontMetrics(smallFont()).lineSpacing());
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid / 2);
    layout->addWidget(m_caption);
    layout->addWidget(m_edit);
    layout->addWidget(m_reason);
    connect(m_edit, &QLineEdit::textChanged, &draft,
            [&draft, field](const QString &text) { draft.setText(field, text); });
    connect(&draft, &JobDraft::changed, this, &JobFieldEdit::refresh);
    refresh();
}

void JobFieldEdit::setHint(const QString &hint) {
    if (std::exchange(m_hint, hint) != hint)
        refresh();
}

void JobFieldEdit::refresh() {
    // Before it is in a layout, showing it would open a window.
    if (!m_draft.isUsed(m_field))
        hide();
    else if (parentWidget() != nullptr)
        show();
    // What is being typed is the draft's own text; only another job puts a new one.
    if (m_edit->text() != m_draft.text(m_field))
        m_edit->setText(m_draft.text(m_field));
    const QString reason = m_draft.isUsed(m_field) ? m_draft.reason(m_field) : QString();
    const bool wrong = !reason.isEmpty();
    m_reason->setText(wrong ? reason : m_hint);
    const bool changed = m_draft.isChanged(m_field);
    m_caption->setText(changed ? tr("%1 · changed").arg(m_captionText) : m_captionText);
    m_edit->setAccessibleName(m_captionText);
    m_edit->setAccessibleDescription(wrong ? reason : changed ? tr("changed") : QString());
    if (m_edit->property("wrong").toBool() == wrong)
        return;
    m_edit->setProperty("wrong", wrong);
    m_edit->style()->unpolish(m_edit);
    m_edit->style()->polish(m_edit);
    setRole(m_reason, wrong ? "wrong" : "small");
}

}  // namespace hearth
