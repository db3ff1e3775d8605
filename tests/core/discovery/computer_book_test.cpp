// Services of SSH, as they come and go on interfaces and protocols, become computers that Hearth may be installed on.
#include <QTest>

#include "core/discovery/computer_book.h"

using namespace hearth;

namespace {

ServiceSeen sshService(const QByteArray &name, const QByteArray &host, const QString &address,
                       const QByteArray &type = "_ssh._tcp", quint16 port = 22) {
    ServiceSeen seen;
    seen.address = QHostAddress(address);
    seen.key = {2, seen.address.protocol() == QAbstractSocket::IPv6Protocol, name, type};
    seen.host = host;
    seen.port = port;
    return seen;
}

}  // namespace

class ComputerBookTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { m_book.clear(); }

    void aComputerIsListedOnceWithTheAddressToTryFirst() {
        m_book.see(sshService("nano-1", "nano-1.local", QStringLiteral("fe80::1%eth0")));
        m_book.see(sshService("nano-1", "nano-1.local", QStringLiteral("fd00::1"), "_sftp-ssh._tcp"));
        m_book.see(sshService("nano-1", "NANO-1.local", QStringLiteral("10.0.0.5"), "_sftp-ssh._tcp"));
        const std::vector<FoundComputer> list = computers();
        QCOMPARE(list.size(), std::size_t(1));
        QCOMPARE(list.front().name, QStringLiteral("nano-1"));
        QCOMPARE(list.front().host, QStringLiteral("nano-1.local"));
        QCOMPARE(list.front().addresses,
                 (QStringList{QStringLiteral("10.0.0.5"), QStringLiteral("fd00::1"), QStringLiteral("fe80::1%eth0")}));
        QCOMPARE(list.front().sshPort, quint16(22));
        QVERIFY(!list.front().hasHearth);
    }

    void theServiceThatSaysMostAboutSshCounts() {
        m_book.see(sshService("nano-1 [b8:27:eb:01:02:03]", "nano-1.local", QStringLiteral("10.0.0.5"),
                              "_workstation._tcp", 9));
        QCOMPARE(computers().front().name, QStringLiteral("nano-1"));
        QCOMPARE(computers().front().sshPort, quint16(0));
        m_book.see(sshService("files", "nano-1.local", QStringLiteral("10.0.0.5"), "_sftp-ssh._tcp", 2200));
        QCOMPARE(computers().front().sshPort, quint16(2200));
        const ServiceSeen best = sshService("kitchen", "nano-1.local", QStringLiteral("10.0.0.5"), "_ssh._tcp", 2222);
        m_book.see(best);
        QCOMPARE(computers().size(), std::size_t(1));
        QCOMPARE(computers().front().name, QStringLiteral("kitchen"));
        QCOMPARE(computers().front().sshPort, quint16(2222));
        m_book.lose(best.key);
        QCOMPARE(computers().front().name, QStringLiteral("files"));
    }

    void aComputerIsGoneWithItsLastService() {
        const ServiceSeen one = sshService("nano-1", "nano-1.local", QStringLiteral("10.0.0.5"));
        const ServiceSeen two = sshService("nano-1", "nano-1.local", QStringLiteral("10.0.0.5"), "_sftp-ssh._tcp");
        m_book.see(one);
        m_book.see(two);
        m_book.lose(one.key);
        QCOMPARE(computers().size(), std::size_t(1));
        m_book.lose(two.key);
        QVERIFY(computers().empty());
    }

    void whatHasHearthComesLast_data() {
        QTest::addColumn<QString>("known");
        QTest::newRow("by its address") << QStringLiteral("10.0.0.5");
        QTest::newRow("by its second address") << QStringLiteral("fd00::1");
        QTest::newRow("by its host name") << QStringLiteral("a.local");
    }
    void whatHasHearthComesLast() {
        QFETCH(QString, known);
        m_book.see(sshService("a", "A.local", QStringLiteral("10.0.0.5")));
        m_book.see(sshService("a", "A.local", QStringLiteral("fd00::1")));
        m_book.see(sshService("b", "b.local", QStringLiteral("10.0.0.6")));
        QCOMPARE(computers().front().name, QStringLiteral("a"));
        const std::vector<FoundComputer> list = computers({known});
        QCOMPARE(list.front().name, QStringLiteral("b"));
        QVERIFY(!list.front().hasHearth && list.back().hasHearth);
    }

    void whatCannotBeMeantIsLeftOut_data() {
        QTest::addColumn<ServiceSeen>("strange");
        const ServiceSeen good = sshService("nano-1", "nano-1.local", QStringLiteral("10.0.0.5"));
        ServiceSeen strange = good;
        strange.isLocal = true;
        QTest::newRow("this computer") << strange;
        strange = good;
        strange.port = 0;
        QTest::newRow("no port") << strange;
        strange = good;
        strange.address = {};
        QTest::newRow("no address") << strange;
        strange.address = QHostAddress(QStringLiteral("8.8.8.8"));
        QTest::newRow("not at home") << strange;
        strange.address = QHostAddress(QStringLiteral("127.0.0.1"));
        QTest::newRow("this computer's own loopback") << strange;
        strange = good;
        strange.host.clear();
        QTest::newRow("no host") << strange;
        strange.host = QByteArray(300, 'a');
        QTest::newRow("a host that DNS forbids") << strange;
    }
    void whatCannotBeMeantIsLeftOut() {
        QFETCH(const ServiceSeen, strange);
        m_book.see(strange);
        QVERIFY(computers().empty());
    }

    void namesAreBoundedPlainText_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("shown");
        QTest::newRow("control characters") << QByteArray("a\x1b[31m\nb") << QStringLiteral("a [31m b");
        QTest::newRow("another direction") << QByteArray(
                                                  "a\xe2\x80\xae"
                                                  "b")
                                           << QStringLiteral("ab");
        QTest::newRow("markup stays text") << QByteArray("<b>nano") << QStringLiteral("<b>nano");
        QTest::newRow("an option") << QByteArray("-oProxyCommand=x") << QStringLiteral("-oProxyCommand=x");
        QTest::newRow("nothing that shows") << QByteArray("\x01\x02") << QStringLiteral("nano-1.local");
        QTest::newRow("longest") << QByteArray(63, 'a') << QString(63, QLatin1Char('a'));
    }
    void namesAreBoundedPlainText() {
        QFETCH(const QByteArray, name);
        m_book.see(sshService(name, "nano-1.local", QStringLiteral("10.0.0.5")));
        QTEST(computers().front().name, "shown");
        QCOMPARE(computers().front().addresses, QStringList{QStringLiteral("10.0.0.5")});
    }

    void howeverMuchIsAnnouncedItStaysSmall() {
        for (int i = 0; i < 1000; ++i) {
            const QByteArray name = "nano-" + QByteArray::number(i);
            m_book.see(sshService(name, name + ".local", QStringLiteral("10.0.%1.%2").arg(i / 250).arg(i % 250)));
        }
        QCOMPARE(computers().size(), ComputerBook::maximumServices);
        m_book.clear();
        for (int i = 0; i < 100; ++i) {
            const QString address = QStringLiteral("10.0.0.%1").arg(i);
            m_book.see(sshService(QByteArray::number(i), "nano-1.local", address));
        }
        QCOMPARE(computers().size(), std::size_t(1));
        QCOMPARE(computers().front().addresses.size(), ComputerBook::maximumAddresses);
    }

    void aListSurvivesTheWay() {
        m_book.see(sshService("nano-1", "nano-1.local", QStringLiteral("10.0.0.5"), "_ssh._tcp", 2222));
        m_book.see(sshService("b", "b.local", QStringLiteral("10.0.0.6"), "_workstation._tcp", 9));
        Nearby nearby;
        nearby.computers = computers({QStringLiteral("b.local")});
        QCOMPARE(nearby.computers.size(), std::size_t(2));
        QCOMPARE(Nearby::fromCbor(nearby.toCbor()), nearby);
    }

    void aComputerWithoutAnAddressIsNone() {
        QVERIFY(!FoundComputer::fromCbor({{QStringLiteral("name"), QStringLiteral("nano-1")}}));
    }

  private:
    std::vector<FoundComputer> computers(const QSet<QString> &withHearth = {}) const {
        return m_book.computers({}, withHearth);
    }

    ComputerBook m_book;
};

QTEST_GUILESS_MAIN(ComputerBookTest)
#include "computer_book_test.moc"
