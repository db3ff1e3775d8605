#include "tests/app/walk/walk.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QScreen>
#include <QScrollArea>
#include <QTest>

namespace hearth {
namespace {

constexpr int patience = 300'000;

}  // namespace

bool Walk::isShown(const char *name) const {
    const auto *found = m_window.findChild<QWidget *>(QLatin1String(name));
    return found != nullptr && found->isVisible();
}

void Walk::click(const char *button) const {
    auto *target = find<QAbstractButton>(button);
    wait(button, [target] { return target->isVisible() && target->isEnabled(); });
    // Where it is out of sight, a person scrolls.
    for (QWidget *each = target->parentWidget(); each != nullptr; each = each->parentWidget()) {
        if (auto *area = qobject_cast<QScrollArea *>(each))
            area->ensureWidgetVisible(target);
    }
    QTest::mouseClick(target, Qt::LeftButton);
}

void Walk::type(const char *line, const QString &text) const {
    auto *target = find<QLineEdit>(line);
    wait(line, [target] { return target->isVisible() && target->isEnabled(); });
    target->clear();
    QTest::keyClicks(target, text);
}

void Walk::pick(const char *box, int index) const {
    auto *target = find<QComboBox>(box);
    wait(box, [target] { return target->isVisible() && target->isEnabled(); });
    target->setFocus();
    QTest::keyClick(target, Qt::Key_Home);
    for (int i = 0; i < index; ++i)
        QTest::keyClick(target, Qt::Key_Down);
}

void Walk::wait(const char *what, const std::function<bool()> &until) const {
    if (!QTest::qWaitFor(until, patience))
        qFatal("Nothing came of %s within %d s.", what, patience / 1000);
}

void Walk::shoot(const char *name) {
    if (m_folder.isEmpty())
        return;
    // Layouts settle, the X server draws.
    QTest::qWait(150);
    m_pictures.emplace_back(QStringLiteral("%1-%2.png").arg(m_pictures.size() + 1).arg(QLatin1String(name)),
                            QGuiApplication::primaryScreen()->grabWindow(0).toImage());
}

qsizetype Walk::save() const {
    for (const auto &[name, picture] : m_pictures) {
        if (!picture.save(QDir(m_folder).filePath(name)))
            qFatal("The picture %s cannot be written into %s.", qPrintable(name), qPrintable(m_folder));
    }
    return static_cast<qsizetype>(m_pictures.size());
}

}  // namespace hearth
