#include "core/discovery/avahi_poll.h"

#include <avahi-common/timeval.h>
#include <poll.h>
#include <QObject>
#include <QSocketNotifier>
#include <QTimer>
#include <algorithm>

// Avahi leaves these types to whoever implements its loop. Both may be freed from within their own callbacks.

struct AvahiWatch {
    AvahiWatch(int fd, AvahiWatchEvent events, AvahiWatchCallback callback, void *data, QObject *owner)
        : m_fd(fd), m_callback(callback), m_data(data) {
        for (auto [notifier, type] :
             {std::pair(&m_read, QSocketNotifier::Read), std::pair(&m_write, QSocketNotifier::Write)}) {
            *notifier = new QSocketNotifier(fd, type, owner);
            QObject::connect(*notifier, &QSocketNotifier::activated, *notifier, [this] { activated(); });
        }
        update(events);
    }
    ~AvahiWatch() {
        for (QSocketNotifier *notifier : {m_read, m_write}) {
            notifier->setEnabled(false);
            notifier->disconnect();
            notifier->deleteLater();
        }
    }
    void update(AvahiWatchEvent events) {
        m_wanted = events;
        m_read->setEnabled((m_wanted & AVAHI_WATCH_IN) != 0);
        m_write->setEnabled((m_wanted & AVAHI_WATCH_OUT) != 0);
    }
    AvahiWatchEvent happened() const { return static_cast<AvahiWatchEvent>(m_happened); }

  private:
    void activated() {
        // A notifier does not tell errors and hang-ups apart from data.
        pollfd state{m_fd, static_cast<short>(m_wanted), 0};
        if (::poll(&state, 1, 0) <= 0)
            return;
        m_happened = state.revents;
        m_callback(this, m_fd, static_cast<AvahiWatchEvent>(m_happened), m_data);
        // *this may be gone.
    }

    int m_fd;
    AvahiWatchCallback m_callback;
    void *m_data;
    QSocketNotifier *m_read = nullptr;
    QSocketNotifier *m_write = nullptr;
    int m_wanted = 0;
    int m_happened = 0;
};

struct AvahiTimeout {
    AvahiTimeout(const timeval *due, AvahiTimeoutCallback callback, void *data, QObject *owner)
        : m_timer(new QTimer(owner)) {
        m_timer->setSingleShot(true);
        QObject::connect(m_timer, &QTimer::timeout, m_timer, [this, callback, data] { callback(this, data); });
        update(due);
    }
    ~AvahiTimeout() {
        m_timer->stop();
        m_timer->disconnect();
        m_timer->deleteLater();
    }
    /// `due` is a time of the wall clock; null: never.
    void update(const timeval *due) {
        if (!due) {
            m_timer->stop();
            return;
        }
        const AvahiUsec left = std::max<AvahiUsec>(0, -avahi_age(due));
        m_timer->start(std::chrono::ceil<std::chrono::milliseconds>(std::chrono::microseconds(left)));
    }

  private:
    QTimer *m_timer;
};

namespace hearth {

AvahiQtPoll::AvahiQtPoll(QObject *owner) {
    m_api.userdata = owner;
    m_api.watch_new = [](const AvahiPoll *api, int fd, AvahiWatchEvent events, AvahiWatchCallback callback,
                         void *data) {
        return new AvahiWatch(fd, events, callback, data, static_cast<QObject *>(api->userdata));
    };
    m_api.watch_update = [](AvahiWatch *watch, AvahiWatchEvent events) { watch->update(events); };
    m_api.watch_get_events = [](AvahiWatch *watch) { return watch->happened(); };
    m_api.watch_free = [](AvahiWatch *watch) { delete watch; };
    m_api.timeout_new = [](const AvahiPoll *api, const timeval *due, AvahiTimeoutCallback callback, void *data) {
        return new AvahiTimeout(due, callback, data, static_cast<QObject *>(api->userdata));
    };
    m_api.timeout_update = [](AvahiTimeout *timeout, const timeval *due) { timeout->update(due); };
    m_api.timeout_free = [](AvahiTimeout *timeout) { delete timeout; };
}

}  // namespace hearth
