#include <QTest>
#include <random>
#include <vector>

#include "core/base/crc32c.h"

using namespace hearth;

class TestCrc32c : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void knownValues_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<quint32>("expected");
        QTest::newRow("nothing") << QByteArray() << 0u;
        QTest::newRow("the check value of the catalogue") << QByteArray("123456789") << 0xe3069283u;
        QTest::newRow("32 zeros (RFC 3720)") << QByteArray(32, '\0') << 0x8a9136aau;
        QTest::newRow("32 ones (RFC 3720)") << QByteArray(32, '\xff') << 0x62a8ab43u;
    }

    void knownValues() {
        QFETCH(QByteArray, bytes);
        QFETCH(quint32, expected);
        const auto view = std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        QCOMPARE(crc32c(view), expected);
        QCOMPARE(crc32cByTable(view), expected);
    }

    void bothWaysAgreeForAllSizesAndAlignments() {
        std::mt19937 random(7);
        std::vector<std::byte> bytes(20000);
        for (auto &byte : bytes)
            byte = static_cast<std::byte>(random());
        for (std::size_t size : {1u, 7u, 8u, 63u, 1023u, 1024u, 3071u, 3072u, 3073u, 6144u, 9999u, 19000u}) {
            for (std::size_t from = 0; from < 9; ++from) {
                const auto part = std::span<const std::byte>(bytes).subspan(from, size);
                QCOMPARE(crc32c(part), crc32cByTable(part));
            }
        }
    }

    void piecesGiveTheSameAsTheWhole() {
        std::vector<std::byte> bytes(10000, std::byte{0x5a});
        const std::span<const std::byte> whole(bytes);
        for (std::size_t cut : {0u, 1u, 100u, 3072u, 9999u, 10000u})
            QCOMPARE(crc32c(whole.subspan(cut), crc32c(whole.first(cut))), crc32c(whole));
    }
};

QTEST_GUILESS_MAIN(TestCrc32c)
#include "test_crc32c.moc"
