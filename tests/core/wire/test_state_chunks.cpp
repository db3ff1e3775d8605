#include <QTest>
#include <algorithm>
#include <cstring>

#include "core/wire/state_chunks.h"

using namespace hearth;

namespace {

std::shared_ptr<Buffer> filled(qsizetype bytes) {
    auto buffer = Buffer::allocate(bytes);
    for (qsizetype i = 0; i < bytes; ++i)
        buffer->data()[i] = static_cast<std::byte>((i * 7 + i / 251) & 0xff);
    return buffer;
}

TensorFrame chunkOf(const std::shared_ptr<const Buffer> &state, int index) {
    const Payload payload = stateChunkPayload(state, index);
    auto copy = Buffer::allocate(payload.size);
    std::memcpy(copy->data(), payload.data, static_cast<std::size_t>(payload.size));
    return {stateChunkHeader({3, 9, index, stateChunkCount(state->size())}, state->size(), 5), copy};
}

}  // namespace

class TestStateChunks : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void chunksCoverTheState_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<int>("count");
        QTest::newRow("nothing") << qint64{0} << 0;
        QTest::newRow("one byte") << qint64{1} << 1;
        QTest::newRow("one chunk") << stateChunkBytes << 1;
        QTest::newRow("one byte more") << stateChunkBytes + 1 << 2;
        QTest::newRow("three and a half") << stateChunkBytes * 7 / 2 << 4;
    }
    void chunksCoverTheState() {
        QFETCH(qint64, bytes);
        QFETCH(int, count);
        QCOMPARE(stateChunkCount(bytes), count);
        const auto state = filled(bytes);
        StateAssembly assembly(3, 9, bytes);
        for (int index = count - 1; index >= 0; --index) {
            QVERIFY(!assembly.complete());
            const TensorFrame frame = chunkOf(state, index);
            QVERIFY(isStateChunk(frame.header));
            QCOMPARE(*frame.header.bytesOfShape(), static_cast<quint64>(frame.payload->size()));
            QVERIFY(!assembly.has(static_cast<quint32>(index)));
            QVERIFY(assembly.add(frame));
            QVERIFY(assembly.has(static_cast<quint32>(index)));
        }
        QVERIFY(assembly.complete());
        QVERIFY(!assembly.has(static_cast<quint32>(count)));
        QCOMPARE(assembly.version(), quint64{9});
        QVERIFY(std::ranges::equal(assembly.state()->bytes(), state->bytes()));
    }

    void packedAndPlainChunksMayMix() {
        const auto state = Buffer::allocate(stateChunkBytes * 3 + 10);
        std::ranges::copy(filled(state->size())->bytes(), state->data());
        std::fill_n(state->data() + stateChunkBytes, stateChunkBytes / 2, std::byte{0});
        StateAssembly assembly(3, 9, state->size());
        int packed = 0;
        for (int index = 0; index < 4; ++index) {
            TensorFrame frame = chunkOf(state, index);
            Payload payload = Payload::of(frame.payload);
            const TensorHeader plain = frame.header;
            if (index != 2 && packStateChunk(frame.header, payload)) {
                ++packed;
                QVERIFY(isStateChunk(frame.header));
                QVERIFY(payload.size < frame.payload->size());
                QCOMPARE(*frame.header.bytesOfShape(), static_cast<quint64>(payload.size));
                frame.payload = Buffer::allocate(payload.size);
                std::memcpy(frame.payload->data(), payload.data, static_cast<std::size_t>(payload.size));
            } else {
                QCOMPARE(frame.header, plain);
            }
            QVERIFY(assembly.add(frame));
        }
        QVERIFY(packed >= 1);
        QVERIFY(assembly.complete());
        QVERIFY(std::ranges::equal(assembly.state()->bytes(), state->bytes()));
    }

    void aPayloadKeepsItsState() {
        auto state = filled(10);
        const std::weak_ptr<Buffer> watch = state;
        auto payload = std::make_unique<Payload>(stateChunkPayload(state, 0));
        state.reset();
        QVERIFY(!watch.expired());
        payload.reset();
        QVERIFY(watch.expired());
    }

    void memoryCanBeGiven() {
        const auto memory = Buffer::allocate(40);
        StateAssembly assembly(3, 9, memory);
        QVERIFY(assembly.add(chunkOf(filled(40), 0)));
        QCOMPARE(assembly.state()->data(), memory->data());
    }

    void whatDoesNotFitIsRefused_data() {
        QTest::addColumn<QString>("what");
        for (const char *what : {"another layer", "another version", "no state chunk", "weights", "another count",
                                 "a chunk beyond the last", "a short chunk", "a long last chunk", "a chunk twice",
                                 "packed, and damaged", "packed, of another size"})
            QTest::newRow(what) << QString::fromLatin1(what);
    }
    void whatDoesNotFitIsRefused() {
        QFETCH(QString, what);
        const auto state = filled(stateChunkBytes + 10);
        StateAssembly assembly(3, 9, state->size());
        TensorFrame frame = chunkOf(state, 0);
        if (what == QLatin1String("another layer"))
            frame.header.stage = 4;
        if (what == QLatin1String("another version"))
            frame.header.version = 10;
        if (what == QLatin1String("no state chunk"))
            frame.header.kind = TensorKind::Activation;
        if (what == QLatin1String("weights"))
            frame.header.dtype = DType::Float32;
        if (what == QLatin1String("another count"))
            frame.header.sampleCount = 3;
        if (what == QLatin1String("a chunk beyond the last"))
            frame.header.firstSample = 2;
        if (what == QLatin1String("a short chunk"))
            frame.payload = filled(stateChunkBytes - 1);
        if (what == QLatin1String("a long last chunk")) {
            frame = chunkOf(state, 1);
            frame.payload = filled(11);
        }
        if (what == QLatin1String("a chunk twice"))
            QVERIFY(assembly.add(frame));
        if (what.startsWith(QLatin1String("packed"))) {
            const auto zeros =
                Buffer::allocate(what.endsWith(QLatin1String("size")) ? stateChunkBytes - 4 : stateChunkBytes);
            std::fill_n(zeros->data(), zeros->size(), std::byte{0});
            Payload payload = Payload::of(zeros);
            QVERIFY(packStateChunk(frame.header, payload));
            frame.payload = Buffer::allocate(payload.size);
            std::memcpy(frame.payload->data(), payload.data, static_cast<std::size_t>(payload.size));
            if (what.endsWith(QLatin1String("damaged")))
                frame.payload->data()[frame.payload->size() - 1] ^= std::byte{0xff},
                    frame.payload->data()[10] ^= std::byte{0xff};
        }
        const auto added = assembly.add(frame);
        QVERIFY(!added);
        QCOMPARE(added.error().code, QStringLiteral("wire.bad-state"));
        QVERIFY(!added.error().cause.isEmpty());
        QVERIFY(!assembly.complete());
    }
};

QTEST_GUILESS_MAIN(TestStateChunks)
#include "test_state_chunks.moc"
