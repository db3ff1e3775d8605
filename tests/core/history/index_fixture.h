// An index over run directories that a test writes.
#pragma once

#include <QTemporaryDir>

#include "core/history/run_index.h"
#include "tests/core/history/run_writer.h"

namespace hearth {

/// The slots of QTestLib are the test's own; `begin()` belongs into its `init`.
class IndexFixture : public QObject {
  protected:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<RunIndex> m_index;

    /// An empty name: in memory.
    void begin(const QString &indexFile = {}) {
        m_dir = std::make_unique<QTemporaryDir>();
        m_index = std::make_unique<RunIndex>();
        const auto opened = m_index->open(indexFile.isEmpty() ? QString() : m_dir->filePath(indexFile));
        QVERIFY2(opened, opened ? "" : qPrintable(opened.error().toString()));
        QVERIFY(!m_index->takeNotice());
    }
    QString runs() const { return m_dir->filePath(QStringLiteral("runs")); }

    /// All runs, after a look at the files.
    std::vector<RunSummary> list() {
        const auto updated = m_index->update({runs()});
        if (!updated || !*updated)
            qFatal("%s", updated ? "cancelled" : qPrintable(updated.error().toString()));
        return m_index->list().value_or(std::vector<RunSummary>());
    }
    RunSummary only() {
        list();
        return stored();
    }
    /// Without a look at the files.
    RunSummary stored() {
        const auto all = m_index->list().value_or(std::vector<RunSummary>());
        return all.size() == 1 ? all.front() : RunSummary();
    }
    RunDetails details(const QString &id = QStringLiteral("a")) { return m_index->details(id).value_or(RunDetails()); }
};

}  // namespace hearth
