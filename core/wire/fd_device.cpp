#include "core/wire/fd_device.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace hearth {
namespace {

void makeNonBlocking(int fd) {
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

bool isTransient(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

FdDevice::FdDevice(int input, int output, QObject *parent)
    : QIODevice(parent),
      m_inputFd(input),
      m_outputFd(output),
      m_readable(input, QSocketNotifier::Read),
      m_writable(output, QSocketNotifier::Write) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of write(), not the end of this process
    makeNonBlocking(input);
    makeNonBlocking(output);
    m_writable.setEnabled(false);
    connect(&m_readable, &QSocketNotifier::activated, this, &FdDevice::fill);
    connect(&m_writable, &QSocketNotifier::activated, this, &FdDevice::drain);
    open(QIODevice::ReadWrite | QIODevice::Unbuffered);
}

FdDevice::~FdDevice() = default;

void FdDevice::close() {
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    QIODevice::close();
}

void FdDevice::fill() {
    if (m_taken < m_input.size()) {  // nobody reads: wait, so that the pipe fills and the writer stops
        m_readable.setEnabled(false);
        Q_EMIT readyRead();
        return;
    }
    m_taken = 0;
    m_input.resize(readBytes);
    const auto count = ::read(m_inputFd, m_input.data(), static_cast<std::size_t>(m_input.size()));
    const int error = errno;
    m_input.resize(count > 0 ? static_cast<qsizetype>(count) : 0);
    if (count > 0) {
        Q_EMIT readyRead();
    } else if (count == 0 || !isTransient(error)) {
        if (count < 0)
            setErrorString(QString::fromLocal8Bit(std::strerror(error)));
        end();
    }
}

qint64 FdDevice::readData(char *data, qint64 maximum) {
    const qint64 count = std::min<qint64>(maximum, m_input.size() - m_taken);
    std::memcpy(data, m_input.constData() + m_taken, static_cast<std::size_t>(count));
    m_taken += static_cast<qsizetype>(count);
    if (m_taken == m_input.size() && !m_ended)
        m_readable.setEnabled(true);
    return count;
}

qint64 FdDevice::writeData(const char *data, qint64 size) {
    if (m_ended)
        return -1;
    if (m_written > 0 && m_written == m_output.size()) {
        m_output.clear();
        m_written = 0;
    }
    m_output.append(data, static_cast<qsizetype>(size));
    m_writable.setEnabled(true);
    // What fits into the pipe goes at once, so that a process may exit right after its last message. An error shows
    // again in drain(), outside of the caller's write.
    const auto count =
        ::write(m_outputFd, m_output.constData() + m_written, static_cast<std::size_t>(m_output.size() - m_written));
    if (count > 0) {
        m_written += static_cast<qsizetype>(count);
        m_unreported += count;
    }
    return size;
}

void FdDevice::drain() {
    qint64 total = std::exchange(m_unreported, 0);
    while (m_written < m_output.size()) {
        const auto count = ::write(m_outputFd, m_output.constData() + m_written,
                                   static_cast<std::size_t>(m_output.size() - m_written));
        if (count < 0) {
            if (!isTransient(errno)) {
                setErrorString(QString::fromLocal8Bit(std::strerror(errno)));
                end();
                return;
            }
            break;
        }
        m_written += static_cast<qsizetype>(count);
        total += count;
    }
    if (m_written == m_output.size()) {
        m_output.resize(0);
        m_written = 0;
        m_writable.setEnabled(false);
    }
    if (total > 0)
        Q_EMIT bytesWritten(total);
}

void FdDevice::end() {
    if (m_ended)
        return;
    m_ended = true;
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    Q_EMIT readChannelFinished();
}

}  // namespace hearth
