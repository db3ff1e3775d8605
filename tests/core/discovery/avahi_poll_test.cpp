// Avahi's event loop on Qt's: who deletes what it made, where the thread goes on and where it ends.
#include <avahi-common/timeval.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <QPointer>
#include <QTest>
#include <algorithm>
#include <memory>

#include "core/discovery/avahi_poll.h"
#include "tests/core/base/patience.h"

using namespace hearth;

class AvahiPollTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_descriptor = eventfd(0, EFD_CLOEXEC);
        QVERIFY(m_descriptor >= 0);
        m_owner = std::make_unique<QObject>();
        m_poll = std::make_unique<AvahiQtPoll>(m_owner.get());
    }
    void cleanup() {
        m_poll.reset();
        m_owner.reset();
        ::close(m_descriptor);
    }

    void tellsOfWhatHappensAndOfTheTime() {
        const AvahiPoll *api = m_poll->api();
        int happened = 0, due = 0;
        AvahiWatch *watch = api->watch_new(
            api, m_descriptor, AVAHI_WATCH_IN,
            [](AvahiWatch *, int fd, AvahiWatchEvent, void *count) {
                eventfd_t value = 0;
                eventfd_read(fd, &value);
                ++*static_cast<int *>(count);
            },
            &happened);
        timeval now{};
        avahi_elapse_time(&now, 0, 0);
        AvahiTimeout *timeout = api->timeout_new(
            api, &now, [](AvahiTimeout *, void *count) { ++*static_cast<int *>(count); }, &due);
        eventfd_write(m_descriptor, 1);
        QTRY_COMPARE_WITH_TIMEOUT(happened, 1, patience);
        QTRY_COMPARE_WITH_TIMEOUT(due, 1, patience);
        api->watch_free(watch);
        api->timeout_free(timeout);
    }
    void whatWasFreedIsDeletedByTheLoop() {
        const auto made = makeAndFree();
        QTRY_VERIFY_WITH_TIMEOUT(areGone(made), patience);
    }
    void whereNoLoopComesAnyMoreItGoesWithTheOwner() {
        const auto made = makeAndFree();
        m_owner.reset();
        QVERIFY(areGone(made));
    }

  private:
    using Objects = QList<QPointer<QObject>>;

    Objects makeAndFree() {
        const AvahiPoll *api = m_poll->api();
        AvahiWatch *watch = api->watch_new(
            api, m_descriptor, AVAHI_WATCH_IN, [](AvahiWatch *, int, AvahiWatchEvent, void *) {}, nullptr);
        AvahiTimeout *timeout = api->timeout_new(
            api, nullptr, [](AvahiTimeout *, void *) {}, nullptr);
        Objects made;
        for (QObject *object : m_owner->children())
            made << object;
        api->watch_free(watch);
        api->timeout_free(timeout);
        return made;
    }
    static bool areGone(const Objects &made) {
        return made.size() == 3 && std::ranges::all_of(made, [](const auto &object) { return object.isNull(); });
    }

    int m_descriptor = -1;
    std::unique_ptr<QObject> m_owner;
    std::unique_ptr<AvahiQtPoll> m_poll;
};

QTEST_GUILESS_MAIN(AvahiPollTest)
#include "avahi_poll_test.moc"
