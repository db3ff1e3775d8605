// fsync() in place of the library's own, for the one test program that includes this: it tells what was synced.
#pragma once

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <QFile>
#include <cerrno>
#include <vector>

struct WatchedSync {
    inline static std::vector<ino_t> inodes;  // in order
    inline static int ofFoldersFails = 0;     // the errno; 0: it does not

    static bool lastWasOf(const QString &path) {
        struct stat status {};
        return stat(QFile::encodeName(path).constData(), &status) == 0 && !inodes.empty() &&
               inodes.back() == status.st_ino;
    }
};

extern "C" int fsync(int fd) {
    struct stat status {};
    if (fstat(fd, &status) == 0)
        WatchedSync::inodes.push_back(status.st_ino);
    if (S_ISDIR(status.st_mode) && WatchedSync::ofFoldersFails != 0) {
        errno = WatchedSync::ofFoldersFails;
        return -1;
    }
    return static_cast<int>(syscall(SYS_fsync, fd));
}
