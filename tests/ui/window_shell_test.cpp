// What of the window lives on from one start to the next, and the dialogs of its menu.
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QHeaderView>
#include <QLineEdit>
#include <QScreen>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>
#include <QTreeWidget>

#include "tests/core/base/patience.h"
#include "tests/ui/full_disk.h"
#include "tests/ui/shell_fixture.h"
#include "ui/base/notice_bar.h"
#include "ui/base/rail.h"
#include "ui/base/theme.h"
#include "ui/job/job_draft.h"

using namespace hearth;

class WindowShellTest : public ShellFixture {
    Q_OBJECT

    void writeSettings(const QByteArray &content) const {
        QFile file(m_folder->filePath(QStringLiteral("window.ini")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

  private Q_SLOTS:
    void initTestCase() {
        speakEnglish();
        QCoreApplication::setApplicationVersion(QStringLiteral("0.1.0+7"));
    }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginAfresh(); }
    void cleanup() {
        end();
        ThemeManager::instance().setChoice(ThemeChoice::System);
    }

    void theWindowComesBackAsItWasLeft() {
        m_window->resize(1100, 700);
        goTo("railHistory");
        auto *header = find<QTableView>("deviceTable")->horizontalHeader();
        header->setSectionResizeMode(0, QHeaderView::Interactive);
        header->resizeSection(0, 321);
        restart();
        QCOMPARE(m_window->size(), QSize(1100, 700));
        QCOMPARE(place(), static_cast<int>(HistoryPlace));
        QCOMPARE(find<QTableView>("deviceTable")->horizontalHeader()->sectionSize(0), 321);
    }

    void settingsThatCannotBeUsedArePassedOver_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("no settings at all") << QByteArray("\x01\x02\xff nonsense [[[");
        QTest::newRow("geometry that is none") << QByteArray("[window]\ngeometry=@ByteArray(rubbish)\n");
        QTest::newRow("a page that is gone") << QByteArray("[window]\npage=marketplace\n");
        QTest::newRow("columns that are none") << QByteArray(
            "[window]\ncolumns\\deviceTable\\8=@ByteArray(\\0\\0\\0\\xff\\0)\ntheme=purple\nnotify=maybe\n");
        QTest::newRow("numbers where words should be") << QByteArray("[window]\npage=7\ntheme=9\ngeometry=3\n");
    }
    void settingsThatCannotBeUsedArePassedOver() {
        QFETCH(QByteArray, content);
        end();
        writeSettings(content);
        begin();
        QCOMPARE(m_window->size(), QSize(1280, 800));
        QCOMPARE(place(), static_cast<int>(HomePlace));
        QVERIFY(find<QTableView>("deviceTable")->horizontalHeader()->sectionSize(0) > 0);
        QVERIFY(m_window->close());
    }

    void aWindowFromAScreenThatIsGoneIsBroughtBack() {
        m_window->move(9000, 7000);
        restart();
        const QRect room = m_window->screen()->availableGeometry();
        QVERIFY2(room.contains(m_window->frameGeometry().topLeft()),
                 qPrintable(QStringLiteral("%1,%2").arg(m_window->x()).arg(m_window->y())));
    }

    void theFirstStartIsNotHiddenByWhatWasRememberedElsewhere() {
        goTo("railHistory");
        QVERIFY(m_window->close());
        m_shell.reset();
        m_window.reset();
        m_home->fresh = true;
        m_window = std::make_unique<MainWindow>(*m_home, *m_controller, *m_questions);
        m_shell = std::make_unique<WindowShell>(
            WindowShell::Parts{*m_window, *m_home, *m_controller, *m_questions, *m_notifier, *m_settings});
        m_window->show();
        QVERIFY(find<QWidget>("firstStartPage")->isVisible());
    }

    void aJobThatIsNotSavedIsNotLost() {
        goTo("railJob");
        find<QLineEdit>("jobBatch")->setText(QStringLiteral("96"));
        restart();
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("96"));
        QVERIFY(m_window->jobDraft().hasUnsavedChanges());
    }

