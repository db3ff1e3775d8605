// The bytes of a pairing: what is written is read, and nothing else is.
#include <QCborArray>
#include <QCborMap>
#include <QTest>

#include "core/pairing/pairing_code.h"
#include "core/pairing/pairing_message.h"
#include "core/wire/stranger_link.h"

using namespace hearth;

namespace {

QCborMap message(const char *kind) {
    return {{QStringLiteral("v"), 1}, {QStringLiteral("k"), QString::fromLatin1(kind)}};
}

QCborMap with(QCborMap map, const char *key, const QCborValue &value) {
    map[QString::fromLatin1(key)] = value;
    return map;
}

QCborMap hello() {
    return with(with(message("hello"), "name", QStringLiteral("nano")), "port", 47600);
}

}  // namespace

class PairingMessageTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyMessageComesBack() {
        const QByteArray nonce(pairingNonceBytes, 'n');
        std::vector<PairingMessage> all{PairingHello{QStringLiteral("Küche & co"), 47600, QByteArray(32, 'c')},
                                        PairingHello{QStringLiteral("nano"), 0, {}},
                                        PairingNonce{nonce},
                                        PairingReveal{nonce},
                                        PairingConfirm{},
                                        PairingStored{}};
        for (int end = 0; end <= static_cast<int>(PairingEnd::Crossed); ++end)
            all.push_back(static_cast<PairingEnd>(end));
        for (const PairingMessage &one : all) {
            const QByteArray bytes = encodePairingMessage(one);
            QVERIFY(bytes.size() < StrangerLink::maximumMessage);
            const auto read = decodePairingMessage(bytes);
            QVERIFY(read);
            QVERIFY(*read == one);
        }
    }

    void theLongestNameFits() {
        const PairingHello longest{QString(64, QChar(0x6f22)), 65535, QByteArray(32, 'c')};
        QVERIFY(encodePairingMessage(longest).size() <= StrangerLink::maximumMessage);
    }

    void whatIsNoMessageIsAnError_data() {
        QTest::addColumn<QByteArray>("bytes");
        const auto add = [](const char *name, const QCborValue &value) { QTest::newRow(name) << value.toCbor(); };
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("garbage") << QByteArray("\x9f\x9f\x9f\x9f");
        QTest::newRow("a map and more") << QCborValue(message("confirm")).toCbor() + 'x';
        QTest::newRow("half a map") << QCborValue(hello()).toCbor().chopped(3);
        QTest::newRow("deeply nested arrays") << QByteArray(500, '\x81');
        QTest::newRow("a string that says it is huge") << QByteArray("\x7b\x7f\xff\xff\xff\xff\xff\xff\xff", 9);
        QTest::newRow("too long") << QCborValue(with(hello(), "name", QString(600, QLatin1Char('x')))).toCbor();
        add("a number", 5);
        add("no version", QCborMap{{QStringLiteral("k"), QStringLiteral("confirm")}});
        add("another version", with(message("confirm"), "v", 2));
        add("a version that is a fraction", with(message("confirm"), "v", 1.0));
        add("an unknown kind", message("sudo"));
        add("a kind that is a number", with(message("confirm"), "k", 3));
        add("a confirmation with more in it", with(message("confirm"), "match", true));
        add("a nonce without one", message("nonce"));
        add("a nonce of 31 bytes", with(message("nonce"), "nonce", QByteArray(31, 'n')));
        add("a nonce of 33 bytes", with(message("nonce"), "nonce", QByteArray(33, 'n')));
        add("a nonce that is a text", with(message("nonce"), "nonce", QString(32, QLatin1Char('n'))));
        add("a reveal with more in it",
            with(with(message("reveal"), "nonce", QByteArray(32, 'n')), "commit", QByteArray(32, 'c')));
        add("an introduction without a name", with(message("hello"), "port", 1));
        add("an introduction without a port", with(message("hello"), "name", QStringLiteral("x")));
        add("a name that is a map", with(hello(), "name", QCborMap()));
        add("a port that is too large", with(hello(), "port", 65536));
        add("a port below 0", with(hello(), "port", -1));
        add("a port that is a fraction", with(hello(), "port", 1.5));
        add("a commitment of 31 bytes", with(hello(), "commit", QByteArray(31, 'c')));
        add("an empty commitment", with(hello(), "commit", QByteArray()));
        add("an introduction with more in it", with(hello(), "trust", true));
        add("an end without a reason", message("end"));
        add("an end for a reason that nobody knows", with(message("end"), "why", QStringLiteral("because")));
        add("an end with a text",
            with(with(message("end"), "why", QStringLiteral("busy")), "text", QStringLiteral("x")));
    }
    void whatIsNoMessageIsAnError() {
        QFETCH(QByteArray, bytes);
        const auto read = decodePairingMessage(bytes);
        QVERIFY(!read);
        QCOMPARE(read.error().code, QStringLiteral("pairing.broken"));
    }

    void theNameIsCleanedWhenItIsRead() {
        const auto read =
            decodePairingMessage(QCborValue(with(hello(), "name", QStringLiteral("\x1b[31mevil\n\tname"))).toCbor());
        QVERIFY(read);
        QCOMPARE(std::get<PairingHello>(*read).name, QStringLiteral("[31mevil name"));
    }
};

QTEST_GUILESS_MAIN(PairingMessageTest)
#include "pairing_message_test.moc"
