#include "core/home/state_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <cerrno>

#include "core/base/files.h"
#include "core/base/sentence.h"
#include "core/base/system_reason.h"

namespace hearth {
namespace {

// sun_path has 108 bytes with the final zero.
constexpr qsizetype maximumSocketName = 107;

}  // namespace

OwnedFd::~OwnedFd() {
    if (m_fd >= 0)
        ::close(m_fd);
}

OwnedFd &OwnedFd::operator=(OwnedFd &&other) noexcept {
    if (this != &other) {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = other.release();
    }
    return *this;
}

int OwnedFd::release() {
    return std::exchange(m_fd, -1);
}

Result<QString> openStateDir(const QString &path) {
    const QString absolute = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    if (auto made = makePrivateFolder(absolute); !made)
        return tl::unexpected(made.error());
    struct stat info {};
    if (::stat(QFile::encodeName(absolute).constData(), &info) != 0) {
        return fail(QStringLiteral("state.unreadable"), sentence("The state folder %1 cannot be used.").arg(absolute),
                    systemReason(errno), sentence("Choose another with --state."));
    }
    if (info.st_uid != ::geteuid()) {
        const QFileInfo folder(absolute);
        const QString owner = folder.owner().isEmpty() ? QString::number(info.st_uid) : folder.owner();
        const QString group = folder.group().isEmpty() ? QString::number(info.st_gid) : folder.group();
        return fail(QStringLiteral("state.of-another-user"),
                    sentence("The state folder %1 cannot be used.").arg(absolute),
                    sentence("It belongs to the user %1; only an agent of that user can use it.").arg(owner),
                    sentence("If that is the system's service, start it (sudo systemctl start hearth-agent), or join "
                             "its group (sudo adduser NAME %1) and log in again; else choose another folder with "
                             "--state.")
                        .arg(group));
    }
    if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return fail(QStringLiteral("state.not-private"), sentence("The state folder %1 is not private.").arg(absolute),
                    sentence("Others may write to it; whoever writes there decides whom this device trusts."),
                    sentence("Run \"chmod go-w\" on it, or choose another with --state."));
    }
    return absolute;
}

Result<OwnedFd> lockStateDir(const QString &stateDir) {
    const QString path = stateDir + QStringLiteral("/agent.lock");
    OwnedFd fd(::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (fd.get() < 0) {
        return fail(QStringLiteral("state.no-lock"), sentence("The file %1 could not be made.").arg(path),
                    systemReason(errno), sentence("Free some space, or choose another folder with --state."));
    }
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        return fail(QStringLiteral("agent.already-running"),
                    sentence("An agent already runs for the state folder %1.").arg(stateDir), QString(),
                    sentence("Use that one, or choose another folder with --state."));
    }
    return fd;
}

Result<LocalSocketName> LocalSocketName::of(const QString &stateDir, const QString &file) {
    LocalSocketName name;
    name.m_path = QDir(stateDir).absoluteFilePath(file);
    if (QFile::encodeName(name.m_path).size() <= maximumSocketName)
        return name;
    name.m_folder = OwnedFd(::open(QFile::encodeName(stateDir).constData(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (name.m_folder.get() < 0) {
        return fail(QStringLiteral("state.unreadable"), sentence("The state folder %1 cannot be used.").arg(stateDir),
                    systemReason(errno), sentence("Check the name."));
    }
    name.m_path = QStringLiteral("/proc/self/fd/%1/%2").arg(QString::number(name.m_folder.get()), file);
    return name;
}

}  // namespace hearth