    void whatWasWrittenComesBackValidOrNot() {
        const QStringList freeze{QStringLiteral("!")};
        goTo("railJob");
        JobDraft &before = m_window->jobDraft();
        before.setModel(QStringLiteral("resnet18"));
        before.setCodec(CodecChoice::Auto);
        before.setPrecision(Precision::Float64);
        before.setNesterov(true);
        before.setTrained({}, freeze);
        find<QLineEdit>("jobMomentum")->setText(QStringLiteral("0"));
        find<QLineEdit>("jobWeightDecay")->setText(QStringLiteral("0.10"));
        find<QLineEdit>("jobLearningRate")->setText(QStringLiteral("nonsense"));
        find<QLineEdit>("jobBatch")->clear();
        restart();
        const Job &after = m_window->jobDraft().choices();
        QCOMPARE(after.model, QStringLiteral("resnet18"));
        QCOMPARE(after.codec, CodecChoice::Auto);
        QCOMPARE(after.precision, Precision::Float64);
        QVERIFY(after.optimizer.nesterov);
        QCOMPARE(after.freeze, freeze);
        QCOMPARE(find<QLineEdit>("jobMomentum")->text(), QStringLiteral("0"));
        QCOMPARE(find<QLineEdit>("jobWeightDecay")->text(), QStringLiteral("0.10"));
        QCOMPARE(find<QLineEdit>("jobLearningRate")->text(), QStringLiteral("nonsense"));
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QString());
        QVERIFY(!m_window->jobDraft().isValid());
        QVERIFY(!find<QWidget>("errorPanel")->isVisible());
    }

    void aChoiceThatTheLossDoesNotAllowComesBack() {
        JobDraft &before = m_window->jobDraft();
        Job fitted = before.job();
        fitted.loss = QStringLiteral("mean-squared-error");
        before.fitTo(fitted);
        before.setBestBy(BestBy::Accuracy);
        QVERIFY(before.refusal().has_value());
        restart();
        const JobDraft &after = m_window->jobDraft();
        QVERIFY(!find<QWidget>("errorPanel")->isVisible());
        QCOMPARE(after.choices().loss, fitted.loss);
        QCOMPARE(after.choices().bestBy, BestBy::Accuracy);
        QVERIFY(after.refusal().has_value());
    }

    void aMomentumThatIsNotUsedNowComesBack() {
        find<QLineEdit>("jobMomentum")->setText(QStringLiteral("0.25"));
        m_window->jobDraft().setOptimizer(OptimizerSpec::Kind::Adam);
        restart();
        m_window->jobDraft().setOptimizer(OptimizerSpec::Kind::Sgd);
        QCOMPARE(m_window->jobDraft().job().optimizer.momentum, 0.25);
    }

    void changesThatAnEarlierVersionKeptComeBack() {
        end();
        {
            QSettings settings(m_folder->filePath(QStringLiteral("window.ini")), QSettings::IniFormat);
            settings.setValue(QStringLiteral("window/job"), QByteArray("{\"format\":\"hearth-job/1\",\"batch\":96}"));
        }
        begin();
        QVERIFY(!find<QWidget>("errorPanel")->isVisible());
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("96"));
        QVERIFY(m_window->jobDraft().hasUnsavedChanges());
    }

    void changesThatCannotBeReadAreTold_data() {
        QTest::addColumn<QByteArray>("kept");
        QTest::newRow("they are damaged") << QByteArray("{\"job\":{\"format\":\"hearth-job/1\",\"bat");
        QTest::newRow("a number that is none")
            << QByteArray("{\"job\":{\"format\":\"hearth-job/1\"},\"numbers\":{\"batch\":true}}");
    }
    void changesThatCannotBeReadAreTold() {
        QFETCH(QByteArray, kept);
        end();
        {
            QSettings settings(m_folder->filePath(QStringLiteral("window.ini")), QSettings::IniFormat);
            settings.setValue(QStringLiteral("window/job"), kept);
        }
        begin();
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QVERIFY2(text("errorWhat").contains(QLatin1String("not saved could not be read")),
                 qPrintable(text("errorWhat")));
        QVERIFY2(text("errorWhy").contains(QLatin1String("window.ini")), qPrintable(text("errorWhy")));
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("128"));
    }

    void aSavedJobIsOpenedAgain() {
        goTo("railJob");
        find<QLineEdit>("jobBatch")->setText(QStringLiteral("32"));
        m_questions->file = m_folder->filePath(QStringLiteral("mine.json"));
        click("jobSave");
        restart();
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("32"));
        QVERIFY(!m_window->jobDraft().hasUnsavedChanges());
        QVERIFY(QFile::remove(m_folder->filePath(QStringLiteral("mine.json"))));
        restart();
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("128"));
    }

    void aJobFileThatCannotBeOpenedAgainIsTold_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("it is gone") << QByteArray();
        QTest::newRow("it is damaged") << QByteArray("{\"format\":\"hearth-job/1\",\"bat");
    }
    void aJobFileThatCannotBeOpenedAgainIsTold() {
        QFETCH(QByteArray, content);
        goTo("railJob");
        m_questions->file = m_folder->filePath(QStringLiteral("mine.json"));
        click("jobSave");
        find<QLineEdit>("jobBatch")->setText(QStringLiteral("96"));
        QFile file(m_questions->file);
        QVERIFY(content.isEmpty() ? file.remove() : file.open(QIODevice::WriteOnly) && file.write(content) > 0);
        file.close();
        restart();
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QVERIFY2((text("errorWhat") + text("errorWhy")).contains(QLatin1String("mine.json")),
                 qPrintable(text("errorWhat")));
        // What was not in the file is there, and the file is left as it is.
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("96"));
        QVERIFY(m_window->jobDraft().hasUnsavedChanges());
        QVERIFY(content.isEmpty() ? !file.exists() : file.open(QIODevice::ReadOnly) && file.readAll() == content);
    }

    void aDemoDoesNotWriteOverTheJobOfTheHome() {
        goTo("railJob");
        find<QLineEdit>("jobBatch")->setText(QStringLiteral("96"));
        QVERIFY(m_window->close());
        end();
        // As "hearth demo" does, which brings its own job.
        begin(true);
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("128"));
        QVERIFY(m_window->close());
        end();
        begin();
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("96"));
    }

    void aSignalThatEndsTheProgramLosesNothing() {
        goTo("railJob");
        find<QLineEdit>("jobBatch")->setText(QStringLiteral("96"));
        QTimer::singleShot(0, QCoreApplication::instance(), [] { QCoreApplication::exit(143); });
        QCOMPARE(QCoreApplication::exec(), 143);
        end();
        begin();
        QCOMPARE(place(), static_cast<int>(JobPlace));
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("96"));
    }

    void changesThatFindNoRoomKeepTheWindowOpenOnce() {
        m_notifier->available = false;  // the program ends with its window
        const QSignalSpy over(m_shell.get(), &WindowShell::over);
        goTo("railJob");
        {
            const FullDisk full;
            // Without changes there is nothing to lose.
            QVERIFY(m_window->close());
            QCOMPARE(over.size(), 1);
            m_shell->showWindow();
            find<QLineEdit>("jobBatch")->setText(QStringLiteral("96"));
            QVERIFY(!m_window->close());
            QVERIFY(m_window->isVisible());
            QVERIFY(find<QWidget>("errorPanel")->isVisible());
            QVERIFY2(text("errorWhy").contains(QLatin1String("window.ini")), qPrintable(text("errorWhy")));
            QVERIFY(m_window->close());
            QCOMPARE(over.size(), 2);
            m_shell->showWindow();
            QVERIFY(!m_window->close());
        }
        // There is room again.
        restart();
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("96"));
    }

    void theThemeIsChosenAndRemembered() {
        choose("menuThemeDark");
        QCOMPARE(ThemeManager::instance().choice(), ThemeChoice::Dark);
        restart();
        QCOMPARE(ThemeManager::instance().choice(), ThemeChoice::Dark);
        QVERIFY(find<QAction>("menuThemeDark")->isChecked());
    }

    void aboutTellsVersionsAndLicences() {
        choose("menuAbout");
        const auto *dialog = find<QDialog>("aboutDialog");
        QVERIFY(dialog->isVisible());
        QVERIFY(text("aboutVersion").endsWith(QStringLiteral("Hearth 0.1.0+7")));
        QVERIFY(text("aboutVersions").contains(QLatin1String(qVersion())));
        QVERIFY(text("aboutLicence").contains(QLatin1String("version 3 or later")));
        QStringList texts;
        for (const QLabel *label : dialog->findChildren<QLabel *>())
            texts << label->text();
        for (const char *part : {"Qt", "QCustomPlot", "LibTorch", "OpenSSL", "libarchive", "zlib"})
            QVERIFY2(texts.contains(QLatin1String(part)), part);
        click("copyVersions");
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("Hearth 0.1.0+7\n")));
        click("closeAbout");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QDialog *>(QStringLiteral("aboutDialog")) == nullptr, patience);
    }

    void aboutSpeaksTheLanguageOfTheWindow() {
        m_language = std::make_unique<Language>(QLocale(QLocale::German, QLocale::Germany));
        choose("menuAbout");
        QStringList texts;
        for (const QLabel *label : find<QDialog>("aboutDialog")->findChildren<QLabel *>())
            texts << label->text();
        speakEnglish();
        QVERIFY2(texts.contains(QStringLiteral("Live-Diagramme")), qPrintable(texts.join(QLatin1Char('\n'))));
    }

    void theSupportBundleIsShownBeforeItIsSaved() {
        m_home->folder = m_folder->path();
        QDir(m_folder->path()).mkpath(QStringLiteral("runs/a-run"));
        QFile events(m_folder->filePath(QStringLiteral("runs/a-run/events.jsonl")));
        QVERIFY(events.open(QIODevice::WriteOnly));
        events.write("{}\n");
        events.close();
        choose("menuSupport");
        auto *list = find<QTreeWidget>("supportFiles");
        QTRY_COMPARE_WITH_TIMEOUT(list->topLevelItemCount(), 4, patience);
        QCOMPARE(list->topLevelItem(3)->text(0), QStringLiteral("runs/a-run/events.jsonl"));
        QCOMPARE(list->headerItem()->textAlignment(1), list->topLevelItem(3)->textAlignment(1));
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("saveSupport")->isEnabled(), patience);
        click("saveSupport");  // and thinks better of it
        m_questions->file = m_folder->filePath(QStringLiteral("bundle.tar.gz"));
        click("saveSupport");
        QTRY_COMPARE_WITH_TIMEOUT(text("supportSaid"), QStringLiteral("Saved as %1").arg(m_questions->file), patience);
        QVERIFY(QFileInfo(m_questions->file).size() > 100);
        m_questions->file = m_folder->filePath(QStringLiteral("no/such/folder.tar.gz"));
        click("saveSupport");
        QTRY_VERIFY_WITH_TIMEOUT(text("supportSaid").contains(QLatin1String("no/such")), patience);
        m_questions->file = m_folder->filePath(QStringLiteral("second.tar.gz"));
        {
            const FullDisk full;
            click("saveSupport");
            QTRY_VERIFY2_WITH_TIMEOUT(text("supportSaid").contains(QLatin1String("second")),
                                      qPrintable(text("supportSaid")), patience);
        }
        QVERIFY(!QFileInfo::exists(m_questions->file));
        click("closeSupport");
    }

    void aSupportBundleIsToldOfWhereItsDialogIsClosedMeanwhile_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("isSaved");
        QTest::newRow("one that is saved") << QStringLiteral("bundle.tar.gz") << true;
        QTest::newRow("one that cannot be saved") << QStringLiteral("no/such/folder.tar.gz") << false;
    }
    void aSupportBundleIsToldOfWhereItsDialogIsClosedMeanwhile() {
        QFETCH(QString, file);
        QFETCH(bool, isSaved);
        m_home->folder = m_folder->path();
        m_questions->file = m_folder->filePath(file);
        choose("menuSupport");
        auto *save = find<QPushButton>("saveSupport");
        QTRY_VERIFY_WITH_TIMEOUT(save->isEnabled(), patience);
        // Nothing is heard of the thread in between.
        save->click();
        find<QPushButton>("closeSupport")->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QDialog *>(QStringLiteral("supportDialog")) == nullptr, patience);
        QCOMPARE(QFileInfo::exists(m_questions->file), isSaved);
        const NoticeBar *notice = find<NoticeBar>("windowNotice");
        QCOMPARE(notice->text(),
                 isSaved ? QStringLiteral("The support bundle is in %1.").arg(m_questions->file) : QString());
        QCOMPARE(find<QWidget>("errorPanel")->isVisible(), !isSaved);
    }
};

QTEST_MAIN(WindowShellTest)
#include "window_shell_test.moc"
