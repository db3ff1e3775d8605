// A disk on which nothing has room any more, for the test's own process.
#pragma once

#include <sys/resource.h>
#include <csignal>

namespace hearth {

/// While it lives no file of this process can be written.
class FullDisk {
  public:
    FullDisk() {
        // Without the signal the writer gets an error, as from a full disk.
        m_before = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_limit);
        const rlimit nothing{0, m_limit.rlim_max};
        setrlimit(RLIMIT_FSIZE, &nothing);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &m_limit);
        std::signal(SIGXFSZ, m_before);
    }
    FullDisk(const FullDisk &) = delete;
    FullDisk &operator=(const FullDisk &) = delete;

  private:
    rlimit m_limit{};
    void (*m_before)(int) = nullptr;
};

}  // namespace hearth
