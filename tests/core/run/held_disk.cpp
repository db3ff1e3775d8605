#include "tests/core/run/held_disk.h"

#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <filesystem>

extern "C" {
__attribute__((visibility("default"))) int fsync(int fd) {
    hearth::fake::HeldDisk::pass(fd);
    return static_cast<int>(syscall(SYS_fsync, fd));
}
__attribute__((visibility("default"))) int fdatasync(int fd) {
    hearth::fake::HeldDisk::pass(fd);
    return static_cast<int>(syscall(SYS_fdatasync, fd));
}
/// Qt asks for nothing else than the room.
__attribute__((visibility("default"))) int statvfs64(const char *path, struct statvfs64 *result) {
    std::error_code none;
    const auto space = std::filesystem::space(path, none);
    *result = {};
    result->f_bsize = result->f_frsize = 1;
    result->f_blocks = space.capacity;
    result->f_bfree = result->f_bavail = hearth::fake::SmallDisk::isFull() ? 0 : space.available;
    return none ? -1 : 0;
}
}
