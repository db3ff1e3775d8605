// A disk that is full, for root as well.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace hearth {

/// Writes beyond this size fail, as on a full disk, while it lives.
class SmallDisk {
  public:
    explicit SmallDisk(rlim_t bytes) {
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_old);
        const rlimit limit{bytes, m_old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SmallDisk() {
        setrlimit(RLIMIT_FSIZE, &m_old);
        std::signal(SIGXFSZ, m_handler);
    }
    SmallDisk(const SmallDisk &) = delete;
    SmallDisk &operator=(const SmallDisk &) = delete;

  private:
    rlimit m_old{};
    void (*m_handler)(int) = SIG_DFL;
};

}  // namespace hearth
