// Avahi's event loop on Qt's.
#pragma once

#include <avahi-common/watch.h>

class QObject;

namespace hearth {

/// The watches and timeouts of one client. All of it lives in the thread of `owner`, which runs a Qt event loop; the
/// client must be freed first. What Avahi frees is deleted by that loop, or with `owner` where the loop has ended.
class AvahiQtPoll {
  public:
    explicit AvahiQtPoll(QObject *owner);
    AvahiQtPoll(const AvahiQtPoll &) = delete;
    AvahiQtPoll &operator=(const AvahiQtPoll &) = delete;

    const AvahiPoll *api() const { return &m_api; }

  private:
    AvahiPoll m_api{};
};

}  // namespace hearth
