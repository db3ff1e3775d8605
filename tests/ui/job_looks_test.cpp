// When the Job page looks at files: as it is shown, and never while somebody types.
#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include "core/data/data_registry.h"
#include "core/model/catalogue.h"
#include "tests/ui/job_page_fixture.h"
#include "tests/ui/model_folder.h"
#include "ui/words/format.h"

using namespace hearth;

class JobLooksTest : public JobPageFixture {
    Q_OBJECT

    const QString m_network = QStringLiteral("net.json");

    QString writeNetwork() const {
        return write(m_network, QJsonDocument(loadModel(QStringLiteral("fashion-cnn"))->toJson()).toJson());
    }
    void showAgain() const {
        goTo("railHome");
        goTo("railJob");
    }
    /// What the list says of the network.
    QString listed() const { return number("modelParameters-", m_network); }
    static QString parameters() { return formatShortCount(loadModel(QStringLiteral("fashion-cnn"))->parameterCount()); }

  private Q_SLOTS:
    void initTestCase() { beginTests(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openJobPage(); }
    void cleanup() { endWindow(); }

    void aNetworkIsLookedAtAsThePageIsShown() {
        m_questions->file = writeNetwork();
        click("jobModelFile");
        QTRY_COMPARE_WITH_TIMEOUT(listed(), parameters(), patience);
        QVERIFY(QFile::remove(m_questions->file));
        type("jobBatch", QStringLiteral("64"));
        QCOMPARE(listed(), parameters());
        showAgain();
        QTRY_COMPARE_WITH_TIMEOUT(listed(), QStringLiteral("Not there"), patience);
        // The disk is plugged in again.
        writeNetwork();
        showAgain();
        QTRY_COMPARE_WITH_TIMEOUT(listed(), parameters(), patience);
    }

    void aFaultThatNoStampTellsOfIsMended_data() {
        QTest::addColumn<bool>("isOpenedAgain");
        QTest::newRow("the page is shown again") << false;
        QTest::newRow("the file is opened again") << true;
    }
    void aFaultThatNoStampTellsOfIsMended() {
        QFETCH(bool, isOpenedAgain);
        m_questions->file = writeNetwork();
        QFile file(m_questions->file);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray network = file.readAll();
        const QDateTime time = QFileInfo(file).lastModified();
        // As many bytes, from the same moment.
        const auto overwrite = [&](const QByteArray &content) {
            return file.seek(0) && file.write(content) == network.size() && file.flush() &&
                   file.setFileTime(time, QFileDevice::FileModificationTime);
        };
        QVERIFY(overwrite(QByteArray(network.size(), ' ')));
        click("jobModelFile");
        QTRY_COMPARE_WITH_TIMEOUT(listed(), QStringLiteral("Not usable"), patience);
        QVERIFY(overwrite(network));
        if (isOpenedAgain)
            click("jobModelFile");
        else
            showAgain();
        QTRY_COMPARE_WITH_TIMEOUT(listed(), parameters(), patience);
    }

    void dataAreLookedAtAsThePageIsShown() {
        // IDX: two pictures of 4×4 pixels, and their classes.
        const QString pictures = write(QStringLiteral("pictures"),
                                       QByteArray::fromHex("00000803000000020000000400000004") + QByteArray(32, 'U'));
        write(QStringLiteral("labels"), QByteArray::fromHex("00000801000000020001"));
        const QByteArray split = "{\"images\":\"pictures\",\"labels\":\"labels\"}";
        m_questions->file =
            write(QStringLiteral("mine.json"),
                  "{\"format\":\"hearth-data/1\",\"name\":\"mine\",\"classes\":[\"a\",\"b\"],\"train\":" + split +
                      ",\"test\":" + split + "}");
        click("jobDataFile");
        const auto isRead = [this] { return text("jobDataNote").startsWith(QLatin1String("2 pictures to train")); };
        QTRY_VERIFY_WITH_TIMEOUT(isRead(), patience);
        QVERIFY(QFile::remove(pictures));
        type("jobBatch", QStringLiteral("64"));
        QVERIFY2(isRead(), qPrintable(text("jobDataNote")));
        showAgain();
        QTRY_COMPARE_WITH_TIMEOUT(find<QLabel>("jobDataNote")->property("role").toString(), QStringLiteral("wrong"),
                                  patience);
    }

    void namesOfDataAreLookedForAsThePageIsShown() {
        const QString name = QStringLiteral("plants");
        QByteArray rows = "width,kind\n";
        for (int i = 0; i < 60; ++i)
            rows += QByteArray::number(i * 31 % 101) + (i % 2 ? ",a\n" : ",b\n");
        const auto *known = find<QPushButton>("jobDataKnown");
        QVERIFY(!known->isVisible());
        QVERIFY(registerDataset(name, write(QStringLiteral("plants.csv"), rows), false));
        type("jobBatch", QStringLiteral("64"));
        QVERIFY(!known->isVisible());
        showAgain();
        QVERIFY(known->isVisible());
        QVERIFY(unregisterDataset(name));
    }

    void aCureIsLookedForOnce() {
        const QString name = QStringLiteral("weather");
        QByteArray rows = "text,label\n";
        for (int i = 0; i < 60; ++i)
            rows += QByteArray(i % 2 ? "sun " : "rain ") + QByteArray::number(i) + ",kind" + QByteArray::number(i % 3) +
                    '\n';
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("words")));
        const QString words = write(QStringLiteral("words/vocab.txt"), "[PAD]\n[UNK]\n[CLS]\n[SEP]\nsun\nrain\n");
        DataChoice choice;
        choice.tokenizer = QFileInfo(words).path();
        QVERIFY(registerDataset(name, write(QStringLiteral("weather.csv"), rows), false, {}, choice));
        m_window->jobDraft().setData(name);
        m_questions->file =
            writeModelFolder(m_folder->filePath(QStringLiteral("bert"))) + QStringLiteral("/config.json");
        click("jobModelFile");
        const auto *fit = find<QPushButton>("jobFitData");
        QTRY_VERIFY2_WITH_TIMEOUT(fit->isVisible(), qPrintable(text("jobFit")), patience);
        QVERIFY(QDir(m_folder->filePath(QStringLiteral("bert"))).removeRecursively());
        type("jobBatch", QStringLiteral("64"));
        QVERIFY(fit->isVisible());
        QVERIFY(unregisterDataset(name));
    }
};

QTEST_MAIN(JobLooksTest)
#include "job_looks_test.moc"
