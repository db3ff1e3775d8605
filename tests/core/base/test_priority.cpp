#include <QTest>
#include <thread>

#include "core/base/priority.h"
#include "tests/core/base/thread_nice.h"

using namespace hearth;

class TestPriority : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aThreadStepsBackAlone() {
        QVERIFY(!test::niceOfThreads().contains(backgroundNice));
        QList<int> during, ofItsOwn;
        std::thread([&] {
            lowerThreadPriority(backgroundNice);
            during = test::niceOfThreads();
            std::thread([&] { ofItsOwn = test::niceOfThreads(); }).join();
        }).join();
        QCOMPARE(during.count(backgroundNice), 1);
        QCOMPARE(ofItsOwn.count(backgroundNice), 2);
        QVERIFY(!test::niceOfThreads().contains(backgroundNice));
    }
    void whatNobodyWaitsForComesAfterTraining() { QVERIFY(0 < trainingNice && trainingNice < backgroundNice); }
};

QTEST_GUILESS_MAIN(TestPriority)
#include "test_priority.moc"
