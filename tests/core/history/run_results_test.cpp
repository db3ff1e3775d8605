// The samples behind what a run gets right and wrong.
#include <QTest>

#include "core/data/data_registry.h"
#include "core/history/run_results.h"
#include "tests/core/data/picture_folder.h"
#include "tests/core/inference/trained_run.h"

using namespace hearth;

class RunResultsTest : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(QStringLiteral("home")).toUtf8());
    }

    void aPictureOnADiskThatIsAwayIsNotGone() {
        saveClasses(QStringLiteral("pets/train"), 3);
        saveClasses(QStringLiteral("pets/test"), 3);
        const auto added = registerDataset(QStringLiteral("pets"), path(QStringLiteral("pets")), false);
        QVERIFY2(added, added ? "" : qPrintable(added.error().toString()));
        const TrainedRun run(path(QStringLiteral("run")));
        QVERIFY(QFile::remove(path(QStringLiteral("pets/test/blue/0.png"))));
        EvaluationDetails details;
        details.split = QStringLiteral("test");
        details.samples = 6;
        const auto samples = EvaluatedSamples::open(run.folder(), details);
        QVERIFY2(samples, samples ? "" : qPrintable(samples.error().toString()));
        QVERIFY(QDir().rename(path(QStringLiteral("pets/test/red")), path(QStringLiteral("elsewhere"))));
        const auto codeOf = [&](const char *file) {
            for (qint64 i = 0; i < details.samples; ++i) {
                if (!(*samples)->fileOf(i).endsWith(QLatin1String(file)))
                    continue;
                const auto read = (*samples)->read(i, 32);
                return read ? QString() : read.error().code;
            }
            return QStringLiteral("there is no such sample");
        };
        QCOMPARE(codeOf("blue/0.png"), QStringLiteral("data.gone"));
        QCOMPARE(codeOf("blue/1.png"), QString());
        QCOMPARE(codeOf("red/1.png"), QStringLiteral("data.unreadable"));
    }
};

QTEST_GUILESS_MAIN(RunResultsTest)
#include "run_results_test.moc"
