// Buffers of states that are used again.
#include <QTest>
#include <set>

#include "core/train/buffer_pool.h"
#include "core/train/state_store.h"

using namespace hearth;

class BufferPoolTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void buffersComeBack() {
        const auto pool = BufferPool::make();
        pool->setCapacity(1 << 20);
        StateStore store;
        std::set<const std::byte *> places;
        for (quint64 version = 1; version <= 50; ++version) {
            for (int layer = 0; layer < 3; ++layer) {
                auto buffer = pool->take(qsizetype{1000} * (layer + 1));
                places.insert(buffer->data());
                store.put(layer, version, std::move(buffer), 1);
            }
            store.keepNewest(0, 3, 2);
            QVERIFY(store.bytes() <= 12000);
        }
        QCOMPARE(places.size(), std::size_t{9});
        QCOMPARE(pool->idleBytes(), 6000);
    }

    void buffersBeyondTheCapacityAreFreed() {
        auto pool = BufferPool::make();
        pool->setCapacity(1500);
        auto first = pool->take(1000), second = pool->take(1000);
        std::shared_ptr<const Buffer> held = second;
        first.reset();
        second.reset();
        QCOMPARE(pool->idleBytes(), 1000);
        held.reset();
        QCOMPARE(pool->idleBytes(), 1000);
        pool->setCapacity(0);
        QCOMPARE(pool->idleBytes(), 0);
        first = pool->take(8);
        pool.reset();  // the buffer lives on
        first->data()[7] = std::byte{1};
    }

    void whatLayLongestIsFreedFirst() {
        const auto pool = BufferPool::make();
        pool->setCapacity(3000);
        auto former = pool->take(2000), small = pool->take(600), other = pool->take(900);
        const std::byte *place = small->data();
        former.reset();
        small.reset();
        other.reset();
        QCOMPARE(pool->idleBytes(), 1500);
        small = pool->take(600);
        QCOMPARE(small->data(), place);
    }
};

QTEST_GUILESS_MAIN(BufferPoolTest)
#include "buffer_pool_test.moc"
