#include "ui/base/notice_bar.h"

#include "ui/base/widgets.h"

namespace hearth {

NoticeBar::NoticeBar(const QString &objectName, const QString &button, QWidget *parent)
    : QFrame(parent),
      m_text(makeLabel({}, "")),
      m_answer(makeButton(objectName + QStringLiteral("Button"), button, "")) {
    setObjectName(objectName);
    setProperty("role", QStringLiteral("notice"));
    m_text->setObjectName(objectName + QStringLiteral("Text"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    connect(m_answer, &QPushButton::clicked, this, [this] {
        hide();
        Q_EMIT answered();
    });
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    layout->setSpacing(2 * grid);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_answer);
    hide();
}

void NoticeBar::addClose(const QString &button) {
    QPushButton *closeButton = makeButton(objectName() + QStringLiteral("Close"), button, "");
    connect(closeButton, &QPushButton::clicked, this, [this] {
        hide();
        Q_EMIT closed();
    });
    layout()->addWidget(closeButton);
}

void NoticeBar::offerAnswer(bool isOffered, const QString &whyNot) {
    m_answer->setVisible(isOffered);
    m_answer->setEnabled(whyNot.isEmpty());
    m_answer->setToolTip(whyNot);
}

void NoticeBar::say(const QString &text) {
    m_text->setText(text);
    setAccessibleName(text);
    show();
}

QString NoticeBar::text() const {
    return isHidden() ? QString() : m_text->text();
}

}  // namespace hearth
