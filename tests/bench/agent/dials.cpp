// A paired device that connects again and again: `dials STATE HOST PORT FINGERPRINT PAUSE_MS` dials until standard
// input ends and prints for each link how long it took from the first attempt to a channel that both ends have
// accepted, and the attempts: "SECONDS ATTEMPTS".
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QSocketNotifier>
#include <QTimer>
#include <cstdio>

#include "core/wire/tls_dial.h"

using namespace hearth;

namespace {

// As HomeDialler's first one.
constexpr std::chrono::milliseconds pauseAfterFailure{250};

class Dials : public QObject {
  public:
    Dials(Identity identity, QString host, quint16 port, Fingerprint expected, std::chrono::milliseconds pause)
        : m_identity(std::move(identity)), m_host(std::move(host)), m_port(port), m_expected(expected), m_pause(pause) {
        begin();
    }

  private:
    void begin() {
        m_clock.start();
        m_attempts = 0;
        attempt();
    }
    void attempt() {
        ++m_attempts;
        dialTls(m_identity, m_host, m_port, m_expected, defaultDialDeadline, this,
                [this](Result<std::unique_ptr<Channel>> channel) {
                    if (!channel) {
                        QTimer::singleShot(pauseAfterFailure, this, &Dials::attempt);
                        return;
                    }
                    std::printf("%.6f %d\n", static_cast<double>(m_clock.nsecsElapsed()) / 1e9, m_attempts);
                    std::fflush(stdout);
                    QTimer::singleShot(m_pause, this, &Dials::begin);
                });
    }

    Identity m_identity;
    QString m_host;
    quint16 m_port;
    Fingerprint m_expected;
    std::chrono::milliseconds m_pause;
    QElapsedTimer m_clock;
    int m_attempts = 0;
};

}  // namespace

int main(int argc, char **argv) {
    const QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.size() != 6) {
        std::fprintf(stderr, "Usage: dials STATE HOST PORT FINGERPRINT PAUSE_MS\n");
        return 2;
    }
    const auto identity = Identity::loadOrCreate(words[1]);
    const auto expected = Fingerprint::fromHex(words[4]);
    if (!identity || !expected) {
        std::fprintf(stderr, "%s\n", qPrintable((identity ? expected.error() : identity.error()).toString()));
        return 1;
    }
    const Dials dials(*identity, words[2], words[3].toUShort(), *expected, std::chrono::milliseconds(words[5].toInt()));
    QSocketNotifier input(0, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, &application, &QCoreApplication::quit);
    return QCoreApplication::exec();
}
