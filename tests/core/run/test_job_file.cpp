// What a job's file means by relative paths, wherever it is opened from.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/run/job_file.h"

using namespace hearth;

class TestJobFile : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    const QString m_before = QDir::currentPath();

    QString path(const QString &name) const { return m_folder->filePath(name); }
    void save(const QString &name, const QByteArray &content = "x") const {
        QVERIFY(QDir().mkpath(QFileInfo(path(name)).absolutePath()));
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", path(QStringLiteral("home")).toUtf8());
        save(QStringLiteral("elsewhere/only-there.csv"));
        QVERIFY(QDir::setCurrent(path(QStringLiteral("elsewhere"))));
    }
    void cleanup() { QVERIFY(QDir::setCurrent(m_before)); }

    void aModelBesideTheJobIsFound_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("found");
        const auto row = [](const char *name, const char *file, const char *model, const char *found) {
            QTest::newRow(name) << QString::fromLatin1(file) << QString::fromLatin1(model)
                                << QString::fromLatin1(found);
        };
        row("a file", "jobs/net.onnx", "net.onnx", "jobs/net.onnx");
        row("with options", "jobs/net.onnx", "net.onnx:image=64,classes=3", "jobs/net.onnx:image=64,classes=3");
        row("a name that looks as if it had options", "jobs/net:a=1", "net:a=1", "jobs/net:a=1");
        row("in a folder", "jobs/nets/net.json", "./nets/net.json", "jobs/nets/net.json");
        row("above", "net.json", "../net.json", "net.json");
        row("a folder of Hugging Face", "jobs/bert/config.json", "bert:sequence=64", "jobs/bert:sequence=64");
        row("one that is called as a built-in model", "jobs/gpt2/config.json", "gpt2", "jobs/gpt2");
        row("nothing at all", "jobs/net.json", "nets/none.json", "jobs/nets/none.json");
    }
    void aModelBesideTheJobIsFound() {
        QFETCH(QString, file);
        QFETCH(QString, model);
        QFETCH(QString, found);
        save(file);
        save(QStringLiteral("jobs/job.json"),
             QStringLiteral(R"({"format": "hearth-job/1", "model": "%1", "seed": 7})").arg(model).toUtf8());
        for (const QString &job : {path(QStringLiteral("jobs/job.json")), QStringLiteral("../jobs/job.json")}) {
            const auto opened = openJob(job);
            QVERIFY2(opened, opened ? "" : qPrintable(opened.error().toString()));
            QCOMPARE(opened->model, path(found));
            QCOMPARE(opened->seed, quint64{7});
        }
    }

    void wordsThatMeanSomethingElseStay_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("word");
        const auto row = [](const char *name, const char *key, const QString &word) {
            QTest::newRow(name) << QString::fromLatin1(key) << word;
        };
        row("a built-in model", "model", QStringLiteral("fashion-cnn"));
        row("its options", "model", QStringLiteral("resnet18:image=64,classes=3"));
        row("built-in data", "data", QStringLiteral("fashion-mnist"));
        row("a registered name", "data", QStringLiteral("mine"));
        row("what lies in the working folder", "data", QStringLiteral("only-there.csv"));
        row("a name of nothing", "data", QStringLiteral("nothing"));
        row("an absolute path", "data", QStringLiteral("/nowhere/t.csv"));
    }
    void wordsThatMeanSomethingElseStay() {
        QFETCH(QString, key);
        QFETCH(QString, word);
        for (const char *file : {"jobs/fashion-cnn", "jobs/resnet18", "jobs/fashion-mnist", "jobs/mine"})
            save(QString::fromLatin1(file));
        save(QStringLiteral("home/hearth/data/mine.json"));
        const QJsonObject job{{key, word}};
        QCOMPARE(withPathsFrom(path(QStringLiteral("jobs")), job), job);
    }

    void ofSeveralSetsThoseOfThisDeviceAreFound() {
        save(QStringLiteral("jobs/pets/cat/1.jpg"));
        save(QStringLiteral("jobs/t.csv"));
        save(QStringLiteral("jobs/job.json"),
             R"({"format": "hearth-job/1", "data": ["pets", "pets@desk", "t.csv", "fashion-mnist"]} )");
        const auto job = openJob(path(QStringLiteral("jobs/job.json")));
        QVERIFY2(job, job ? "" : qPrintable(job.error().toString()));
        QCOMPARE(job->data, (QStringList{path(QStringLiteral("jobs/pets")), QStringLiteral("pets@desk"),
                                         path(QStringLiteral("jobs/t.csv")), QStringLiteral("fashion-mnist")}));
    }

    void whatIsNotValidIsAnErrorOfTheJob_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("a model that is a number") << QByteArray(R"({"format": "hearth-job/1", "model": 5})");
        QTest::newRow("data that are numbers") << QByteArray(R"({"format": "hearth-job/1", "data": [1, 2]})");
        QTest::newRow("an empty name") << QByteArray(R"({"format": "hearth-job/1", "data": ["", "x"]} )");
    }
    void whatIsNotValidIsAnErrorOfTheJob() {
        QFETCH(QByteArray, content);
        save(QStringLiteral("jobs/job.json"), content);
        const auto job = openJob(path(QStringLiteral("jobs/job.json")));
        QVERIFY(!job);
        QCOMPARE(job.error().code, QStringLiteral("json.invalid"));
    }
};

QTEST_GUILESS_MAIN(TestJobFile)
#include "test_job_file.moc"
