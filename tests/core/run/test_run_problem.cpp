// The planning problem in the folder of a run.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/run/run_problem.h"

using namespace hearth;

class TestRunProblem : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    void save(const QString &name, const QByteArray &text) const {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }
    /// One device of this memory, one layer.
    static QByteArray problemOf(int memoryBytes) {
        QByteArray text =
            "{'format':'hearth-problem/1','batch':8,"
            "'devices':[{'id':'nx0','memory_bytes':MEMORY,'runtime_bytes':0}],"
            "'layers':[{'name':'a','output_bytes':4,'saved_bytes':4,'parameter_bytes':4}],"
            "'times':{'nx0':{'batch':[8],'forward_s':[[0.1]],'backward_s':[[0.2]]}},"
            "'links':{'default':{'bytes_per_s':12500000,'latency_s':0.0003,'duplex':'full'}}}";
        return text.replace("MEMORY", QByteArray::number(memoryBytes)).replace('\'', '"');
    }

  private Q_SLOTS:
    void theOneOfTheHighestTermIsRead() {
        QCOMPARE(newestProblem(m_folder.path()).error().code, QStringLiteral("run.no-problem"));
        save(QStringLiteral("problem-2.json"), problemOf(2000));
        save(QStringLiteral("problem-9.json"), problemOf(9000));
        save(QStringLiteral("problem-10.json"), problemOf(10'000));
        const auto problem = newestProblem(m_folder.path());
        QVERIFY2(problem, problem ? "" : qPrintable(problem.error().toString()));
        QCOMPARE(problem->devices.front().memoryBytes, qint64{10'000});
    }
};

QTEST_GUILESS_MAIN(TestRunProblem)
#include "test_run_problem.moc"
