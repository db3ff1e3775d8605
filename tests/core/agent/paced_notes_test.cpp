// Devices that say more of themselves than others can hear.
#include <QTest>
#include <map>

#include "core/agent/paced_notes.h"
#include "core/base/cbor.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

constexpr qint64 many = 1000;  // some minutes' worth

Fingerprint deviceOf(quint8 seed) {
    Fingerprint print;
    print.bytes.fill(seed);
    return print;
}

}  // namespace

class PacedNotesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aFewNotesAreHandedOnAtOnce() {
        Heard heard;
        PacedNotes notes(taker(heard));
        for (qint64 i = 0; i < qint64(PacedNotes::burst); ++i)
            notes.told(deviceOf(1), {{QStringLiteral("n"), i}});
        QCOMPARE(heard[deviceOf(1)].size(), qsizetype(PacedNotes::burst));
    }

    void ofAFloodTheNewestIsHandedOnLater() {
        Heard heard;
        PacedNotes notes(taker(heard));
        flood(notes, 1);
        QVERIFY(heard[deviceOf(1)].size() < many / 2);
        QVERIFY(heard[deviceOf(1)].last() < many - 1);
        QTRY_COMPARE_WITH_TIMEOUT(heard[deviceOf(1)].last(), many - 1, patience);
        QVERIFY(heard[deviceOf(1)].size() < many / 2);
    }

    void oneDevicesFloodDoesNotDelayAnother() {
        Heard heard;
        PacedNotes notes(taker(heard));
        flood(notes, 1);
        notes.told(deviceOf(2), {{QStringLiteral("n"), 7}});
        QCOMPARE(heard[deviceOf(2)], QList<qint64>{7});
    }

    void whatIsOutOfDateIsNotHandedOn() {
        Heard heard;
        PacedNotes notes(taker(heard));
        flood(notes, 1);
        flood(notes, 2);
        notes.drop(deviceOf(1));
        QTRY_COMPARE_WITH_TIMEOUT(heard[deviceOf(2)].last(), many - 1, patience);
        QVERIFY(heard[deviceOf(1)].last() < many - 1);
    }

  private:
    using Heard = std::map<Fingerprint, QList<qint64>>;

    static PacedNotes::Take taker(Heard &heard) {
        return [&heard](const Fingerprint &from, const QCborMap &note) {
            heard[from] << integerOf(note[QStringLiteral("n")]);
        };
    }
    static void flood(PacedNotes &notes, quint8 device) {
        for (qint64 i = 0; i < many; ++i)
            notes.told(deviceOf(device), {{QStringLiteral("n"), i}});
    }
};

QTEST_GUILESS_MAIN(PacedNotesTest)
#include "paced_notes_test.moc"
