// A device that is paired means harm: what its links carry makes an agent neither deaf nor large.
#include <QCborArray>

#include "attack_log.h"
#include "attacker.h"
#include "core/wire/rpc.h"
#include "core/wire/tls_dial.h"

using namespace hearth;
using namespace std::chrono_literals;

class PairedTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;
    Identity m_mallory = *Identity::generate(QStringLiteral("mallory"));

    struct Link {
        std::unique_ptr<Channel> channel;
        std::unique_ptr<Rpc> rpc;
        std::optional<Result<QCborMap>> hello;
    };
    /// One that has said hello and was answered.
    bool open(Link &link) {
        bool over = false;
        const auto target = targetOf(*m_home.agent);
        dialTls(m_mallory, target.host, target.port, m_home.agent->fingerprint(), 30s, this, [&](auto channel) {
            over = true;
            if (channel)
                link.channel = std::move(*channel);
        });
        if (!QTest::qWaitFor([&] { return over; }, patience) || !link.channel)
            return false;
        link.rpc = std::make_unique<Rpc>(link.channel.get());
        DeviceInfo self;
        self.id = m_mallory.fingerprint().toHex();
        self.name = QStringLiteral("mallory");
        link.rpc->call(QStringLiteral("hello"), {{QStringLiteral("device"), self.toCbor()}}, 60s, this,
                       [&link](const Result<QCborMap> &answer) { link.hello = answer; });
        return QTest::qWaitFor([&] { return link.hello.has_value(); }, patience) && link.hello->has_value();
    }

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = PlayedHome::start(*m_folder, QStringLiteral("one"));
        QVERIFY(m_home.agent->trust().add({QStringLiteral("mallory"), m_mallory.fingerprint(), {}}));
    }
    void cleanup() { m_home = {}; }

    void aMessageThatIsWorkToReadEndsItsLink_data() {
        QTest::addColumn<QCborMap>("args");
        QCborArray tagged, numbers, nested;
        for (int i = 0; i < 5000; ++i)
            numbers.append(i);
        for (int i = 0; i < 1000; ++i)
            tagged.append(QCborValue(QCborTag(7), i));
        for (int i = 0; i < 100; ++i) {
            QCborArray outer;
            outer.append(nested);
            nested = outer;
        }
        QCborMap keys;
        for (int i = 0; i < 2000; ++i)
            keys[QString::number(i)] = 0;
        const QString limits = QStringLiteral("limits");
        QTest::newRow("a paired device sends thousands of values") << QCborMap{{limits, numbers}};
        QTest::newRow("a paired device sends values with tags") << QCborMap{{limits, tagged}};
        QTest::newRow("a paired device sends lists deep in each other") << QCborMap{{limits, nested}};
        QTest::newRow("a paired device sends thousands of keys") << QCborMap{{limits, keys}};
        QTest::newRow("a paired device sends a text of 4 MiB")
            << QCborMap{{limits, QString(4 << 20, QLatin1Char('x'))}};
    }
    void aMessageThatIsWorkToReadEndsItsLink() {
        QFETCH(QCborMap, args);
        Link link;
        QVERIFY(open(link));
        const QSignalSpy closed(link.channel.get(), &Channel::closed);
        std::optional<Result<QCborMap>> answer;
        link.rpc->call(QStringLiteral("limits.set"), args, 60s, this,
                       [&](const Result<QCborMap> &result) { answer = result; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(!answer->has_value());
        QCOMPARE(closed.size(), 1);
        Link again;
        QVERIFY(open(again));
        noteAttack(QTest::currentDataTag(), 1);
    }

    void aTensorEndsTheLinkBeforeItIsTaken() {
        Link link;
        QVERIFY(open(link));
        const QSignalSpy closed(link.channel.get(), &Channel::closed);
        TensorHeader header;
        header.dtype = DType::UInt8;
        header.dims = {64 << 20};
        const auto payload = Buffer::allocate(64 << 20);
        link.channel->sendTensor(header, Payload::of(payload));
        QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, patience);
        Link again;
        QVERIFY(open(again));
        noteAttack("a paired device sends a tensor to an agent", 1);
    }

    void nonsenseIsRefused_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QCborMap>("args");
        const QCborMap wrong{{QStringLiteral("limits"), -1},
                             {QStringLiteral("run"), QStringLiteral("../../x")},
                             {QStringLiteral("coordinator"), QCborArray{1, 2}}};
        QTest::newRow("a paired device asks for what there is not") << QStringLiteral("open.door") << QCborMap();
        QTest::newRow("a paired device sets limits that are none")
            << QStringLiteral("limits.set")
            << QCborMap{{QStringLiteral("limits"), QCborMap{{QStringLiteral("threads"), -5}}}};
        QTest::newRow("a paired device starts a worker without a key") << QStringLiteral("worker.start") << wrong;
        QTest::newRow("a paired device starts a data process without a key") << QStringLiteral("holder.start") << wrong;
    }
    void nonsenseIsRefused() {
        QFETCH(QString, op);
        QFETCH(QCborMap, args);
        Link link;
        QVERIFY(open(link));
        std::optional<Result<QCborMap>> answer;
        link.rpc->call(op, args, 60s, this, [&](const Result<QCborMap> &result) { answer = result; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(!answer->has_value());
        QVERIFY(link.channel->isOpen());
        noteAttack(QTest::currentDataTag(), 1);
    }
};

QTEST_GUILESS_MAIN(PairedTest)
#include "paired_test.moc"
