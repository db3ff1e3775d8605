// Whichever device is lost, the weights stay those of a plain loop over the same rounds.
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

class LostDeviceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void trainingGoesOnWithoutALostDevice_data();
    void trainingGoesOnWithoutALostDevice();
};

void LostDeviceTest::trainingGoesOnWithoutALostDevice_data() {
    QTest::addColumn<TestPlan>("first");
    QTest::addColumn<TestPlan>("second");
    QTest::addColumn<int>("lost");
    QTest::addColumn<Backups>("backups");
    QTest::addColumn<bool>("adam");
    QTest::newRow("the first of three stages, SGD") << three << oneTwo << 0 << ofThree << false;
    QTest::newRow("the second of three stages, Adam") << three << zeroTwo << 1 << ofThree << true;
    QTest::newRow("the last of three stages, on to a group, SGD") << three << group << 2 << ofThree << false;
    QTest::newRow("the last of three stages, on to one device, Adam") << three << onlyOne << 2 << ofThree << true;
    QTest::newRow("a member of a group, without any backup, Adam") << group << onlyOne << 0 << Backups() << true;
    QTest::newRow("a member of a group behind a stage, SGD") << groupLast << zeroTwo << 1 << Backups() << false;
    QTest::newRow("a stage before a group, SGD") << groupLast << oneTwo << 0 << Backups{{0, 2, 0, 2}} << false;
    QTest::newRow("one of two stages, its backup with a spare, Adam")
        << two << zeroTwo << 1 << Backups{{0, 2, 0, 2}, {2, 5, 1, 2}} << true;
}

void LostDeviceTest::trainingGoesOnWithoutALostDevice() {
    QFETCH(TestPlan, first);
    QFETCH(TestPlan, second);
    QFETCH(int, lost);
    QFETCH(Backups, backups);
    QFETCH(bool, adam);
    for (const int after : {5, 40}) {
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, narrowCnn(), trainingBy(adam), padded(), batches());
        coordinator.snapshotEvery = 2;
        coordinator.keepEvery = 4;
        coordinator.backups = backups;
        QCOMPARE(coordinator.start(first), QString());
        QCOMPARE(coordinator.runTo(4), QString());
        QVERIFY(home.waitFor([&] { return home.copies.size() == backups.size(); }));
        for (const LoopbackHome::StoredCopy &copy : home.copies)
            QCOMPARE(copy.version, quint64{4});
        for (int device = 0; device < home.devices(); ++device)
            home.note(device, QStringLiteral("commit"), {{QLatin1String("version"), 4}});
        int frames = 0;
        home.onFrame = [&](int, int, const TensorFrame &frame) {
            if (frame.header.kind != TensorKind::Replica)
                ++frames;
        };
        QCOMPARE(coordinator.runUntil([&] { return frames >= after; }, rounds), QString());
        home.lose(lost);
        QCOMPARE(coordinator.halt(), QString());
        QVERIFY(coordinator.newestWhole() >= 4);
        coordinator.backups.clear();
        coordinator.keepEvery = 0;
        QCOMPARE(coordinator.goOn(second), QString());
        QCOMPARE(coordinator.runTo(rounds), QString());
        compare(home, coordinator, adam);
        if (QTest::currentTestFailed())
            return;
    }
}

QTEST_GUILESS_MAIN(LostDeviceTest)
#include "lost_device_test.moc"
