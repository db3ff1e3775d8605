// Which checkpoints are removed: those of runs that never go on, or need not.
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>

#include "core/run/files/event_file.h"
#include "core/run/files/spent_checkpoints.h"
#include "tests/core/base/patience.h"

using namespace hearth;

class SpentCheckpointsTest : public QObject {
    Q_OBJECT

    static RunInfo ended(const char *state, bool early = false) {
        RunInfo run;
        run.state = QLatin1String(state);
        run.endedEarly = early;
        return run;
    }
    QString run(const char *name, bool hasWeights = true) const {
        const QString folder = m_folder.filePath(QLatin1String(name));
        write(folder + QStringLiteral("/checkpoints/0000000007/weights.safetensors"));
        write(eventsPath(folder));
        if (hasWeights)
            write(folder + QStringLiteral("/weights.safetensors"));
        return folder;
    }
    static void write(const QString &path) {
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write("x"), qint64(1));
    }
    static bool has(const QString &folder) { return QFileInfo::exists(folder + QStringLiteral("/checkpoints")); }

    QTemporaryDir m_folder;

  private Q_SLOTS:
    void thoseOfARunThatHasDoneAllItsRoundsGo() {
        SpentCheckpoints spent;
        const QString one = run("one"), two = run("two");
        spent.remove(one, ended("finished"));
        spent.remove(two, ended("finished"));
        QTRY_VERIFY_WITH_TIMEOUT(!has(one) && !has(two), patience);
        QVERIFY(QFile::exists(one + QStringLiteral("/weights.safetensors")));
    }

    void thoseOfOtherRunsStay_data() {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("early");
        QTest::addColumn<bool>("hasWeights");
        QTest::newRow("its patience was used up") << QStringLiteral("finished") << true << true;
        QTest::newRow("it was stopped") << QStringLiteral("stopped") << false << true;
        QTest::newRow("it was interrupted") << QStringLiteral("interrupted") << false << true;
        QTest::newRow("it has no last weights") << QStringLiteral("finished") << false << false;
    }
    void thoseOfOtherRunsStay() {
        QFETCH(QString, state);
        QFETCH(bool, early);
        QFETCH(bool, hasWeights);
        SpentCheckpoints spent;
        const QString stays = run(QTest::currentDataTag(), hasWeights), goes = run("goes");
        spent.remove(stays, ended(qPrintable(state), early));
        spent.remove(goes, ended("finished"));
        QTRY_VERIFY_WITH_TIMEOUT(!has(goes), patience);
        QVERIFY(has(stays));
    }

    void thoseOfAnyRunAreDroppedWhereItsWeightsAreThere() {
        SpentCheckpoints spent;
        const QString stays = run("without", false), goes = run("with");
        const auto refused = spent.drop(stays);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("run.no-weights"));
        QVERIFY(has(stays));
        QVERIFY(spent.drop(goes));
        QVERIFY(!has(goes));  // at once: nobody goes on from half of one
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(goes + QStringLiteral("/checkpoints.spent")), patience);
        QVERIFY(QFile::exists(goes + QStringLiteral("/weights.safetensors")));
        QVERIFY(spent.drop(goes));  // there are none
    }

    void theRestOfDroppedOnesGoesTheNextTime() {
        const QString folder = run("rest");
        QVERIFY(QDir().rename(folder + QStringLiteral("/checkpoints"), folder + QStringLiteral("/checkpoints.spent")));
        SpentCheckpoints spent;
        spent.removeRest(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(folder + QStringLiteral("/checkpoints.spent")), patience);
    }

    void aLinkIsNotFollowed() {
        SpentCheckpoints spent;
        const QString linked = run("linked"), elsewhere = run("elsewhere"), goes = run("goes");
        QVERIFY(QDir(linked + QStringLiteral("/checkpoints")).removeRecursively());
        QVERIFY(QFile::link(elsewhere + QStringLiteral("/checkpoints"), linked + QStringLiteral("/checkpoints")));
        spent.remove(linked, ended("finished"));
        spent.remove(goes, ended("finished"));
        QTRY_VERIFY_WITH_TIMEOUT(!has(goes), patience);
        QVERIFY(has(elsewhere));
    }

    void whatIsLeftWhenTheAgentEndsGoesTheNextTime() {
        const QString one = run("under-way"), two = run("next");
        {
            SpentCheckpoints spent;
            spent.remove(one, ended("finished"));
            spent.remove(two, ended("finished"));  // begins when the event loop hears of the first one's end
        }
        QVERIFY(has(two));
        SpentCheckpoints spent;
        spent.remove(two, ended("finished"));
        QTRY_VERIFY_WITH_TIMEOUT(!has(two), patience);
    }

    void nothingIsRemovedOnceItIsCancelled() {
        const QString folder = run("cancelled") + QStringLiteral("/checkpoints");
        std::atomic<bool> cancelled = true;
        QVERIFY(!removeFiles(folder, cancelled));
        QVERIFY(QFile::exists(folder + QStringLiteral("/0000000007/weights.safetensors")));
        cancelled = false;
        QVERIFY(removeFiles(folder, cancelled));
        QVERIFY(!QFileInfo::exists(folder));
    }

    void aWholeFolderGoesAndThatIsTold() {
        SpentCheckpoints spent;
        const QString goes = run("whole"), stays = run("other");
        bool isGone = false;
        spent.removeFolder(goes, [&] { isGone = !QFileInfo::exists(goes); });
        QTRY_VERIFY_WITH_TIMEOUT(isGone, patience);
        QVERIFY(has(stays));
    }

    void theSizeOfTheRunIsLookedAtAgain() {
        SpentCheckpoints spent;
        const QString folder = run("sized");
        const QDateTime before = QDateTime::currentDateTime().addDays(-1);
        QFile events(eventsPath(folder));
        QVERIFY(events.open(QIODevice::ReadWrite));
        QVERIFY(events.setFileTime(before, QFileDevice::FileModificationTime));
        events.close();
        spent.remove(folder, ended("finished"));
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(eventsPath(folder)).lastModified() > before.addSecs(1), patience);
        QVERIFY(!has(folder));
        QCOMPARE(QFileInfo(eventsPath(folder)).size(), qint64(1));
    }
};

QTEST_GUILESS_MAIN(SpentCheckpointsTest)
#include "spent_checkpoints_test.moc"
