// Installing on a computer from the window: what is asked, what is shown, and that closing it undoes.
#include "ui/home/install_dialog.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>

#include "tests/core/base/patience.h"
#include "tests/ui/active_window.h"
#include "tests/ui/fake_installation.h"

using namespace hearth;

class InstallDialogTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { m_language = std::make_unique<Language>(QLocale(QLocale::English)); }
    void cleanupTestCase() { m_language.reset(); }

    void init() {
        m_home = std::make_unique<InstallingHome>();
        m_home->demo = false;
        m_home->folder = QStringLiteral("/the/state");
        m_questions = std::make_unique<FakeQuestions>();
        m_dialog = std::make_unique<InstallDialog>(*m_home, *m_questions);
        QVERIFY(showActive(*m_dialog));
    }

    void cleanup() {
        m_dialog.reset();
        m_questions.reset();
        m_home.reset();
    }

    void itBeginsWithWhereToLogIn() {
        QVERIFY(!find<QPushButton>("installGo")->isEnabled());
        type("installHost", "anna@");
        click("installGo");
        QVERIFY(find<QLabel>("installWrong")->text().contains(QStringLiteral("USER@HOST")));
        QVERIFY(m_home->installation == nullptr);

        type("installHost", "anna@nano-1:2222");
        type("installKey", "/keys/mine");
        find<QCheckBox>("installForUser")->setChecked(true);
        click("installGo");
        QCOMPARE(m_home->request.target.toString(), QStringLiteral("anna@nano-1:2222"));
        QCOMPARE(m_home->request.target.keyFile, QStringLiteral("/keys/mine"));
        QVERIFY(m_home->request.options.forThisUser);
        QCOMPARE(m_home->request.stateDir, QStringLiteral("/the/state"));
        QCOMPARE(calls(), QStringList{QStringLiteral("start")});
        QCOMPARE(m_home->request.options.agentPort, quint16(0));
    }

    void whatFewPeopleNeedIsFoldedAway() {
        QVERIFY(!find<QLineEdit>("installPort")->isVisible());
        click("installAdvanced");
        QVERIFY(find<QLineEdit>("installPort")->isVisible());
        const auto left = [this](const char *field) {
            return find<QLineEdit>(field)->mapTo(m_dialog.get(), QPoint()).x();
        };
        QTRY_COMPARE_WITH_TIMEOUT(left("installPort"), left("installHost"), patience);
        type("installHost", "anna@nano-1");
        type("installPort", "47700");
        type("installName", "kitchen");
        type("installPackage", "/a/b.deb");
        click("installGo");
        QCOMPARE(m_home->request.options.agentPort, quint16(47700));
        QCOMPARE(m_home->request.options.deviceName, QStringLiteral("kitchen"));
        QCOMPARE(m_home->request.options.packagePath, QStringLiteral("/a/b.deb"));
    }

    void aPortThatIsNoneIsShownWhereItStands_data() {
        QTest::addColumn<QString>("port");
        for (const char *port : {"0", "65536", "-1", "http", "99999999999999", "4 7"})
            QTest::newRow(port) << QString::fromLatin1(port);
    }
    void aPortThatIsNoneIsShownWhereItStands() {
        QFETCH(QString, port);
        type("installHost", "anna@nano-1");
        find<QLineEdit>("installPort")->setText(port);
        click("installGo");
        QVERIFY(m_home->installation == nullptr);
        QVERIFY(find<QLabel>("installWrong")->text().contains(QStringLiteral("65535")));
        QVERIFY(find<QLineEdit>("installPort")->isVisible() && find<QLineEdit>("installPort")->hasFocus());
    }

    void aKeyIsShownAndAskedFor() {
        begin();
        Q_EMIT job()->hostKeyShown(
            {SshHostKey::State::Unknown, QStringLiteral("ssh-ed25519"), QStringLiteral("SHA256:abc")});
        QVERIFY(find<QWidget>("installQuestion")->isVisible());
        QVERIFY(find<QLabel>("installDetail")->text().contains(QStringLiteral("SHA256:abc")));
        // Return pressed by habit must not say yes.
        QVERIFY(find<QPushButton>("installNo")->hasFocus());
        click("installYes");
        QCOMPARE(calls().last(), QStringLiteral("yes"));
        QVERIFY(!find<QWidget>("installQuestion")->isVisible());
    }

    void aPasswordIsTypedUnseenAndForgotten() {
        begin();
        Q_EMIT job()->passwordWanted(PasswordKind::LogIn, QStringLiteral("anna@nano-1"), 1);
        auto *line = find<QLineEdit>("installPassword");
        QCOMPARE(line->echoMode(), QLineEdit::Password);
        QTest::keyClicks(line, QStringLiteral("secret"));
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(calls().last(), QStringLiteral("password secret"));
        QVERIFY(line->text().isEmpty());
        Q_EMIT job()->passwordWanted(PasswordKind::LogIn, QStringLiteral("anna@nano-1"), 2);
        QVERIFY(find<QLabel>("installAsked")->text().startsWith(QStringLiteral("That was not accepted.")));
        click("installNo");
        QCOMPARE(calls().last(), QStringLiteral("password -"));
    }

    void theLookFillsInLineByLine() {
        begin();
        job()->look();
        QCOMPARE(line("install-memory", "found"), QStringLiteral("4096 MiB"));
        QVERIFY(!isShown("install-memory", "problem"));
        QVERIFY(isShown("install-service", "problem"));
        QVERIFY(line("install-service", "problem").contains(QStringLiteral("restart")));
        // A step that shares its word with a check has a line of its own.
        job()->done(InstallStep::Service);
        QVERIFY(find<QWidget>("install-step-service") != find<QWidget>("install-service"));
        QVERIFY(isShown("install-service", "problem"));
        Q_EMIT job()->consentWanted(job()->changes);
        QVERIFY(find<QLabel>("installAsked")->text().contains(QStringLiteral("hearth-agent 0.1.0 is unpacked")));
        click("installYes");
        QCOMPARE(calls().last(), QStringLiteral("yes"));
        job()->step(InstallStep::Copy, InstallProgress::State::Moving, {}, 0.5);
        QCOMPARE(line("install-step-copy", "found"), QStringLiteral("50 %"));
    }

    void theEndIsADevice() {
        begin();
        Q_EMIT job()->finished(
            {QStringLiteral("nano-1"), QString(), QString(), QString(), InstallEffect::NewDevice, {}});
        QCOMPARE(find<QLabel>("installSaid")->text(), QStringLiteral("nano-1 is a device of this home now."));
        QCOMPARE(find<QPushButton>("installClose")->text(), QStringLiteral("Close"));
        QCOMPARE(find<QPushButton>("installClose")->property("role").toString(), QStringLiteral("primary"));
        click("installGo");
        QVERIFY(find<QLineEdit>("installHost")->text().isEmpty());
        begin();
        Q_EMIT job()->finished(
            {QStringLiteral("nano-2"), QString(), QString(), QString(), InstallEffect::NewDevice, {}});
        click("installClose");
        QVERIFY(!m_dialog->isVisible());
    }

    void anUpdateSaysWhatIsThereNow_data() {
        QTest::addColumn<InstallEffect>("effect");
        QTest::addColumn<QString>("said");
        QTest::newRow("a new one") << InstallEffect::NewVersion << QStringLiteral("nano-1 has version 0.1.0+7 now.");
        QTest::newRow("the same") << InstallEffect::Nothing
                                  << QStringLiteral("nano-1 had version 0.1.0+7 already. Nothing new was installed.");
    }
    void anUpdateSaysWhatIsThereNow() {
        QFETCH(InstallEffect, effect);
        begin();
        Q_EMIT job()->finished({QStringLiteral("nano-1"), QString(), QString(), QStringLiteral("0.1.0+7"), effect, {}});
        QTEST(find<QLabel>("installSaid")->text(), "said");
    }

    void whatWentWrongIsSaidAndCanBeTriedAgain() {
        begin();
        job()->look({QStringLiteral("libtorch1.13")});
        Q_EMIT job()->failed({QStringLiteral("install.libraries"), QStringLiteral("Libraries are missing."),
                              QStringLiteral("Nobody can install them."), QStringLiteral("Ask somebody.")});
        QVERIFY(isShown("install-libraries", "problem"));
        click("installGo");
        QVERIFY(find<QLineEdit>("installHost")->isVisible());
        QCOMPARE(find<QLineEdit>("installHost")->text(), QStringLiteral("anna@nano-1"));
        click("installGo");
        QVERIFY(m_dialog->findChild<QWidget *>(QStringLiteral("install-libraries")) == nullptr);
    }

    void closingItUndoesFirst() {
        begin();
        click("installClose");
        QCOMPARE(calls().last(), QStringLiteral("cancel"));
        QVERIFY(m_dialog->isVisible());
        QVERIFY(!find<QPushButton>("installClose")->isEnabled());
        m_dialog->close();
        QVERIFY(m_dialog->isVisible());
        Q_EMIT job()->failed(cancelledError());
        QVERIFY(!m_dialog->isVisible());
    }

    void whatIsLeftThereIsReadBeforeItCloses() {
        begin();
        click("installClose");
        job()->step(InstallStep::Undo, InstallProgress::State::Failed,
                    QStringLiteral("Not everything could be undone."));
        Q_EMIT job()->failed(cancelledError());
        QVERIFY(m_dialog->isVisible());
        QCOMPARE(find<QLabel>("installSaid")->text(), QStringLiteral("Not everything could be undone."));
        click("installClose");
        QVERIFY(!m_dialog->isVisible());
    }

    void whatWasDoneBeforeTheCancelCameIsSaid() {
        begin();
        click("installClose");
        Q_EMIT job()->finished({QStringLiteral("nano-1"),
                                QString(),
                                QString(),
                                QString(),
                                InstallEffect::NewDevice,
                                {QStringLiteral("It ends at logout.")}});
        QVERIFY(m_dialog->isVisible());
        QCOMPARE(find<QLabel>("installSaid")->text(),
                 QStringLiteral("nano-1 is a device of this home now.\nIt ends at logout."));
    }

    void aDemoHomeTakesNobody() {
        m_home->demo = true;
        type("installHost", "anna@nano-1");
        click("installGo");
        QVERIFY(find<QLabel>("installWrong")->text().contains(QStringLiteral("demo home")));
    }

    void nothingOfItIsEnglishInGerman() {
        const Language german(QLocale(QLocale::German, QLocale::Germany));
        m_dialog = std::make_unique<InstallDialog>(*m_home, *m_questions);
        m_dialog->show();
        begin();
        job()->look({QStringLiteral("libtorch1.13")});
        QCOMPARE(line("install-libraries", "found"), QStringLiteral("1 fehlen"));
        QVERIFY2(line("install-libraries", "problem").startsWith(QStringLiteral("Bibliotheken, die Hearth braucht")),
                 qPrintable(line("install-libraries", "problem")));
        QVERIFY(!line("install-service", "problem").contains(QStringLiteral("restart")));
        Q_EMIT job()->consentWanted(job()->changes);
        const QString asked = find<QLabel>("installAsked")->text();
        QVERIFY2(!asked.contains(QStringLiteral(" is ")) && !asked.contains(QStringLiteral(" the ")),
                 qPrintable(asked));
    }

  private:
    template <class Widget>
    Widget *find(const char *name) const {
        auto *widget = m_dialog->findChild<Widget *>(QLatin1String(name));
        if (widget == nullptr)
            qFatal("no widget is called %s", name);
        return widget;
    }
    void click(const char *name) const { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    void type(const char *name, const char *text) const { find<QLineEdit>(name)->setText(QString::fromUtf8(text)); }
    QString line(const char *row, const char *part) const {
        return find<QWidget>(row)->findChild<QLabel *>(QLatin1String(part))->text();
    }
    bool isShown(const char *row, const char *part) const {
        return !find<QWidget>(row)->findChild<QLabel *>(QLatin1String(part))->isHidden();
    }
    void begin() {
        type("installHost", "anna@nano-1");
        click("installGo");
    }
    FakeInstallation *job() const { return m_home->installation; }
    const QStringList &calls() const { return job()->calls; }

    std::unique_ptr<Language> m_language;
    std::unique_ptr<InstallingHome> m_home;
    std::unique_ptr<FakeQuestions> m_questions;
    std::unique_ptr<InstallDialog> m_dialog;
};

QTEST_MAIN(InstallDialogTest)
#include "install_dialog_test.moc"
