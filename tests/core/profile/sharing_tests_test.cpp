// What is told of cards and air, in homes of which the truth is known.
#include <QTest>
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/profile/sharing_tests.h"

using namespace hearth;

namespace {

constexpr double cable = 11.8e6, airOnce = 6e6;

struct Device {
    bool isHalf = false;  // its cable
    int air = -1;         // which one it hangs on; -1: a cable
};

/// A letter for each: w wired, h with a half duplex cable, 0 and 1 on that air.
std::vector<Device> devicesOf(const QString &letters) {
    std::vector<Device> devices;
    for (const QChar letter : letters)
        devices.push_back({letter == QLatin1Char('h'), letter.isDigit() ? letter.digitValue() : -1});
    return devices;
}

/// A home whose bursts share cards and air evenly.
class Network {
  public:
    explicit Network(const char *letters, double ofCable = cable) : Network(QString(QLatin1String(letters)), ofCable) {}
    explicit Network(const QString &letters, double ofCable) : m_devices(devicesOf(letters)) {
        for (std::size_t i = 0; i < m_devices.size(); ++i)
            ids << QString(QLatin1Char(static_cast<char>('a' + i)));
        for (const QString &from : std::as_const(ids)) {
            for (const QString &to : std::as_const(ids)) {
                if (from != to)
                    alone.push_back({from, to, rateOf(from, to, ofCable), 0.001});
            }
        }
    }
    /// Of each in its order.
    std::vector<double> atOnce(const SharingTests::Transfers &transfers) const {
        std::vector<double> shares(transfers.size(), -1);
        std::map<QString, double> used;
        // Max-min fair: the fullest place fixes the shares of all who pass it.
        while (std::ranges::any_of(shares, [](double share) { return share < 0; })) {
            std::map<QString, int> waiting;
            for (std::size_t i = 0; i < transfers.size(); ++i) {
                const std::set<QString> places = shares[i] < 0 ? placesOf(transfers[i]) : std::set<QString>();
                for (const QString &place : places)
                    ++waiting[place];
            }
            double least = 2;
            QString fullest;
            for (const auto &[place, count] : waiting) {
                const double share = (1 - used[place]) / count;
                if (share < least) {
                    least = share;
                    fullest = place;
                }
            }
            for (std::size_t i = 0; i < transfers.size(); ++i) {
                const std::set<QString> places = placesOf(transfers[i]);
                if (shares[i] >= 0 || !places.contains(fullest))
                    continue;
                shares[i] = least;
                for (const QString &place : places)
                    used[place] += least;
            }
        }
        for (std::size_t i = 0; i < transfers.size(); ++i)
            shares[i] *= aloneRate(transfers[i]);
        return shares;
    }
    double aloneRate(const std::pair<QString, QString> &transfer) const {
        return std::ranges::find_if(alone,
                                    [&](const LinkProfile::Pair &pair) {
                                        return pair.from == transfer.first && pair.to == transfer.second;
                                    })
            ->bytesPerSecond;
    }

    QStringList ids;
    std::vector<LinkProfile::Pair> alone;

  private:
    const Device &device(const QString &id) const { return m_devices[static_cast<std::size_t>(ids.indexOf(id))]; }
    double rateOf(const QString &from, const QString &to, double ofCable) const {
        const int first = device(from).air, second = device(to).air;
        if (first < 0 && second < 0)
            return ofCable;
        return first == second ? airOnce / 2 : airOnce;
    }
    std::set<QString> placesOf(const std::pair<QString, QString> &transfer) const {
        std::set<QString> places;
        const auto add = [&](const QString &id, const char *direction) {
            if (device(id).air >= 0)
                places.insert(QStringLiteral("air %1").arg(device(id).air));
            else
                places.insert(id + (device(id).isHalf ? QString() : QString(QLatin1String(direction))));
        };
        add(transfer.first, " out");
        add(transfer.second, " in");
        return places;
    }

    std::vector<Device> m_devices;
};

using Measured = std::function<std::vector<double>(const SharingTests::Transfers &)>;

/// Returns how often something was measured.
int measureAll(SharingTests &tests, const Measured &atOnce) {
    int times = 0;
    while (!tests.next().empty() && times < 100) {
        ++times;
        tests.take(atOnce(tests.next()));
    }
    return times;
}

QString halfIn(const LinkProfile &found) {
    QStringList ids;
    for (const LinkProfile::Nic &nic : found.nics) {
        if (nic.duplex == Duplex::Half)
            ids << nic.id;
    }
    return ids.join(QLatin1Char(' '));
}

/// "b c 6", members and megabytes per second.
QString airsIn(const LinkProfile &found) {
    QStringList airs;
    for (const LinkProfile::Medium &medium : found.media) {
        QString air;
        for (const LinkProfile::Nic &nic : found.nics)
            air += nic.medium == medium.id ? QString(nic.id + QLatin1Char(' ')) : QString();
        airs << air + QString::number(medium.bytesPerSecond / 1e6);
    }
    return airs.join(QStringLiteral(", "));
}

}  // namespace

class SharingTestsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void homesAreTold_data() {
        QTest::addColumn<QString>("letters");
        QTest::addColumn<double>("ofCable");
        QTest::addColumn<QString>("half");
        QTest::addColumn<QString>("airs");
        QTest::addColumn<int>("most");  // measurements
        QTest::newRow("switched gigabit is not tested") << "www" << 117e6 << ""
                                                        << "" << 0;
        QTest::newRow("switched 100 Mbit/s is seen at once") << "wwww" << cable << ""
                                                             << "" << 1;
        QTest::newRow("two on a switch") << "ww" << cable << ""
                                         << "" << 1;
        QTest::newRow("three on Wi-Fi are seen by a ring") << "000" << cable << "a b c"
                                                           << "a b c 3" << 2;
        QTest::newRow("one wired, two on Wi-Fi") << "w00" << cable << "b c"
                                                 << "b c 6" << 2;
        QTest::newRow("two wired, one on Wi-Fi") << "w0w" << cable << "b"
                                                 << "" << 5;
        QTest::newRow("a half duplex pair") << "hh" << cable << "a b"
                                            << "" << 2;
        QTest::newRow("half duplex cables") << "hhh" << cable << "a b c"
                                            << "" << 8;
        QTest::newRow("two wired between two on Wi-Fi") << "w0w0" << cable << "b d"
                                                        << "b d 6" << 5;
        QTest::newRow("gigabit beside Wi-Fi") << "w0w0" << 117e6 << "b d"
                                              << "b d 6" << 6;
        QTest::newRow("two airs") << "ww0011" << 117e6 << "c d e f"
                                  << "c d 6, e f 6" << 14;
        QTest::newRow("five on Wi-Fi") << "00000" << cable << "a b c d e"
                                       << "a b c d e 3" << 12;
    }

    void homesAreTold() {
        QFETCH(QString, letters);
        QFETCH(double, ofCable);
        QFETCH(int, most);
        const Network network(letters, ofCable);
        SharingTests tests(network.ids, network.alone);
        const int times = measureAll(tests, [&](const auto &transfers) { return network.atOnce(transfers); });
        QVERIFY(tests.isComplete());
        QVERIFY2(times <= most, qPrintable(QString::number(times)));
        QTEST(halfIn(tests.found()), "half");
        QTEST(airsIn(tests.found()), "airs");
    }

    void ratesNearTheThresholdTellNothing_data() {
        QTest::addColumn<double>("part");
        QTest::addColumn<QString>("half");
        QTest::newRow("just shared") << 0.69 << "a b";
        QTest::newRow("unclear, nearly shared") << 0.72 << "";
        QTest::newRow("unclear, nearly apart") << 0.78 << "";
        QTest::newRow("apart") << 0.82 << "";
    }

    void ratesNearTheThresholdTellNothing() {
        QFETCH(double, part);
        const Network network("ww");
        SharingTests tests(network.ids, network.alone);
        measureAll(tests, [&](const auto &) { return std::vector<double>(2, part * cable); });
        QVERIFY(tests.isComplete());
        QTEST(halfIn(tests.found()), "half");
    }

    void whatSharesUnevenlySharesNevertheless() {
        const Network network("ww");
        SharingTests tests(network.ids, network.alone);
        // One was through after 1.25 times as long as alone, the other after twice as long.
        measureAll(tests, [&](const auto &) { return std::vector{0.8 * cable, 0.5 * cable}; });
        QCOMPARE(halfIn(tests.found()), QStringLiteral("a b"));
    }

    void aMomentOfSomethingElseIsNoSharing() {
        const Network network("www");
        SharingTests tests(network.ids, network.alone);
        int times = 0;
        measureAll(tests, [&](const auto &transfers) {
            std::vector<double> rates = network.atOnce(transfers);
            rates[0] *= times++ == 0 ? 0.3 : 1;
            return rates;
        });
        QCOMPARE(times, 2);
        QVERIFY(tests.found() == LinkProfile());
    }

    void aDeviceThatStopsAnsweringEndsItAndNothingIsTold() {
        const Network network("000");
        SharingTests tests(network.ids, network.alone);
        tests.take(network.atOnce(tests.next()));
        QVERIFY(!tests.next().empty());
        std::vector<double> rates = network.atOnce(tests.next());
        rates[1] = 0;
        tests.take(rates);
        QVERIFY(tests.next().empty() && !tests.isComplete());
        QVERIFY(tests.found() == LinkProfile());
    }

    void aPairThatDoesNotReachEachOtherIsLeftOut() {
        Network network("w0w");
        std::erase_if(network.alone, [](const LinkProfile::Pair &pair) { return pair.from == QLatin1String("a"); });
        SharingTests tests(network.ids, network.alone);
        measureAll(tests, [&](const auto &transfers) { return network.atOnce(transfers); });
        QVERIFY(tests.isComplete());
        // Nobody but b and c reach each other, and both may be it.
        QCOMPARE(halfIn(tests.found()), QStringLiteral("b c"));
    }
};

QTEST_GUILESS_MAIN(SharingTestsTest)
#include "sharing_tests_test.moc"
