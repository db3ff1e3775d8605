#include "core/agent/stop_signals.h"

#include <fcntl.h>
#include <unistd.h>
#include <QSocketNotifier>
#include <array>
#include <cerrno>
#include <csignal>

namespace hearth {
namespace {

constexpr std::array signalsOfInterest{SIGINT, SIGTERM, SIGHUP};
constexpr int enough = 3;

// A handler can reach nothing but globals.
int pipeEnds[2] = {-1, -1};
volatile std::sig_atomic_t interrupts = 0;
std::array<struct sigaction, signalsOfInterest.size()> formerActions;

extern "C" void onSignal(int signal) {
    const int before = errno;
    interrupts = interrupts + 1;
    if (interrupts >= enough)
        ::_exit(128 + signal);
    const auto byte = static_cast<unsigned char>(signal);
    [[maybe_unused]] const auto written = ::write(pipeEnds[1], &byte, 1);
    errno = before;
}

}  // namespace

StopSignals::StopSignals(QObject *parent) : QObject(parent) {
    interrupts = 0;
    if (::pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0)
        qFatal("No pipe for signals could be made.");
    auto *notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &StopSignals::read);
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < signalsOfInterest.size(); ++i)
        ::sigaction(signalsOfInterest[i], &action, &formerActions[i]);
}

StopSignals::~StopSignals() {
    for (std::size_t i = 0; i < signalsOfInterest.size(); ++i)
        ::sigaction(signalsOfInterest[i], &formerActions[i], nullptr);
    qDeleteAll(findChildren<QSocketNotifier *>());
    ::close(pipeEnds[0]);
    ::close(pipeEnds[1]);
    pipeEnds[0] = pipeEnds[1] = -1;
}

void StopSignals::read() {
    unsigned char byte = 0;
    while (::read(pipeEnds[0], &byte, 1) == 1)
        Q_EMIT received(byte, ++m_count);
}

ParentPipe::ParentPipe(QObject *parent) : QObject(parent) {
    auto *notifier = new QSocketNotifier(STDIN_FILENO, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
        char bytes[256];
        const auto count = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN)))
            return;
        notifier->setEnabled(false);
        Q_EMIT ended();
    });
}

}  // namespace hearth
