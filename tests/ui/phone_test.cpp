// The page for a phone: what it says, and when it ends.
#include <QJsonArray>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QUrl>

#include "tests/core/base/patience.h"
#include "tests/ui/run_fixture.h"
#include "ui/phone/phone_page.h"
#include "ui/phone/phone_state.h"
#include "ui/run/event_sentences.h"
#include "ui/train/run_texts.h"
#include "ui/train/train_devices.h"
#include "ui/train/train_figures.h"

using namespace hearth;

class PhoneTest : public RunFixture {
    Q_OBJECT

    struct Answer {
        int status = 0;  // 0: there was none
        QByteArray body;
    };

    FakeHomeSource m_home;
    QNetworkAccessManager m_network;

    Answer ask(const QString &address) {
        const std::unique_ptr<QNetworkReply> reply(m_network.get(QNetworkRequest(QUrl(address))));
        if (!QTest::qWaitFor([&reply] { return reply->isFinished(); }, patience))
            qFatal("no answer and no refusal");
        return {reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), reply->readAll()};
    }
    /// Shown at this computer's own address.
    std::unique_ptr<PhonePage> show(const RunModel &run) const {
        auto page = std::make_unique<PhonePage>(m_home, run);
        page->setHosts([] { return QList<QHostAddress>{QHostAddress(QHostAddress::LocalHost)}; });
        if (const auto begun = page->begin(); !begun)
            qFatal("%s", qPrintable(begun.error().toString()));
        return page;
    }
    QJsonObject stateOf(const RunModel &run, qint64 silence = 0) const {
        return phoneState(m_home, run, false, silence);
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { m_home.list = RecordedRun::devices(m_events); }

    void whoHasTheAddressGetsPageAndState() {
        RunModel run;
        replay(run);
        const auto page = show(run);
        const QString address = page->addresses().value(0);
        const Answer told = ask(address);
        QCOMPARE(told.status, 200);
        QCOMPARE(told.body, phonePage());
        const Answer state = ask(address + QStringLiteral("state"));
        QCOMPARE(state.status, 200);
        QCOMPARE(QJsonDocument::fromJson(state.body).object(), stateOf(run));
    }

    void nothingAnswersWhenItHasEnded() {
        RunModel run;
        const auto page = show(run);
        const QString before = page->addresses().value(0);
        page->end();
        QVERIFY(!page->isShown());
        QVERIFY(page->addresses().isEmpty());
        QCOMPARE(ask(before).status, 0);
        QVERIFY(page->begin());
        const QString after = page->addresses().value(0);
        QVERIFY(QUrl(before).path() != QUrl(after).path());
        QUrl old(after);
        old.setPath(QUrl(before).path());
        QCOMPARE(ask(old.toString()).status, 404);
        QCOMPARE(ask(after).status, 200);
    }

    void beginningTwiceKeepsTheAddress() {
        RunModel run;
        const auto page = show(run);
        const QStringList before = page->addresses();
        QVERIFY(page->begin());
        QCOMPARE(page->addresses(), before);
    }

    void anotherWindowGoesOnAtTheSameAddress() {
        RunModel first, second;
        replay(second);
        const auto before = show(first);
        const QString address = before->addresses().value(0);
        PhonePage after(m_home, second);
        after.setHosts([] { return QList<QHostAddress>{QHostAddress(QHostAddress::LocalHost)}; });
        after.takeOver(*before);
        QVERIFY(!before->isShown());
        QCOMPARE(after.addresses(), QStringList{address});
        const auto state = QJsonDocument::fromJson(ask(address + QStringLiteral("state")).body).object();
        QCOMPARE(state[QLatin1String("title")].toString(), runText(second));
    }

    void aComputerWithoutANetworkSaysSo() {
        RunModel run;
        PhonePage page(m_home, run);
        page.setHosts([] { return QList<QHostAddress>(); });
        const auto begun = page.begin();
        QVERIFY(!begun);
        QCOMPARE(begun.error().code, QStringLiteral("phone.no-address"));
        QVERIFY(!page.isShown());
    }

    void addressesAreThoseThatAPhoneCanReach() {
        const auto host = [](const char *text) { return QHostAddress(QLatin1String(text)); };
        InterfaceFacts loopback{QStringLiteral("lo"), true, true, false, false, {host("127.0.0.1")}};
        InterfaceFacts wifi{QStringLiteral("wlan0"), true, false, false, true, {host("fe80::2"), host("fd12::2")}};
        InterfaceFacts tunnel{QStringLiteral("wg0"), true, false, true, false, {host("10.8.0.2")}};
        InterfaceFacts unplugged{QStringLiteral("eth1"), false, false, false, true, {host("192.168.9.9")}};
        QCOMPARE(phoneHosts({loopback, wifi, tunnel, unplugged}), QList<QHostAddress>{host("fd12::2")});
        wifi.addresses << host("192.168.1.7");
        const InterfaceFacts wire{QStringLiteral("eth0"), true, false, false, true, {host("192.168.2.7")}};
        QCOMPARE(phoneHosts({loopback, wifi, tunnel, unplugged, wire}),
                 (QList<QHostAddress>{host("192.168.1.7"), host("192.168.2.7")}));
    }

    void theStateIsWhatTrainShows() {
        RunModel run;
        replay(run);
        const QJsonObject state = stateOf(run);
        QCOMPARE(state[QLatin1String("title")].toString(), QStringLiteral("fashion-cnn on fashion-mnist"));
        QCOMPARE(state[QLatin1String("state")].toString(), QStringLiteral("Finished"));
        QCOMPARE(state[QLatin1String("doing")].toString(), QString());
        const QJsonArray figures = state[QLatin1String("figures")].toArray();
        const auto wanted = figuresOf(run);
        QCOMPARE(figures.size(), static_cast<qsizetype>(wanted.size()));
        for (qsizetype i = 0; i < figures.size(); ++i) {
            const ShownFigure &figure = wanted[static_cast<std::size_t>(i)];
            QCOMPARE(figures[i][QLatin1String("caption")].toString(), figure.caption);
            QCOMPARE(figures[i][QLatin1String("value")].toString(), figure.value);
            QCOMPARE(figures[i][QLatin1String("note")].toString(), figure.note);
        }
        const QJsonArray devices = state[QLatin1String("devices")].toArray();
        QCOMPARE(devices.size(), static_cast<qsizetype>(m_home.list.size()));
        QCOMPARE(devices[0][QLatin1String("word")].toString(), deviceInRun({m_home.list[0]}, run).look.word);
        const QJsonArray events = state[QLatin1String("events")].toArray();
        QCOMPARE(events.size(), qsizetype(5));
        QCOMPARE(events[0][QLatin1String("text")].toString(), run.log().sentences().back().text);
        const QJsonObject progress = state[QLatin1String("progress")].toObject();
        QCOMPARE(progress[QLatin1String("part")].toDouble(), 1.0);
        QVERIFY(plain(progress[QLatin1String("text")].toString()).startsWith(QLatin1String("100")));
    }

    void aRecordingIsCalledOne() {
        RunModel run;
        replay(run);
        const auto page = show(run);
        const auto title = [&] {
            const Answer state = ask(page->addresses().value(0) + QStringLiteral("state"));
            return QJsonDocument::fromJson(state.body)[QLatin1String("title")].toString();
        };
        page->setRecording(true);
        QCOMPARE(title(), QStringLiteral("Recording: fashion-cnn on fashion-mnist"));
        page->setRecording(false);
        QCOMPARE(title(), QStringLiteral("fashion-cnn on fashion-mnist"));
    }

    void theCurveFillsItsBox() {
        RunModel run;
        replay(run);
        const QJsonObject curve = stateOf(run)[QLatin1String("curve")].toObject();
        int points = 0, least = 1000, most = 0;
        for (const QJsonValue line : curve[QLatin1String("lines")].toArray()) {
            for (const QString &point : line.toString().split(QLatin1Char(' '))) {
                const QStringList at = point.split(QLatin1Char(','));
                QCOMPARE(at.size(), qsizetype(2));
                QVERIFY(at[0].toInt() >= 0 && at[0].toInt() <= 1000);
                least = std::min(least, at[1].toInt());
                most = std::max(most, at[1].toInt());
                ++points;
            }
        }
        QVERIFY2(points > 20 && points <= 200, qPrintable(QString::number(points)));
        QCOMPARE(least, 0);
        QCOMPARE(most, 400);
    }

    void beforeTheFirstRoundItSaysWhatIsDone() {
        RunModel run;
        QCOMPARE(stateOf(run)[QLatin1String("title")].toString(), QStringLiteral("Nothing is training"));
        for (const RunEvent &one : m_events) {
            if (std::holds_alternative<event::Round>(one.body))
                break;
            run.add(one);
        }
        const QJsonObject state = stateOf(run);
        QVERIFY(!doingText(m_home, run).isEmpty());
        QCOMPARE(state[QLatin1String("doing")].toString(), doingText(m_home, run));
        QVERIFY(state[QLatin1String("curve")].toObject().isEmpty());
    }

    void aRunThatWaitsSaysForWhat_data() {
        QTest::addColumn<qint64>("rounds");
        QTest::newRow("before its first round") << qint64(0);
        QTest::newRow("after some rounds") << qint64(5);
    }
    void aRunThatWaitsSaysForWhat() {
        QFETCH(qint64, rounds);
        RunModel run;
        quint64 last = 0;
        for (const RunEvent &one : m_events) {
            const auto *round = std::get_if<event::Round>(&one.body);
            if (round != nullptr && round->round > rounds)
                break;
            run.add(one);
            last = one.seq;
        }
        m_home.list[1].state = DeviceState::Resting;
        m_home.list[1].rest = Rest::OutOfHours;
        m_home.list[1].limits.hours = DailyHours{22 * 60, 7 * 60};
        // Of another that the home has by now, the run knows nothing.
        m_home.list.push_back(m_home.list[1]);
        m_home.list.back().id = QString(64, QLatin1Char('f'));
        m_home.list.back().name = QStringLiteral("other");
        run.add(make(last + 1, event::State{QStringLiteral("waiting")}));
        const QString doing = stateOf(run)[QLatin1String("doing")].toString();
        QCOMPARE(doing, QStringLiteral("Waiting for devices that rest. local-2: It is to train from 22:00 to 07:00."));
    }

    void silenceCountsWhereDataIsDue_data() {
        QTest::addColumn<QString>("state");
        QTest::addColumn<int>("told");
        for (const char *state : {"profiling", "planning", "training", "recovering"})
            QTest::newRow(state) << QString::fromLatin1(state) << 7;
        for (const char *state : {"waiting", "paused", "finished", "stopped", "failed"})
            QTest::newRow(state) << QString::fromLatin1(state) << 0;
    }
    void silenceCountsWhereDataIsDue() {
        QFETCH(QString, state);
        QFETCH(int, told);
        RunModel run;
        run.add(m_events.front());
        run.add(make(m_events.front().seq + 1, event::State{state}));
        QCOMPARE(stateOf(run, 7)[QLatin1String("silence")].toInt(), told);
        run.end();
        QCOMPARE(stateOf(run, 7)[QLatin1String("silence")].toInt(), 0);
    }

    void namesOfOthersStayText() {
        const QString hostile = QStringLiteral("</script><img src=x onerror=alert(1)>\"'&");
        m_home.list[0].name = hostile;
        RunModel run;
        replay(run);
        const auto page = show(run);
        const QString address = page->addresses().value(0);
        const auto state = QJsonDocument::fromJson(ask(address + QStringLiteral("state")).body).object();
        QCOMPARE(state[QLatin1String("devices")][0][QLatin1String("name")].toString(), hostile);
        QVERIFY(!ask(address).body.contains("onerror"));
    }

    void thePageMakesNoMarkupOfTextsAndNeedsNothingElse() {
        const QByteArray page = phonePage();
        QVERIFY(page.startsWith("<!DOCTYPE html>"));
        for (const char *unwanted :
             {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "://", "src=", "{{"})
            QVERIFY2(!page.contains(unwanted), unwanted);
    }

    void whatCountsIsNotReadOut() {
        const QByteArray page = phonePage();
        const auto tagOf = [&page](const QByteArray &id) {
            const QByteArray tag = "<p id=\"" + id + "\"";
            const qsizetype begin = page.indexOf(tag);
            return begin < 0 ? QByteArray() : page.mid(begin, page.indexOf('>', begin) - begin);
        };
        QVERIFY(tagOf("age").contains("hidden"));
        QVERIFY(!tagOf("age").contains("role="));
        QVERIFY(tagOf("alert").contains("role=\"alert\""));
    }

    void aGermanWindowGivesAGermanPage() {
        m_language = std::make_unique<Language>(QLocale(QLocale::German, QLocale::Germany));
        RunModel run;
        replay(run);
        const QByteArray page = phonePage();
        const QJsonObject state = stateOf(run);
        speakEnglish();
        QVERIFY(page.contains("<html lang=\"de\">"));
        QVERIFY(page.contains("Diese Seite wurde beendet."));
        QCOMPARE(state[QLatin1String("language")].toString(), QStringLiteral("de"));
        QCOMPARE(state[QLatin1String("state")].toString(), QStringLiteral("Fertig"));
        QVERIFY(phonePage().contains("<html lang=\"en"));
    }
};

QTEST_MAIN(PhoneTest)
#include "phone_test.moc"
