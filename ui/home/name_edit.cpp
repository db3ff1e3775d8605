#include "ui/home/name_edit.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/home/device_name.h"
#include "core/home/plain_name.h"
#include "ui/base/widgets.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

NameEdit::NameEdit(QWidget *parent)
    : QWidget(parent),
      m_label(makeLabel({}, "strong")),
      m_field(new QLineEdit),
      m_wrong(makeLabel({}, "wrong")),
      m_pencil(makeButton(QStringLiteral("renameDevice"), {}, "link")) {
    setObjectName(QStringLiteral("nameEdit"));
    m_label->setObjectName(QStringLiteral("detailName"));
    m_label->setWordWrap(true);
    m_field->setObjectName(QStringLiteral("detailNameField"));
    m_field->setAccessibleName(tr("Name of the device"));
    m_field->setMaxLength(static_cast<int>(maximumDeviceName));
    m_field->installEventFilter(this);
    m_wrong->setObjectName(QStringLiteral("detailNameWrong"));
    m_wrong->setWordWrap(true);
    m_pencil->setAccessibleName(tr("Rename (F2)"));
    setThemedIcon(m_pencil, QStringLiteral("pencil"), &Theme::secondary);

    auto *row = new QHBoxLayout;
    row->setSpacing(grid / 2);
    row->addWidget(m_label, 1);
    row->addWidget(m_field, 1);
    row->addWidget(m_pencil);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid / 2);
    layout->addLayout(row);
    layout->addWidget(m_wrong);
    connect(m_pencil, &QPushButton::clicked, this, &NameEdit::edit);
    connect(m_field, &QLineEdit::returnPressed, this, &NameEdit::take);
    connect(m_field, &QLineEdit::textEdited, m_wrong, &QWidget::hide);
    setHint({});
    showField(false);
}

void NameEdit::setName(const QString &name) {
    m_name = name;
    m_label->setText(breakable(name));
}

void NameEdit::setEditable(bool editable) {
    m_isEditable = editable;
    if (!editable)
        giveUp();
    else
        m_pencil->setVisible(!isEditing());
}

void NameEdit::setHint(const QString &hint) {
    m_pencil->setToolTip(hint.isEmpty() ? tr("Rename (F2)") : tr("Rename (F2). %1").arg(hint));
}

bool NameEdit::isEditing() const {
    return m_field->isVisibleTo(this);
}

void NameEdit::edit() {
    if (!m_isEditable)
        return;
    m_field->setText(m_name);
    showField(true);
    m_field->setFocus();
    m_field->selectAll();
}

void NameEdit::giveUp() {
    const bool hadFocus = m_field->hasFocus();
    showField(false);
    if (hadFocus && m_isEditable)
        m_pencil->setFocus();
}

void NameEdit::take() {
    const QString name = m_field->text().trimmed();
    const QString wrong = whatIsWrong(name);
    m_wrong->setText(wrong);
    m_wrong->setVisible(!wrong.isEmpty());
    if (!wrong.isEmpty())
        return;
    giveUp();
    if (name != m_name)
        Q_EMIT renamed(name);
}

QString NameEdit::whatIsWrong(const QString &name) const {
    if (const auto given = givenDeviceName(name); !given)
        return errorText(given.error());
    for (const QString &other : m_taken) {
        if (QString::compare(other, name, Qt::CaseInsensitive) == 0)
            return tr("Another device has this name already.");
    }
    return {};
}

void NameEdit::showField(bool visible) {
    m_field->setVisible(visible);
    m_label->setVisible(!visible);
    m_pencil->setVisible(!visible && m_isEditable);
    m_wrong->hide();
}

bool NameEdit::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_field && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        giveUp();
        return true;
    }
    // A window that is only behind another one gives nothing up.
    if (watched == m_field && event->type() == QEvent::FocusOut) {
        const auto reason = static_cast<QFocusEvent *>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason && isEditing())
            QMetaObject::invokeMethod(this, &NameEdit::giveUp, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace hearth
