#include <QTest>
#include <cstring>

#include "core/train/cut_assembly.h"

using namespace hearth;

namespace {

const std::vector<Slot> cut{{DType::Float32, {2}, true}, {DType::Int64, {3}, false}};

/// Samples [first, first + count) of every micro-batch; each value is `value`.
template <class T>
TensorFrame frame(std::size_t slot, int first, int count, T value) {
    TensorFrame result;
    result.header.slot = static_cast<quint16>(slot);
    result.header.dtype = slot < cut.size() ? cut[slot].dtype : DType::Float32;
    result.header.firstSample = static_cast<quint32>(first);
    result.header.sampleCount = static_cast<quint32>(count);
    result.header.dims = {static_cast<quint32>(count)};
    for (const qint64 dimension : cut[slot % cut.size()].shape)
        result.header.dims.push_back(static_cast<quint32>(dimension));
    const std::vector<T> values(static_cast<std::size_t>(count * cut[slot % cut.size()].elements()), value);
    result.payload = Buffer::allocate(static_cast<qsizetype>(values.size() * sizeof(T)));
    std::memcpy(result.payload->data(), values.data(), values.size() * sizeof(T));
    result.header.rawBytes = result.header.encodedBytes = static_cast<quint64>(result.payload->size());
    return result;
}

}  // namespace

/// Of a cut that two tensors cross, from two members of the stage before.
class CutAssemblyTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void valuesAreThereWithTheLastSlot() {
        CutAssembly values({0, 4}, senders(), cut, CutAssembly::Carries::Values);
        QVERIFY(values.add(0, frame(0, 0, 3, 1.5F), cut));
        QVERIFY(values.add(1, frame(0, 3, 1, 2.5F), cut));
        QVERIFY(values.add(1, frame(1, 3, 1, qint64{8}), cut));
        QVERIFY(!values.complete());
        QVERIFY(values.add(0, frame(1, 0, 3, qint64{7}), cut));
        QVERIFY(values.complete());
        const Tensors tensors = values.take();
        QCOMPARE(tensors.size(), cut.size());
        QCOMPARE(tensors[0].scalar_type(), at::kFloat);
        QCOMPARE(tensors[0].sum().item<double>(), 3 * 2 * 1.5 + 2 * 2.5);
        QCOMPARE(tensors[1].scalar_type(), at::kLong);
        QCOMPARE(tensors[1].sum().item<std::int64_t>(), std::int64_t{3 * 3 * 7 + 3 * 8});
    }

    void onlySlotsWithAGradientSendOneBack() {
        CutAssembly gradients({0, 4}, senders(), cut, CutAssembly::Carries::Gradients);
        QVERIFY(!gradients.add(0, frame(1, 0, 3, qint64{7}), cut));
        QVERIFY(gradients.add(0, frame(0, 0, 3, 1.F), cut));
        QVERIFY(!gradients.complete());
        QVERIFY(gradients.add(1, frame(0, 3, 1, 1.F), cut));
        QVERIFY(gradients.complete());
        const Tensors tensors = gradients.take();
        QVERIFY(tensors[0].defined() && !tensors[1].defined());
    }

    void aFrameOfNoSlotIsRefused_data() {
        QTest::addColumn<int>("slot");
        QTest::addColumn<bool>("otherType");
        QTest::newRow("behind the last slot") << 2 << false;
        QTest::newRow("of another slot's type") << 0 << true;
    }
    void aFrameOfNoSlotIsRefused() {
        QFETCH(int, slot);
        QFETCH(bool, otherType);
        CutAssembly values({0, 4}, senders(), cut, CutAssembly::Carries::Values);
        TensorFrame wrong = frame(static_cast<std::size_t>(slot), 0, 3, 1.F);
        if (otherType)
            wrong.header.dtype = DType::Int64;
        const auto added = values.add(0, wrong, cut);
        QVERIFY(!added);
        QCOMPARE(added.error().code, QStringLiteral("worker.bad-frame"));
    }

  private:
    static std::vector<Portion> senders() { return {{0, {0, 3}}, {1, {3, 1}}}; }
};

QTEST_GUILESS_MAIN(CutAssemblyTest)
#include "cut_assembly_test.moc"
