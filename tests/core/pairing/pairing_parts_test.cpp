// The small parts of pairing: digits, names, pauses, the list of whom one ignores, what a person is told.
#include <QDateTime>
#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/private_file.h"
#include "core/home/plain_name.h"
#include "core/pairing/device_list.h"
#include "core/pairing/kept_backoff.h"
#include "core/pairing/name_skeleton.h"
#include "core/pairing/pairing_code.h"
#include "core/pairing/pairing_status.h"
#include "core/pairing/stranger_pauses.h"
#include "tests/core/pairing/session_pair.h"

using namespace hearth;
using namespace std::chrono_literals;

class PairingPartsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theDigitsAreThoseOfTheSpecification() {
        // SHA-256("hearth-pair/1 code" 01×32 02×32 'a'×32 'b'×32), first eight bytes, by Python's hashlib.
        const PairingKeys keys{someKey(1), someKey(2)};
        QCOMPARE(pairingCode(keys, QByteArray(32, 'a'), QByteArray(32, 'b')), QStringLiteral("302873"));
        QCOMPARE(pairingCommitment(keys, QByteArray(32, 'a')).toHex().left(16), QByteArray("2ab7508b524684f0"));
    }

    void everyPartChangesTheDigits() {
        const PairingKeys keys{someKey(1), someKey(2)};
        const QByteArray a(32, 'a'), b(32, 'b');
        QSet<QString> codes{pairingCode(keys, a, b),
                            pairingCode({someKey(3), someKey(2)}, a, b),
                            pairingCode({someKey(1), someKey(3)}, a, b),
                            pairingCode({someKey(2), someKey(1)}, a, b),
                            pairingCode(keys, b, b),
                            pairingCode(keys, a, a),
                            pairingCode(keys, b, a)};
        QCOMPARE(codes.size(), 7);
        QVERIFY(keepsCommitment(pairingCommitment(keys, a), keys, a));
        QVERIFY(!keepsCommitment(pairingCommitment(keys, a), keys, b));
        QVERIFY(!keepsCommitment(pairingCommitment(keys, a), {someKey(2), someKey(1)}, a));
        QVERIFY(!keepsCommitment(pairingCommitment(keys, a), keys, a.chopped(1)));
    }

    void noncesDoNotRepeat() {
        QSet<QByteArray> nonces;
        for (int i = 0; i < 1000; ++i) {
            nonces << makePairingNonce();
            QCOMPARE(makePairingNonce().size(), pairingNonceBytes);
        }
        QCOMPARE(nonces.size(), 1000);
    }

    void digitsAreEvenlySpread() {
        // Of 20,000 codes each first digit comes 2,000 times, within five standard deviations of 42.
        const PairingKeys keys{someKey(1), someKey(2)};
        std::array<int, 10> counts{};
        for (int i = 0; i < 20000; ++i) {
            const QString code = pairingCode(keys, QByteArray::number(i).leftJustified(32), QByteArray(32, 'b'));
            QCOMPARE(code.size(), 6);
            ++counts[static_cast<std::size_t>(code[0].digitValue())];
        }
        for (const int count : counts)
            QVERIFY2(std::abs(count - 2000) < 212, qPrintable(QString::number(count)));
    }

    void namesOfStrangersArePlain_data() {
        QTest::addColumn<QString>("told");
        QTest::addColumn<QString>("shown");
        QTest::newRow("an ordinary one") << "nano-1"
                                         << "nano-1";
        QTest::newRow("with letters of many kinds") << QStringLiteral("Küche Ω 日本") << QStringLiteral("Küche Ω 日本");
        QTest::newRow("markup stays what it is") << "<b>you</b>&amp;"
                                                 << "<b>you</b>&amp;";
        QTest::newRow("what steers a terminal") << QStringLiteral("a\x1b[2Jb\x07\r\nc") << "a [2Jb c";
        QTest::newRow("turned direction") << QStringLiteral("nano\u202e1-retirw\u2066") << "nano1-retirw";
        QTest::newRow("invisible characters") << QStringLiteral("na\u200bno\ufeff\u00ad") << "nano";
        QTest::newRow("a pile of marks") << QStringLiteral("a\u0335\u0336\u0337\u0338b") << QStringLiteral("a\u0335b");
        QTest::newRow("a mark that belongs there") << QStringLiteral("u\u0308") << QStringLiteral("\u00fc");
        QTest::newRow("only spaces") << "  \t\n "
                                     << "device";
        QTest::newRow("nothing") << ""
                                 << "device";
        QTest::newRow("too long") << QString(5000, QLatin1Char('x')) << QString(64, QLatin1Char('x'));
        QTest::newRow("letters that show nothing")
            << QStringLiteral("na\u3164n\u115f\u1160o\u034f-\ufe0f1\u17b4\u180b\uffa0\u2800") << "nano-1";
        QTest::newRow("nothing but those") << QStringLiteral("\u3164\u2800") << "device";
        QTest::newRow("a letter whose normal form is in a higher plane") << QStringLiteral("x\ufa6cy") << "xy";
        QTest::newRow("nothing but such letters") << QStringLiteral("\ufacf\ufad1") << "device";
        QTest::newRow("private characters") << QStringLiteral("x\ue000\ufff9y") << "xy";
    }
    void namesOfStrangersArePlain() {
        QFETCH(QString, told);
        QTEST(plainName(told), "shown");
        QCOMPARE(plainName(plainName(told)), plainName(told));
    }

    void namesThatLookAlikeAreToldApart_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isAlike");
        QTest::newRow("the same") << QStringLiteral("Nano-1") << true;
        QTest::newRow("in small letters") << QStringLiteral("nano-1") << true;
        QTest::newRow("with Cyrillic letters") << QStringLiteral("N\u0430n\u043e-1") << true;
        QTest::newRow("with Greek letters") << QStringLiteral("\u039dan\u03bf-1") << true;
        QTest::newRow("with wide letters") << QStringLiteral("\uff2e\uff41\uff4e\uff4f-1") << true;
        QTest::newRow("with a letter for a digit") << QStringLiteral("Nano-l") << true;
        QTest::newRow("with a digit for a letter") << QStringLiteral("Nan0-1") << true;
        QTest::newRow("with another dash") << QStringLiteral("Nano\u20111") << true;
        QTest::newRow("with a mark") << QStringLiteral("N\u00e1no-1") << true;
        QTest::newRow("with a letter that shows nothing") << QStringLiteral("Na\u3164no-1") << true;
        QTest::newRow("with a blank") << QStringLiteral("Nano -1") << true;
        QTest::newRow("another number") << QStringLiteral("Nano-2") << false;
        QTest::newRow("a part of it") << QStringLiteral("Nano") << false;
        QTest::newRow("another word") << QStringLiteral("K\u00fcche") << false;
        QTest::newRow("the other name, in Cyrillic") << QStringLiteral("\u0441\u0430t") << true;
    }
    void namesThatLookAlikeAreToldApart() {
        QFETCH(QString, name);
        QFETCH(bool, isAlike);
        const QStringList others{QStringLiteral("Nano-1"), QStringLiteral("cat")};
        const QString digits(64, QLatin1Char('7'));
        QCOMPARE(distinctName(name, digits, others), isAlike ? name + QStringLiteral(" (77777777)") : name);
        QCOMPARE(distinctName(name, digits, {}), name);
    }

    void aLongNameLeavesRoomForTheDigits() {
        const QString name(maximumDeviceName, QLatin1Char('x'));
        const QString shown = distinctName(name, QString(64, QLatin1Char('7')), {name});
        QCOMPARE(shown.size(), maximumDeviceName);
        QVERIFY(shown.endsWith(QStringLiteral("x (77777777)")));
    }

    void strangersPauseByNetworkAndTheOldestPausesGo() {
        StrangerPauses pauses{BackoffTimes{}};
        StrangerPauses::Time now{};
        now += 1h;
        const auto at = [](const char *text) { return QHostAddress(QLatin1String(text)); };
        pauses.left(at("2001:db8::1"), now);
        QCOMPARE(pauses.wait(at("2001:db8::ffff:2"), now), 2000ms);
        pauses.left(at("2001:db8::3"), now);
        QCOMPARE(pauses.wait(at("2001:db8::1"), now), 4000ms);
        QCOMPARE(pauses.wait(at("2001:db8:0:1::1"), now), 0ms);
        pauses.paired(at("2001:db8::7"));
        QCOMPARE(pauses.wait(at("2001:db8::1"), now), 0ms);
        pauses.left(at("10.0.0.1"), now);
        QCOMPARE(pauses.wait(at("::ffff:10.0.0.1"), now), 2000ms);
        QCOMPARE(pauses.wait(at("10.0.0.2"), now), 0ms);
        // One more than are kept: the one goes that has been quiet for longest, and no other.
        const auto number = [](std::size_t i) { return QHostAddress(static_cast<quint32>(0x0a010000 + i)); };
        StrangerPauses many{BackoffTimes{}};
        for (std::size_t i = 0; i < StrangerPauses::maximumNetworks; ++i)
            many.left(number(i), now);
        many.left(number(0), now);  // again
        many.left(number(StrangerPauses::maximumNetworks), now);
        for (std::size_t i = 0; i <= StrangerPauses::maximumNetworks; ++i)
            QCOMPARE(many.wait(number(i), now), i == 0 ? 4000ms : i == 1 ? 0ms : 2000ms);
    }

    void pausesDoubleUpToABound() {
        Backoff backoff;
        Backoff::Time now{};
        now += 1h;
        QCOMPARE(backoff.wait(now), 0ms);
        std::vector<qint64> pauses;
        for (int i = 0; i < 12; ++i) {
            backoff.fail(now);
            pauses.push_back(backoff.wait(now).count() / 1000);
            now += backoff.wait(now);
            QCOMPARE(backoff.wait(now), 0ms);
        }
        QCOMPARE(pauses, (std::vector<qint64>{2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300}));
        backoff.succeed();
        QCOMPARE(backoff.wait(now), 0ms);
        QVERIFY(backoff.isOver(now));
    }

    void guessesOfAWholeDayAreFew() {
        Backoff backoff;
        Backoff::Time now{};
        now += 1h;
        const Backoff::Time end = now + 24h;
        int attempts = 0;
        for (; now < end; now += std::max<std::chrono::milliseconds>(backoff.wait(now), 1ms)) {
            backoff.fail(now);
            ++attempts;
        }
        qInfo("%d attempts a day: one in %d days", attempts, 1000000 / attempts);
        QVERIFY(attempts < 300);
    }

    void aRestartShortensNoPause() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("pause.json"));
        // So long that no loaded computer waits them out.
        const BackoffTimes times{1h, 100h, 1000h};
        const auto restarted = [&] {
            KeptBackoff backoff;
            backoff.setTimes(times);
            backoff.keepIn(path);
            return backoff;
        };
        KeptBackoff first = restarted();
        QCOMPARE(first.wait(Backoff::Time::clock::now()), 0ms);
        for (int i = 0; i < 3; ++i)
            first.fail(Backoff::Time::clock::now());
        KeptBackoff second = restarted();
        QCOMPARE(second.failures(), 3);
        const auto left = second.wait(Backoff::Time::clock::now());
        QVERIFY(left > 3h && left <= 4h);
        second.fail(Backoff::Time::clock::now());
        QCOMPARE(restarted().failures(), 4);
        second.succeed();
        QCOMPARE(restarted().wait(Backoff::Time::clock::now()), 0ms);
    }

    void failuresOnTheDiskAgeByTheComputersClock_data() {
        QTest::addColumn<qint64>("hoursAgo");
        QTest::addColumn<qint64>("hoursLeft");
        QTest::newRow("an hour ago") << qint64{1} << qint64{3};
        QTest::newRow("longer ago than the pause") << qint64{5} << qint64{0};
        QTest::newRow("in the future, after the clock was set back") << qint64{-50} << qint64{4};
    }
    void failuresOnTheDiskAgeByTheComputersClock() {
        QFETCH(qint64, hoursAgo);
        QFETCH(qint64, hoursLeft);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("pause.json"));
        QVERIFY(savePrivateJson(
            path, {{QStringLiteral("format"), QStringLiteral("hearth-pairing-pause/1")},
                   {QStringLiteral("failures"), 3},
                   {QStringLiteral("last_ms"), QDateTime::currentMSecsSinceEpoch() - hoursAgo * 3600'000}}));
        KeptBackoff backoff;
        backoff.setTimes({1h, 100h, 1000h});
        backoff.keepIn(path);
        const auto left = backoff.wait(Backoff::Time::clock::now());
        QVERIFY(left <= std::chrono::hours(hoursLeft) && (hoursLeft == 0 || left > std::chrono::hours(hoursLeft - 1)));
    }

    void aFileThatIsNoneCountsAsNoFailure() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("pause.json"));
        QVERIFY(savePrivateJson(path, {{QStringLiteral("failures"), -1}}));
        KeptBackoff backoff;
        backoff.keepIn(path);
        QCOMPARE(backoff.failures(), 0);
        backoff.fail(Backoff::Time::clock::now());
        QCOMPARE(backoff.failures(), 1);
    }

    void oldFailuresAreForgotten() {
        Backoff backoff;
        Backoff::Time now{};
        now += 1h;
        for (int i = 0; i < 5; ++i)
            backoff.fail(now);
        now += 15min;
        QVERIFY(backoff.isOver(now));
        backoff.fail(now);
        QCOMPARE(backoff.wait(now), 2000ms);
    }

    void whoIsIgnoredStaysIgnored() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("ignored.json"));
        const QString format = QStringLiteral("hearth-ignored/1");
        {
            auto list = DeviceList::load(path, format);
            QVERIFY(list);
            QVERIFY(list->add(someKey(1)));
            QVERIFY(list->add(someKey(2)));
            QVERIFY(list->add(someKey(1)));
            QVERIFY(list->remove(someKey(2)));
            QVERIFY(list->remove(someKey(3)));
        }
        const auto again = DeviceList::load(path, format);
        QVERIFY(again);
        QCOMPARE(again->devices().size(), std::size_t(1));
        QVERIFY(again->contains(someKey(1)));
        QVERIFY(!again->contains(someKey(2)));
        QCOMPARE(
            QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
            QFile::Permissions());
        QVERIFY(!DeviceList::load(path, QStringLiteral("hearth-trials/1")));
    }

    void theListDoesNotGrowWithoutEnd() {
        const QTemporaryDir folder;
        auto list = DeviceList::load(folder.filePath(QStringLiteral("ignored.json")), QStringLiteral("x/1"));
        QVERIFY(list);
        Fingerprint key;
        for (std::size_t i = 0; i < DeviceList::maximumDevices + 3; ++i) {
            key.bytes[0] = static_cast<quint8>(i);
            key.bytes[1] = static_cast<quint8>(i >> 8);
            key.bytes[2] = 1;
            QVERIFY(list->add(key));
        }
        QCOMPARE(list->devices().size(), DeviceList::maximumDevices);
        QVERIFY(list->contains(key));
    }

    void aListThatIsNoPlainPrivateFileIsRefused_data() {
        QTest::addColumn<QString>("kind");
        for (const char *kind : {"a link", "a folder", "others may write", "no JSON", "another format", "no keys"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void aListThatIsNoPlainPrivateFileIsRefused() {
        QFETCH(QString, kind);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("ignored.json"));
        const auto write = [&](const QString &to, const QByteArray &text) {
            QFile file(to);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        const QByteArray good = R"({"format":"hearth-ignored/1","devices":[]})";
        if (kind == QLatin1String("a link")) {
            write(folder.filePath(QStringLiteral("other")), good);
            QVERIFY(QFile::link(folder.filePath(QStringLiteral("other")), path));
        } else if (kind == QLatin1String("a folder")) {
            QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("ignored.json")));
        } else if (kind == QLatin1String("others may write")) {
            write(path, good);
            QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::WriteOther));
        } else if (kind == QLatin1String("no JSON")) {
            write(path, "[");
        } else if (kind == QLatin1String("another format")) {
            write(path, R"({"format":"hearth-trust/1","devices":[]})");
        } else {
            write(path, R"({"format":"hearth-ignored/1","devices":["abc"]})");
        }
        QVERIFY(!DeviceList::load(path, QStringLiteral("hearth-ignored/1")));
    }

    void aLinkThatAppearsLaterIsNotWrittenThrough() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("ignored.json"));
        const QString target = folder.filePath(QStringLiteral("target"));
        auto list = DeviceList::load(path, QStringLiteral("x/1"));
        QVERIFY(list);
        QVERIFY(QFile::link(target, path));
        QVERIFY(!list->add(someKey(1)));
        QVERIFY(!list->contains(someKey(1)));
        QVERIFY(!QFile::exists(target));
    }

    void theStatusTravels() {
        PairingStatus status;
        status.phase = PairingPhase::Compare;
        status.incoming = true;
        status.name = QStringLiteral("nano");
        status.fingerprint = someKey(5).toHex();
        status.address = QStringLiteral("10.0.0.2:47600");
        status.code = QStringLiteral("012345");
        status.secondsLeft = 42;
        QCOMPARE(PairingStatus::fromCbor(status.toCbor()), status);
        status.error = Error{QStringLiteral("a.b"), QStringLiteral("What."), {}, {}};
        QCOMPARE(PairingStatus::fromCbor(status.toCbor()), status);
        QCOMPARE(PairingStatus::fromCbor({}), PairingStatus());
        QCOMPARE(status.toJson()[QLatin1String("code")].toString(), QStringLiteral("012345"));
        QVERIFY(!PairingStatus().toJson().contains(QLatin1String("code")));
    }
};

QTEST_GUILESS_MAIN(PairingPartsTest)
#include "pairing_parts_test.moc"
