// A disk that is slow to take weights, or has no room for them, for the test's own process. held_disk.cpp defines
// what fsync(), fdatasync() and statvfs() are there.
#pragma once

#include <sys/resource.h>
#include <unistd.h>
#include <atomic>
#include <csignal>
#include <cstring>

namespace hearth::fake {

/// While it lives no weights reach the disk. The main thread is never held: it must not get there.
class HeldDisk {
  public:
    HeldDisk() { s_held = true; }
    ~HeldDisk() { letGo(); }
    HeldDisk(const HeldDisk &) = delete;
    HeldDisk &operator=(const HeldDisk &) = delete;

    /// Somebody waits for it.
    bool isWaitedFor() const { return s_waiting > 0; }
    void letGo() {
        s_held = false;
        s_held.notify_all();
    }
    /// Whether the main thread came, ever.
    static bool hasMetEventLoop() { return s_hasMetEventLoop; }

    static void pass(int fd) {
        // The file has no name before it is whole: safetensors begin with a length and this.
        char start[8 + 14] = {};
        if (pread(fd, start, sizeof start, 0) < 0 || std::memcmp(start + 8, "{\"__metadata__", 14) != 0)
            return;
        if (gettid() == getpid()) {
            s_hasMetEventLoop = true;
            return;
        }
        ++s_waiting;
        s_held.wait(true);
        --s_waiting;
    }

  private:
    static inline std::atomic<bool> s_held = false, s_hasMetEventLoop = false;
    static inline std::atomic<int> s_waiting = 0;
};

/// While it lives the disk has no room for a file as large as weights; small ones are written.
class SmallDisk {
  public:
    SmallDisk() {
        // Without the signal the writer gets an error, as from a full disk.
        m_before = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_limit);
        const rlimit small{256 << 10, m_limit.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        s_isFull = true;
    }
    ~SmallDisk() {
        s_isFull = false;
        setrlimit(RLIMIT_FSIZE, &m_limit);
        std::signal(SIGXFSZ, m_before);
    }
    SmallDisk(const SmallDisk &) = delete;
    SmallDisk &operator=(const SmallDisk &) = delete;

    static bool isFull() { return s_isFull; }

  private:
    rlimit m_limit{};
    void (*m_before)(int) = nullptr;
    static inline std::atomic<bool> s_isFull = false;
};

}  // namespace hearth::fake
