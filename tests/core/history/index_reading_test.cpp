// What History's index makes of events that cannot be read, or are too much.
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/history/event_slice.h"
#include "core/history/run_index.h"
#include "tests/core/history/run_writer.h"

using namespace hearth;

namespace {

/// While it lives this program can open no more files.
class NoMoreFiles {
  public:
    NoMoreFiles() {
        if (::getrlimit(RLIMIT_NOFILE, &m_before) != 0)
            qFatal("getrlimit");
        rlimit none = m_before;
        none.rlim_cur = 0;
        if (::setrlimit(RLIMIT_NOFILE, &none) != 0)
            qFatal("setrlimit");
    }
    ~NoMoreFiles() { ::setrlimit(RLIMIT_NOFILE, &m_before); }
    Q_DISABLE_COPY_MOVE(NoMoreFiles)

  private:
    rlimit m_before{};
};

}  // namespace

class IndexReadingTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<RunIndex> m_index;

    QString runs() const { return m_dir->filePath(QStringLiteral("runs")); }
    RunSummary only() {
        const auto updated = m_index->update({runs()});
        if (!updated || !*updated)
            qFatal("%s", updated ? "cancelled" : qPrintable(updated.error().toString()));
        return stored();
    }
    /// Without a look at the files.
    RunSummary stored() {
        const auto all = m_index->list().value_or(std::vector<RunSummary>());
        return all.size() == 1 ? all.front() : RunSummary();
    }

  private Q_SLOTS:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        m_index = std::make_unique<RunIndex>();
        QVERIFY(m_index->open(QString()));
    }

    void aRunThatCannotBeOpenedForAMomentKeepsItsFigures() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        QCOMPARE(only().rounds, 1);
        run.round(2, 1);
        QVERIFY(m_index->beginUpdate({runs()}));
        {
            const NoMoreFiles tight;
            const auto more = m_index->step();
            QVERIFY(more && !*more);
        }
        QCOMPARE(stored().rounds, 1);
        QCOMPARE(stored().state, QStringLiteral("training"));
        QCOMPARE(only().rounds, 2);
    }

    void aRunThatCouldNotBeOpenedAtFirstIsReadLater() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        QVERIFY(m_index->beginUpdate({runs()}));
        {
            const NoMoreFiles tight;
            const auto more = m_index->step();
            QVERIFY(more && !*more);
        }
        QCOMPARE(only().rounds, 1);
    }

    void aReadThatFailsIsNotTheEnd() {
        // Nothing lies at address 0: the file opens, and reading fails.
        const EventSlice slice = readEvents(QStringLiteral("/proc/self/mem"), 0, 4096);
        QVERIFY(slice.unreadable);
        QVERIFY(!slice.end);
        QCOMPARE(slice.next, 0);
    }
};

QTEST_GUILESS_MAIN(IndexReadingTest)
#include "index_reading_test.moc"
