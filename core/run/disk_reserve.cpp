#include "core/run/disk_reserve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QFileInfo>
#include <filesystem>
#include <system_error>
#include <utility>

namespace hearth {

DiskReserve::DiskReserve(QString path, qint64 bytes) : m_path(std::move(path)), m_bytes(bytes) {}

DiskReserve::~DiskReserve() {
    giveUp();
}

bool DiskReserve::take() {
    if (m_held)
        return true;
    const QByteArray path = QFile::encodeName(m_path);
    const int fd = ::open(path.constData(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return false;
    m_held = ::posix_fallocate(fd, 0, m_bytes) == 0;
    ::close(fd);
    if (!m_held)
        ::unlink(path.constData());
    return m_held;
}

bool DiskReserve::takeAgain() {
    if (m_held)
        return true;
    std::error_code unknown;
    const auto space = std::filesystem::space(QFileInfo(m_path).path().toStdString(), unknown);
    return !unknown && space.available / 2 >= static_cast<std::uintmax_t>(m_bytes) && take();
}

bool DiskReserve::giveUp() {
    return std::exchange(m_held, false) && ::unlink(QFile::encodeName(m_path).constData()) == 0;
}

}  // namespace hearth
