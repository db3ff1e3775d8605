#include "ui/home/install_list.h"

#include <QTimer>

#include "ui/base/focus_ring.h"
#include "ui/base/widgets.h"
#include "ui/home/install_words.h"
#include "ui/words/core_words.h"

namespace hearth {

InstallList::InstallList(QWidget *parent) : QScrollArea(parent) {
    setObjectName(QStringLiteral("installList"));
    setAccessibleName(tr("Steps of the installation"));
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    new FocusRing(this);
    setStyleSheet(QStringLiteral("QScrollArea, QScrollArea > QWidget > QWidget { background: transparent }"));
    auto *body = new QWidget;
    m_rows = new QVBoxLayout(body);
    m_rows->setContentsMargins(0, 0, grid, 0);
    m_rows->setSpacing(grid / 2);
    m_rows->addStretch(1);
    setWidget(body);
}

void InstallList::clear() {
    for (const auto &[key, row] : m_byKey)
        delete row.widget;
    m_byKey.clear();
}

InstallList::Row &InstallList::row(const QString &key, const QString &title, int indent) {
    if (const auto at = m_byKey.find(key); at != m_byKey.end())
        return at->second;
    Row row;
    row.widget = new QWidget;
    row.widget->setObjectName(QStringLiteral("install-") + key);
    auto *lines = new QVBoxLayout(row.widget);
    lines->setContentsMargins(indent * 3 * grid, 0, 0, 0);
    lines->setSpacing(0);
    auto *head = new QHBoxLayout;
    head->setSpacing(grid);
    row.icon = new IconLabel(QStringLiteral("clock"), &Theme::secondary, 2 * grid);
    auto *name = makeLabel(title, indent == 0 ? "" : "secondary");
    name->setMinimumWidth((24 - 3 * indent) * grid);
    row.found = makeLabel({}, "secondary");
    row.found->setObjectName(QStringLiteral("found"));
    row.found->setWordWrap(true);
    head->addWidget(row.icon);
    head->addWidget(name);
    head->addWidget(row.found, 1);
    row.problem = makeLabel({}, "small");
    row.problem->setObjectName(QStringLiteral("problem"));
    row.problem->setWordWrap(true);
    row.problem->setContentsMargins(3 * grid, 0, 0, grid / 2);
    row.problem->hide();
    lines->addLayout(head);
    lines->addWidget(row.problem);
    m_rows->insertWidget(m_rows->count() - 1, row.widget);
    return m_byKey.emplace(key, row).first->second;
}

void InstallList::show(const InstallProgress &progress) {
    const auto look = [](Row &row, const char *icon, ThemeColour colour, const QString &meaning) {
        row.icon->setIcon(QString::fromLatin1(icon), colour);
        row.icon->setAccessibleName(meaning);
        row.icon->setToolTip(meaning);
    };
    if (progress.check) {
        const InstallCheck &check = *progress.check;
        Row &line = row(check.id, checkTitle(check), 1);
        line.found->setText(coreText(check.found));
        line.problem->setText(errorText(check.problem));
        line.problem->setVisible(check.state != CheckState::Ok);
        if (check.state == CheckState::Ok)
            look(line, "check", &Theme::good, tr("All is well"));
        else if (check.state == CheckState::Warning)
            look(line, "warning", &Theme::slow, tr("Note"));
        else
            look(line, "error", &Theme::bad, tr("Problem"));
    } else {
        // Steps and checks share words: "service" is one of either.
        Row &line = row(QStringLiteral("step-") + toWord(progress.step), stepText(progress.step), 0);
        switch (progress.state) {
            case InstallProgress::State::Started:
                look(line, "measuring", &Theme::accentText, tr("Under way"));
                break;
            case InstallProgress::State::Moving:
                line.found->setText(progress.fraction >= 0 ? tr("%1 %").arg(qRound(100 * progress.fraction))
                                                           : coreText(progress.text));
                break;
            case InstallProgress::State::Done:
                look(line, "check", &Theme::good, tr("Done"));
                break;
            case InstallProgress::State::Failed:
                look(line, "error", &Theme::bad, tr("Failed"));
                // What went wrong stands below in full; only an undo has no other place.
                line.problem->setText(coreText(progress.text));
                line.problem->setVisible(progress.step == InstallStep::Undo);
                break;
        }
    }
    // The newest line is what a person waits for; it has its place only after the layout.
    QTimer::singleShot(0, this, [this] {
        if (const QLayoutItem *last = m_rows->itemAt(m_rows->count() - 2); last && last->widget())
            ensureWidgetVisible(last->widget());
    });
}

}  // namespace hearth
