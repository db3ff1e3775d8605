#include "ui/base/page.h"

#include <QVBoxLayout>

#include "ui/base/float_stack.h"
#include "ui/base/widgets.h"

namespace hearth {

Page::Page(const QString &objectName, const QString &title, QWidget *parent)
    : QWidget(parent),
      m_title(makeLabel(title, "title")),
      m_subtitle(new ElidedLabel),
      m_actions(new QHBoxLayout),
      m_body(new QStackedWidget) {
    setObjectName(objectName);
    setAccessibleName(title);
    m_subtitle->setObjectName(objectName + QStringLiteral("Subtitle"));
    m_subtitle->setProperty("role", QStringLiteral("secondary"));

    auto *texts = new QVBoxLayout;
    texts->setSpacing(0);
    texts->addWidget(m_title);
    texts->addWidget(m_subtitle);
    m_actions->setSpacing(grid);

    auto *header = new QHBoxLayout;
    header->setSpacing(2 * grid);
    header->addLayout(texts, 1);
    header->addLayout(m_actions);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * grid, 2 * grid, 3 * grid, 2 * grid);
    layout->setSpacing(2 * grid);
    layout->addLayout(header);
    layout->addWidget(m_body, 1);
}

void Page::setSubtitle(const QString &text) {
    m_subtitle->setFullText(text);
}

QString Page::subtitle() const {
    return m_subtitle->fullText();
}

QPushButton *Page::makePrimary(const QString &objectName, const QString &text) {
    QPushButton *button = makeButton(objectName, text, "primary");
    m_actions->addWidget(button);
    return button;
}

void Page::addAction(QWidget *widget) {
    // The primary action, where there is one already, stays rightmost.
    const int count = m_actions->count();
    QWidget *last = count > 0 ? m_actions->itemAt(count - 1)->widget() : nullptr;
    const bool primary = last != nullptr && last->property("role").toString() == QLatin1String("primary");
    m_actions->insertWidget(primary ? count - 1 : count, widget);
}

void Page::setContent(QWidget *content) {
    m_content = content;
    m_body->addWidget(content);
}

void Page::addFloating(QWidget *panel) {
    if (m_floating == nullptr)
        m_floating = new FloatStack(m_body);
    m_floating->add(panel);
}

QPushButton *Page::setEmptyState(const QString &iconName, const QString &heading, const QString &text,
                                 const QString &link, int place) {
    m_empty = new QWidget;
    m_empty->setObjectName(objectName() + QStringLiteral("Empty"));
    QLabel *headingLabel = m_emptyHeading = makeLabel(heading, "title");
    headingLabel->setAlignment(Qt::AlignCenter);
    headingLabel->setWordWrap(true);
    QLabel *textLabel = m_emptyText = makeLabel(text, "secondary");
    textLabel->setAlignment(Qt::AlignCenter);
    textLabel->setWordWrap(true);
    textLabel->setFixedWidth(56 * grid);
    // Inside a row of its own the label gets the height that its lines need.
    auto *textRow = new QHBoxLayout;
    textRow->addStretch(1);
    textRow->addWidget(textLabel);
    textRow->addStretch(1);

    auto *layout = new QVBoxLayout(m_empty);
    layout->setSpacing(grid);
    layout->addStretch(2);
    layout->addWidget(new IconLabel(iconName, &Theme::accentText, 6 * grid), 0, Qt::AlignHCenter);
    layout->addWidget(headingLabel);
    layout->addLayout(textRow);
    QPushButton *button = nullptr;
    if (!link.isEmpty()) {
        button = makeButton(objectName() + QStringLiteral("EmptyLink"), link, "link");
        if (place >= 0)
            connect(button, &QPushButton::clicked, this, [this, place] { Q_EMIT placeWanted(place); });
        layout->addWidget(button, 0, Qt::AlignHCenter);
    }
    layout->addStretch(3);
    m_body->addWidget(m_empty);
    return button;
}

void Page::setEmptyText(const QString &heading, const QString &text) {
    m_emptyHeading->setText(heading);
    m_emptyText->setText(text);
}

void Page::showEmpty(bool empty) {
    m_body->setCurrentWidget(empty && m_empty != nullptr ? m_empty : m_content);
}

}  // namespace hearth
