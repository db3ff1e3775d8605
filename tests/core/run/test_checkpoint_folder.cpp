#include <QSignalSpy>
#include <QTest>

#include "checkpoint_home.h"
#include "core/run/checkpoint_folder.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::test;

namespace {

struct Folder {
    Folder() {
        home.directory = std::move(*RunDirectory::create(home.request.directory));
        log.emplace(*home.directory, home.agent, [] {});
        folder.emplace(CheckpointStore(home.directory->path(), subject), *log);
    }
    fake::Home home{1};
    const CheckpointStore::Subject subject = subjectOf();
    std::optional<RunLog> log;
    std::optional<CheckpointFolder> folder;
};

}  // namespace

class TestCheckpointFolder : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whatIsWrittenComesBack() {
        Folder its;
        const LayerStates states = statesOf(its.subject, 3);
        QSignalSpy written(&*its.folder, &CheckpointFolder::written);
        its.folder->write(5, states);
        QVERIFY(its.folder->isWriting());
        std::optional<LayerStates> found;
        its.folder->read([&](const LayerStates &read) { found = read; });  // waits for the writing
        QVERIFY(!found);
        QVERIFY(fake::comes([&] { return found.has_value(); }));
        QCOMPARE(written.count(), 1);
        QVERIFY(sameStates(*found, states));
        QCOMPARE(its.folder->version(), quint64(5));
        QCOMPARE(fake::count(its.home, "checkpoint"), std::size_t(1));
    }
    void anEmptyFolderIsVersionZero() {
        Folder its;
        std::optional<LayerStates> found;
        its.folder->read([&](const LayerStates &read) { found = read; });
        QVERIFY(fake::comes([&] { return found.has_value(); }));
        QVERIFY(found->empty());
        QCOMPARE(its.folder->version(), quint64(0));
    }
    void whoAsksLastIsServedByWhatIsBeingRead() {
        Folder its;
        int first = 0, last = 0;
        its.folder->read([&](const LayerStates &) { ++first; });
        its.folder->read([&](const LayerStates &) { ++last; });
        QVERIFY(fake::comes([&] { return last == 1; }));
        QCOMPARE(first, 0);
    }
    void whoIsForgottenIsNotCalled() {
        Folder its;
        bool isCalled = false;
        QSignalSpy written(&*its.folder, &CheckpointFolder::written);
        its.folder->write(5, statesOf(its.subject, 3), [&] { isCalled = true; });
        its.folder->forgetWaiting();
        QVERIFY(fake::comes([&] { return written.count() == 1; }));
        QVERIFY(!isCalled);
        QCOMPARE(its.folder->version(), quint64(5));
    }
    void aFailureIsAWarningAndTheRunGoesOn() {
        Folder its;
        bool isCalled = false;
        its.folder->write(5, LayerStates{}, [&] { isCalled = true; });
        QVERIFY(fake::comes([&] { return isCalled; }));
        QCOMPARE(fake::count(its.home, "warning"), std::size_t(1));
        QCOMPARE(its.folder->version(), quint64(0));
    }
    void anotherCourseLeavesWhatIsBeforeIt_data() {
        QTest::addColumn<bool>("isWritten");
        QTest::newRow("of a checkpoint that is there") << true;
        QTest::newRow("of one that is being written") << false;
    }
    void anotherCourseLeavesWhatIsBeforeIt() {
        QFETCH(bool, isWritten);
        Folder its;
        TermOrigins origins;
        origins.begin(1, 0);
        its.folder->setCourse(1, origins);
        QSignalSpy written(&*its.folder, &CheckpointFolder::written);
        its.folder->write(5, statesOf(its.subject, 3));
        QVERIFY(fake::comes([&] { return written.count() == 1; }));
        its.folder->write(9, statesOf(its.subject, 4));
        if (isWritten) {
            QVERIFY(fake::comes([&] { return written.count() == 2; }));
            QCOMPARE(its.folder->version(), quint64(9));
        }
        origins.begin(2, 7);
        its.folder->setCourse(2, origins);
        QVERIFY(fake::comes([&] { return !its.folder->isWriting(); }));
        QCOMPARE(its.folder->version(), quint64(5));
        QCOMPARE(written.count(), isWritten ? 2 : 1);
        its.folder->write(9, statesOf(its.subject, 6));
        QVERIFY(fake::comes([&] { return its.folder->version() == 9; }));
        std::optional<LayerStates> found;
        its.folder->read([&](const LayerStates &read) { found = read; });
        QVERIFY(fake::comes([&] { return found.has_value(); }));
        QVERIFY(sameStates(*found, statesOf(its.subject, 6)));
    }
    void theNewestVersionIsLookedUpWithoutReading() {
        Folder its;
        const CheckpointStore store(its.home.directory->path(), its.subject);
        QVERIFY(store.write(7, 7, statesOf(its.subject, 1)));
        QCOMPARE(its.folder->version(), quint64(0));
        its.folder->lookUp();
        QCOMPARE(its.folder->version(), quint64(7));
    }
};

QTEST_GUILESS_MAIN(TestCheckpointFolder)
#include "test_checkpoint_folder.moc"
