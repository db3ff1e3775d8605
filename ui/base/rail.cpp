#include "ui/base/rail.h"

#include <QButtonGroup>
#include <QKeySequence>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/widgets.h"

namespace hearth {

Rail::Rail(QWidget *parent) : QWidget(parent), m_group(new QButtonGroup(this)), m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("rail"));
    setAttribute(Qt::WA_StyledBackground);
    m_layout->setContentsMargins(grid, 2 * grid, grid, 2 * grid);
    m_layout->setSpacing(grid / 2);
    auto *flame = new IconLabel(QStringLiteral("flame"), &Theme::accentText, 4 * grid);
    flame->setToolTip(tr("Hearth"));
    m_layout->addWidget(flame, 0, Qt::AlignHCenter);
    m_layout->addSpacing(2 * grid);
    add(HomePlace, QStringLiteral("railHome"), QStringLiteral("home"), tr("Home"));
    add(JobPlace, QStringLiteral("railJob"), QStringLiteral("job"), tr("Job"));
    add(PlanPlace, QStringLiteral("railPlan"), QStringLiteral("plan"), tr("Plan"));
    add(TrainPlace, QStringLiteral("railTrain"), QStringLiteral("train"), tr("Train"));
    add(HistoryPlace, QStringLiteral("railHistory"), QStringLiteral("history"), tr("History"));
    m_layout->addStretch(1);
    connect(m_group, &QButtonGroup::idClicked, this, &Rail::placeChosen);
}

void Rail::setPlace(int place) {
    if (QAbstractButton *button = m_group->button(place)) {
        button->setChecked(true);
        return;
    }
    // An exclusive group would keep one.
    m_group->setExclusive(false);
    if (QAbstractButton *checked = m_group->checkedButton())
        checked->setChecked(false);
    m_group->setExclusive(true);
}

void Rail::setMenu(QMenu *menu) {
    QToolButton *button = makeRailButton(QStringLiteral("railMenu"), QStringLiteral("more"), tr("More"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(menu);
    m_layout->addWidget(button);
}

QToolButton *Rail::makeRailButton(const QString &objectName, const QString &iconName, const QString &text) {
    auto *button = new QToolButton;
    button->setObjectName(objectName);
    button->setText(text);
    button->setAccessibleName(text);
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIconSize({3 * grid, 3 * grid});
    // Clicks go to the page; a focus ring on the rail then always means the keyboard.
    button->setFocusPolicy(Qt::TabFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setMinimumWidth(9 * grid);
    setThemedIcon(button, iconName, &Theme::secondary, &Theme::accentText);
    return button;
}

void Rail::add(int place, const QString &objectName, const QString &iconName, const QString &text) {
    QToolButton *button = makeRailButton(objectName, iconName, text);
    button->setCheckable(true);
    const QKeySequence keys(QStringLiteral("Ctrl+%1").arg(place + 1));
    button->setToolTip(tr("%1 (%2)").arg(text, keys.toString(QKeySequence::NativeText)));
    auto *shortcut = new QShortcut(keys, this);
    shortcut->setContext(Qt::WindowShortcut);
    connect(shortcut, &QShortcut::activated, this, [this, place] { Q_EMIT placeChosen(place); });
    m_group->addButton(button, place);
    m_layout->addWidget(button);
}

}  // namespace hearth
