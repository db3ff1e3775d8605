#include <QTest>

#include "core/base/chunk_packing.h"

using namespace hearth;
using namespace std::chrono_literals;

class TestChunkPacking : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void itPaysWhereTheLinkIsSlower_data() {
        QTest::addColumn<double>("link");
        QTest::addColumn<int>("packed");
        QTest::addColumn<bool>("pays");
        // 64 kB take 0.1 ms: 640 MB/s.
        QTest::newRow("100 Mbit/s, a seventh saved") << 12.5e6 << 55'000 << true;
        QTest::newRow("1 Gbit/s, a seventh saved") << 125e6 << 55'000 << true;
        QTest::newRow("10 Gbit/s, a seventh saved") << 1250e6 << 55'000 << false;
        QTest::newRow("10 Gbit/s, nine tenths saved") << 1250e6 << 6'400 << false;
        QTest::newRow("100 Mbit/s, nothing saved") << 12.5e6 << 64'000 << false;
        QTest::newRow("a link that nobody knows") << 0.0 << 6'400 << false;
    }
    void itPaysWhereTheLinkIsSlower() {
        QFETCH(double, link);
        QFETCH(int, packed);
        QFETCH(bool, pays);
        ChunkPacking packing;
        QVERIFY(!packing.pays(link));
        for (int i = 0; i < ChunkPacking::tried; ++i)
            packing.packed(64'000, packed, 100us);
        QCOMPARE(packing.pays(link), pays);
        QCOMPARE(packing.packsNext(link), pays);
    }

    /// A round waits for what crosses its cuts: what is saved must be worth more than what packing takes.
    void ofACutItIsTheSavingsThatCount_data() {
        QTest::addColumn<double>("link");
        QTest::addColumn<int>("packed");
        QTest::addColumn<bool>("pays");
        // 64 kB take 0.1 ms.
        QTest::newRow("100 Mbit/s, a seventh saved") << 12.5e6 << 55'000 << true;
        QTest::newRow("1 Gbit/s, a seventh saved") << 125e6 << 55'000 << false;
        QTest::newRow("1 Gbit/s, half of it saved") << 125e6 << 32'000 << true;
        QTest::newRow("100 Mbit/s, nothing saved") << 12.5e6 << 64'000 << false;
    }
    void ofACutItIsTheSavingsThatCount() {
        QFETCH(double, link);
        QFETCH(int, packed);
        QFETCH(bool, pays);
        ChunkPacking packing(ChunkPacking::Against::SavedSending);
        for (int i = 0; i < ChunkPacking::tried; ++i)
            packing.packed(64'000, packed, 100us);
        QCOMPARE(packing.packsNext(link), pays);
        QVERIFY(!packing.packsNext(ChunkPacking::fastLink));
    }

    void theFirstChunksTell() {
        ChunkPacking packing;
        QVERIFY(!packing.packsNext(0));
        // The very first takes forty times as long.
        for (int i = 0; i < ChunkPacking::tried; ++i) {
            QVERIFY(packing.packsNext(12.5e6));
            packing.packed(64'000, 55'000, i == 0 ? 4ms : 100us);
        }
        QVERIFY(packing.pays(12.5e6));
    }

    void whatDidNotPayIsTriedAgain() {
        ChunkPacking packing;
        for (int i = 0; i < ChunkPacking::tried; ++i)
            packing.packed(64'000, 64'000, 100us);
        for (int i = 0; i < ChunkPacking::pause; ++i)
            QVERIFY(!packing.packsNext(12.5e6));
        // What comes now can be packed: a few trials, and it is.
        for (int i = 0; i < ChunkPacking::tried; ++i) {
            QVERIFY(packing.packsNext(12.5e6));
            packing.packed(64'000, 16'000, 100us);
        }
        QVERIFY(packing.packsNext(12.5e6));
    }

    void whatNeverPaysIsTriedMoreAndMoreSeldom() {
        ChunkPacking packing;
        int tries = 0;
        for (int i = 0; i < 100 * ChunkPacking::pause; ++i) {
            if (!packing.packsNext(12.5e6))
                continue;
            ++tries;
            packing.packed(64'000, 64'000, 100us);
        }
        QCOMPARE(tries, 7 * ChunkPacking::tried);  // at once, after 64 chunks, 128 more, 256, ... 2,048
    }
};

QTEST_GUILESS_MAIN(TestChunkPacking)
#include "test_chunk_packing.moc"
