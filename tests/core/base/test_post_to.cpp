// Work for another thread: where it runs, in which order, and what becomes of it when the receiver ends.
#include <QTest>
#include <QThread>
#include <latch>
#include <memory>
#include <vector>

#include "core/base/post_to.h"

using namespace hearth;

class PostToTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_thread = std::make_unique<QThread>();
        m_receiver = new QObject;
        m_receiver->moveToThread(m_thread.get());
        connect(m_thread.get(), &QThread::finished, m_receiver, &QObject::deleteLater);
    }
    void cleanup() {
        m_thread->quit();
        m_thread->wait();
    }

    void runsInTheOtherThreadInTheOrderOfPosting() {
        std::vector<int> order;
        std::vector<const QThread *> where;
        std::latch done(1);
        for (int i = 0; i < 100; ++i) {
            if (i == 50)
                m_thread->start();  // what was posted before waits for it
            postTo(m_receiver, [&, i] {
                order.push_back(i);
                where.push_back(QThread::currentThread());
                if (i == 99)
                    done.count_down();
            });
        }
        done.wait();
        QCOMPARE(order.size(), std::size_t(100));
        for (std::size_t i = 0; i < order.size(); ++i) {
            QCOMPARE(order[i], int(i));
            QCOMPARE(where[i], m_thread.get());
        }
    }
    void waitsForWhatItRunsThere() {
        m_thread->start();
        const QThread *where = nullptr;
        auto much = std::make_unique<int>(7);  // what cannot be copied is moved
        int result = 0;
        runIn(m_receiver, [&, owned = std::move(much)] {
            where = QThread::currentThread();
            result = *owned;
        });
        QCOMPARE(where, m_thread.get());
        QCOMPARE(result, 7);
    }
    void whatTheReceiverDoesNotLiveToRunIsDestroyed() {
        const auto held = std::make_shared<int>(1);
        bool ran = false;
        {
            QObject receiver;
            postTo(&receiver, [held, &ran] { ran = true; });
            QCOMPARE(held.use_count(), 2L);
        }
        QCoreApplication::processEvents();
        QVERIFY(!ran);
        QCOMPARE(held.use_count(), 1L);
        m_thread->start();
    }

  private:
    std::unique_ptr<QThread> m_thread;
    QObject *m_receiver = nullptr;  // lives in m_thread, and ends with it
};

QTEST_GUILESS_MAIN(PostToTest)
#include "test_post_to.moc"
