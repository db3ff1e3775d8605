// What a card does with flat buffers, against the processor's functions, byte for byte.
#include <QTest>
#include <optional>

#include "core/train/flat_math.h"
#include "tests/core/cuda/kernel_case.h"

using namespace hearth;

namespace {

std::uint8_t *maskBefore(void *mask, qint64 first) {
    return static_cast<std::uint8_t *>(mask) - first;
}

}  // namespace

class CudaFlatTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = whyNoCard(); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        m_stream.emplace();
    }
    void cleanupTestCase() { m_stream.reset(); }

    void gradientsAreAdded_data() { addTypes(); }
    void gradientsAreAdded() {
        QFETCH(DType, type);
        for (const qint64 count : sizes) {
            for (const auto &[one, other] : offsets) {
                Bytes target = numbers(type, count);
                const Bytes addend = numbers(type, count);
                const OnCard cardTarget(target, bytesOf(type, qint64(one)));
                const OnCard cardAddend(addend, bytesOf(type, qint64(other)));
                cuda::addInto(cardTarget.data(), cardAddend.data(), count, realOf(type), *m_stream);
                addInto(target.data(), addend.data(), count, type);
                COMPARE_CARD(cardTarget, target, placeOf(count, one, other));
                COMPARE_CARD(cardAddend, addend, placeOf(count, one, other));
            }
        }
    }

    void whatRoundingLostIsKept_data() { addTypes(); }
    void whatRoundingLostIsKept() {
        QFETCH(DType, type);
        for (const qint64 count : sizes) {
            for (const auto &[one, other] : offsets) {
                Bytes value = numbers(type, count), error(bytesOf(type, count));
                const Bytes rounded = numbers(type, count);
                const OnCard cardValue(value, bytesOf(type, qint64(one)));
                const OnCard cardError(error.size(), bytesOf(type, qint64(one)));
                const OnCard cardRounded(rounded, bytesOf(type, qint64(other)));
                cuda::takeRounded(cardValue.data(), cardError.data(), cardRounded.data(), count, realOf(type),
                                  *m_stream);
                takeRounded(value.data(), error.data(), rounded.data(), count, type);
                COMPARE_CARD(cardValue, value, placeOf(count, one, other));
                COMPARE_CARD(cardError, error, placeOf(count, one, other));
            }
        }
    }

    void masksAreTheSaltsOwn() {
        for (const qint64 count : sizes) {
            for (const qint64 first : {qint64(0), qint64(1), qint64(6), (qint64(1) << 33) + 7}) {
                for (const std::size_t offset : {std::size_t(0), std::size_t(1), std::size_t(9)}) {
                    for (const double probability : {0.0, 0.1, 0.999}) {
                        const quint64 salt = random64();
                        Bytes kept(static_cast<std::size_t>(count));
                        const OnCard cardKept(kept.size(), offset);
                        // Both count elements from the mask's beginning, of which there may be no memory.
                        cuda::drawKept(maskBefore(cardKept.data(), first), first, first + count, probability, salt,
                                       *m_stream);
                        drawKept(maskBefore(kept.data(), first), first, first + count, probability, salt);
                        COMPARE_CARD(cardKept, kept, placeOf(count, std::size_t(first), offset));
                    }
                }
            }
        }
    }

    void whatAMaskDropsIsZero_data() { addTypes(); }
    void whatAMaskDropsIsZero() {
        QFETCH(DType, type);
        for (const qint64 count : sizes) {
            for (const auto &[one, other] : offsets) {
                const Bytes source = numbers(type, count);
                Bytes target(source.size()), kept(static_cast<std::size_t>(count));
                drawKept(maskBefore(kept.data(), 0), 0, count, 0.3, random64());
                const OnCard cardSource(source, bytesOf(type, qint64(one)));
                const OnCard cardTarget(target.size(), bytesOf(type, qint64(other)));
                const OnCard cardKept(kept, one);
                const double factor = 1 / 0.7;
                cuda::multiplyKept(cardTarget.data(), cardSource.data(), cardKept.data<std::uint8_t>(), factor, count,
                                   realOf(type), *m_stream);
                multiplyKept(target.data(), source.data(), maskBefore(kept.data(), 0), factor, count, type);
                COMPARE_CARD(cardTarget, target, placeOf(count, one, other));
            }
        }
    }

    void whatCudaRefusesIsTold() {
        const OnCard values(16);
        // More blocks of threads than any card takes.
        cuda::addInto(values.data(), values.data(), qint64(1) << 50, cuda::Real::Float32, *m_stream);
        QVERIFY(cuda::lastError());
        QVERIFY(!cuda::lastError());
    }

  private:
    std::optional<CardStream> m_stream;
};

QTEST_GUILESS_MAIN(CudaFlatTest)
#include "flat_test.moc"
