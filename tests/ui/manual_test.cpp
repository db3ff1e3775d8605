// The manual in the window: F1 opens it at the place that one is on, and no link leads nowhere.
#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>

#include "core/history/usage_python.h"
#include "tests/ui/active_window.h"
#include "tests/ui/shell_fixture.h"
#include "ui/shell/manual_window.h"

using namespace hearth;

class ManualTest : public ShellFixture {
    Q_OBJECT
  private:
    static QString textOf(const QString &page) {
        QFile file(QStringLiteral(":/hearth/manual/%1.md").arg(page));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    static QStringList anchorsOf(const QString &page) {
        QStringList anchors;
        static const QRegularExpression heading(QStringLiteral("^#+ (.*)$"), QRegularExpression::MultilineOption);
        auto each = heading.globalMatch(textOf(page));
        while (each.hasNext())
            anchors << ManualWindow::anchorOf(each.next().captured(1));
        return anchors;
    }

  private Q_SLOTS:
    void everyLinkLeadsSomewhere_data() {
        QTest::addColumn<QString>("page");
        for (const QString &page : ManualWindow::pages())
            QTest::newRow(qUtf8Printable(page)) << page;
    }
    void everyLinkLeadsSomewhere() {
        QFETCH(const QString, page);
        QVERIFY2(textOf(page).startsWith(QLatin1String("# ")), "there is no such page, or it has no title");
        static const QRegularExpression link(QStringLiteral("\\]\\(([^)]*)\\)"));
        auto each = link.globalMatch(textOf(page));
        while (each.hasNext()) {
            const QString target = each.next().captured(1);
            if (target.startsWith(QLatin1String("http")))
                continue;
            const QString file = target.section(QLatin1Char('#'), 0, 0), anchor = target.section(QLatin1Char('#'), 1);
            QVERIFY2(file.isEmpty() || QFile::exists(QStringLiteral(":/hearth/manual/") + file),
                     qUtf8Printable(target));
            if (!anchor.isEmpty())
                QVERIFY2(anchorsOf(file.isEmpty() ? page : file.chopped(3)).contains(anchor), qUtf8Printable(target));
        }
    }

    void programsOfModelCardsAreInTheManual() {
        const QString page = textOf(QStringLiteral("models-and-data"));
        for (const QString &part : allUsagePython())
            QVERIFY2(page.contains(part), qPrintable(part));
    }

    void everyPlaceHasItsHeading() {
        for (const char *place : {"home", "job", "plan", "train", "history"})
            QVERIFY2(anchorsOf(QStringLiteral("window")).contains(QLatin1String(place)), place);
    }

    void aPageOpensAtItsHeading() {
        ManualWindow manual;
        manual.show();
        manual.showPage(QStringLiteral("window"), QStringLiteral("train"));
        const auto *text = manual.findChild<QTextBrowser *>(QStringLiteral("manualText"));
        QCOMPARE(text->textCursor().block().text(), QStringLiteral("Train"));
        manual.showPage(QStringLiteral("planning"));
        QVERIFY(text->toPlainText().startsWith(QLatin1String("Planning")));
        const auto *list = manual.findChild<QListWidget *>(QStringLiteral("manualPages"));
        QCOMPARE(list->currentItem()->text(), QStringLiteral("Planning"));
        auto *back = manual.findChild<QPushButton *>(QStringLiteral("manualBack"));
        QVERIFY(back->isEnabled());
        back->click();
        QCOMPARE(list->currentItem()->text(), QStringLiteral("The window"));
    }

    void aWordIsFoundInThePage() {
        ManualWindow manual;
        manual.showPage(QStringLiteral("planning"));
        auto *search = manual.findChild<QLineEdit *>(QStringLiteral("manualSearch"));
        const auto *text = manual.findChild<QTextBrowser *>(QStringLiteral("manualText"));
        search->setText(QStringLiteral("PipeDream"));
        QTest::keyClick(search, Qt::Key_Return);
        const int first = text->textCursor().position();
        QCOMPARE(text->textCursor().selectedText(), QStringLiteral("PipeDream"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(text->textCursor().position() > first);
    }

    void f1OpensItAtThePlaceThatOneIsOn() {
        beginAfresh();
        QVERIFY(showActive(*m_window));  // shortcuts are the active window's
        m_window->showPlaceNamed(QStringLiteral("plan"));
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        const auto *manual = m_window->findChild<ManualWindow *>();
        QVERIFY(manual != nullptr);
        const auto *text = manual->findChild<QTextBrowser *>(QStringLiteral("manualText"));
        QCOMPARE(text->textCursor().block().text(), QStringLiteral("Plan"));
        m_window->showPlaceNamed(QStringLiteral("history"));
        m_window->findChild<QAction *>(QStringLiteral("menuManual"))->trigger();
        QCOMPARE(text->textCursor().block().text(), QStringLiteral("History"));
        end();
    }
};

QTEST_MAIN(ManualTest)
#include "manual_test.moc"
