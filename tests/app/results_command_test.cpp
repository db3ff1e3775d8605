// `hearth results` over a run's folder: no agent is needed for it.
#include <unistd.h>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/app/hearth_program.h"
#include "tests/core/data/picture_folder.h"
#include "tests/core/history/run_writer.h"
#include "tests/core/inference/evaluated_run.h"

using namespace hearth;
using namespace hearth::test;

class ResultsCommandTest : public QObject, PictureFolder {
    Q_OBJECT

    const QString m_run = QStringLiteral("20261120-090000-aaaa");

    Outcome results(const QStringList &words = {}) const {
        return runHearth(QStringList{QStringLiteral("results"), m_run, QStringLiteral("--state"), path()} + words);
    }

  private Q_SLOTS:
    void init() {
        makeFolder();
        saveClasses(QStringLiteral("pets/train"), 3);
        saveClasses(QStringLiteral("pets/test"), 2);
        RunWriter run(path(QStringLiteral("runs")), m_run, {});
        run.begin();
        const TrainedRun trained(path(QStringLiteral("runs/") + m_run));
        setData(trained, path(QStringLiteral("pets")));
        trained.write(EvaluationDetails::fileName(), mistakenCats().toJson());
    }

    void classesPairsAndFilesAreTold() {
        const QJsonObject told = QJsonDocument::fromJson(results({QStringLiteral("--json")}).output.toUtf8()).object();
        QCOMPARE(told[QLatin1String("round")].toInt(), 40);
        QCOMPARE(told[QLatin1String("classes")].toArray()[1].toObject()[QLatin1String("class")].toString(),
                 QStringLiteral("dog"));
        const QJsonObject pair = told[QLatin1String("confused")].toArray()[0].toObject();
        QCOMPARE(pair[QLatin1String("label")].toString(), QStringLiteral("cat"));
        QCOMPARE(pair[QLatin1String("answer")].toString(), QStringLiteral("dog"));
        QCOMPARE(pair[QLatin1String("samples")].toArray(), QJsonArray{1});
        const QJsonObject hardest = told[QLatin1String("hardest")].toArray()[0].toObject();
        QCOMPARE(hardest[QLatin1String("sample")].toInt(), 3);
        QCOMPARE(hardest[QLatin1String("file")].toString(), path(QStringLiteral("pets/test/red/1.png")));
    }

    void aTerminalShowsTables() {
        const Outcome told = results({QStringLiteral("--pairs"), QStringLiteral("1")});
        QCOMPARE(told.status, 0);
        for (const char *words : {"CLASS", "50.0", "TAKEN FOR", "3.5000", "pets/test/red/1.png"})
            QVERIFY2(told.output.contains(QLatin1String(words)), qPrintable(told.output));
    }

    void dataThatAreGoneAreSaidBesideTheRest() {
        QVERIFY(QDir(path(QStringLiteral("pets"))).removeRecursively());
        const Outcome told = results();
        QCOMPARE(told.status, 0);
        QVERIFY(told.output.contains(QLatin1String("3.5000")));
        QVERIFY2(told.errors.contains(QLatin1String("pets")), qPrintable(told.errors));
    }

    void runsOfAnotherUserAreNotSaidToBeUnknown() {
        QFile::setPermissions(path(QStringLiteral("runs")), {});
        // Root reads what its owner may not, unless it gives up that right.
        const QStringList under = ::geteuid() == 0
                                      ? QStringList{QStringLiteral("setpriv"),
                                                    QStringLiteral("--bounding-set=-dac_override,-dac_read_search"),
                                                    QStringLiteral("--inh-caps=-dac_override,-dac_read_search")}
                                      : QStringList();
        const Outcome told =
            runHearth({QStringLiteral("results"), m_run, QStringLiteral("--state"), path()}, true, {}, under);
        QFile::setPermissions(path(QStringLiteral("runs")), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QCOMPARE(told.status, 1);
        QVERIFY2(told.errors.contains(QLatin1String("cannot be read")), qPrintable(told.errors));
        QVERIFY2(told.errors.contains(QLatin1String("sudo -u")), qPrintable(told.errors));
    }

    void aRunWithoutAnEvaluationSaysWhatToDo() {
        QVERIFY(QFile::remove(path(QStringLiteral("runs/%1/evaluation.json").arg(m_run))));
        const Outcome told = results();
        QCOMPARE(told.status, 1);
        QVERIFY2(told.errors.contains(QLatin1String("not evaluated")), qPrintable(told.errors));
    }
};

QTEST_GUILESS_MAIN(ResultsCommandTest)
#include "results_command_test.moc"
