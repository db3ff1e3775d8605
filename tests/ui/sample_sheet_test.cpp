// What the sheet of samples counts: as many as a run of the job would take. When it reads the data again.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/data/data_registry.h"
#include "core/model/catalogue.h"
#include "tests/core/base/patience.h"
#include "ui/job/sample_sheet.h"

using namespace hearth;

class SampleSheetTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_home;  // of the user

    void write(const QString &name, const QByteArray &content) const {
        QFile file(m_home.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write");
    }
    /// Nothing where the data were not read in time.
    static std::optional<qint64> countedBySheet(const Job &job, const Model &model) {
        SampleSheet sheet;
        int told = 0;
        connect(&sheet, &SampleSheet::told, &sheet, [&told] { ++told; });
        sheet.load(job, &model);
        // The first time it says that it reads them.
        if (!QTest::qWaitFor([&told] { return told > 1; }, patience))
            return std::nullopt;
        return sheet.countedFor(job, &model).training;
    }

    void writeRows(int count) const {
        QByteArray rows = "width,height,kind\n";
        for (int i = 0; i < count; ++i)
            rows += QByteArray::number(i * 31 % 101) + ',' + QByteArray::number(i * 7 % 23) + (i % 2 ? ",a\n" : ",b\n");
        write(QStringLiteral("rows.csv"), rows);
    }
    static Job jobOf(const QString &data) {
        Job job;
        job.data = QStringList{data};
        return job;
    }
    static QString said(const QSignalSpy &told, qsizetype at) { return told.value(at).value(0).toString(); }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_home.isValid());
        qputenv("XDG_DATA_HOME", m_home.path().toLocal8Bit());
        QVERIFY(QDir(m_home.path()).mkpath(QStringLiteral("book")));
        write(QStringLiteral("book/train.txt"), QByteArray(30'000, 'a'));
        write(QStringLiteral("book/test.txt"), QByteArray(3000, 'b'));
        QVERIFY(registerDataset(QStringLiteral("book"), m_home.filePath(QStringLiteral("book")), false));
    }

    void itCountsWhatARunTrainsOn_data() {
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("model");
        QTest::addColumn<double>("validation");
        QTest::addColumn<int>("shift");
        const QString pictures = QStringLiteral("fashion-mnist"), cnn = QStringLiteral("fashion-cnn"),
                      book = QStringLiteral("book"), gpt = QStringLiteral("gpt2:sequence=64");
        QTest::newRow("pictures") << pictures << cnn << 0.0 << 0;
        QTest::newRow("pictures, a validation set apart") << pictures << cnn << 0.2 << 0;
        QTest::newRow("pictures that are varied, a validation set apart") << pictures << cnn << 0.2 << 2;
        QTest::newRow("texts of the model's length") << book << gpt << 0.0 << 0;
        QTest::newRow("texts of the model's length, a validation set apart") << book << gpt << 0.2 << 0;
    }
    void itCountsWhatARunTrainsOn() {
        QFETCH(QString, data);
        QFETCH(QString, model);
        QFETCH(double, validation);
        QFETCH(int, shift);
        Job job;
        job.data = QStringList{data};
        job.model = model;
        job.validation = validation;
        job.augment.shift = shift;
        const auto network = loadModel(model);
        QVERIFY(network);
        const auto taken = dataOf(job, *network, DataPlace{data, 0, {}});
        QVERIFY2(taken, taken ? "" : qPrintable(taken.error().toString()));
        QCOMPARE(countedBySheet(job, *network), std::optional(taken->data->count(Split::Train)));
    }

    void itTellsTheRowsThatItShows() {
        const QString name = QStringLiteral("plants");
        QByteArray rows = "width,kind\n";
        for (int i = 0; i < 60; ++i)
            rows += QByteArray::number(i * 31 % 101) + (i % 2 ? ",oak\n" : ",fir\n");
        write(QStringLiteral("plants.csv"), rows);
        QVERIFY(registerDataset(name, m_home.filePath(QStringLiteral("plants.csv")), false));
        Job job;
        job.data = QStringList{name};
        SampleSheet sheet;
        sheet.load(job, nullptr);
        QVERIFY(QTest::qWaitFor([&sheet] { return !sheet.accessibleDescription().isEmpty(); }, patience));
        const QString told = sheet.accessibleDescription();
        static const QRegularExpression first(QStringLiteral("^Row 1: width \\d+, kind (oak|fir); Row 2: "));
        QVERIFY2(first.match(told).hasMatch(), qPrintable(told));
        QCOMPARE(told.count(QStringLiteral("Row ")), 8);
        QVERIFY(unregisterDataset(name));
    }

    /// A run joins them, and only the first is read here.
    void itCountsNothingOfSeveralSets() {
        Job job;
        job.data << QStringLiteral("another");
        const auto network = loadModel(job.model);
        QVERIFY(network);
        QCOMPARE(countedBySheet(job, *network), std::optional(qint64{0}));
    }

    void rowsThatAreKnownAreNotReadAgain() {
        writeRows(100);
        const QString name = QStringLiteral("rows");
        QVERIFY(registerDataset(name, m_home.filePath(QStringLiteral("rows.csv")), true));
        SampleSheet sheet;
        const QSignalSpy told(&sheet, &SampleSheet::told);
        Job job = jobOf(name);
        sheet.load(job, nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, patience);
        QVERIFY2(said(told, 1).contains(QLatin1String("rows to train")), qPrintable(said(told, 1)));
        // Whoever reads them again finds no description, at a time when nobody seems to have written it.
        QFile description(pathOfDataset(name).value_or(QString()));
        const QDateTime written = QFileInfo(description).lastModified();
        QVERIFY(description.open(QIODevice::WriteOnly) && description.write("{}") == 2 && description.flush());
        QVERIFY(description.setFileTime(written, QFileDevice::FileModificationTime));
        description.close();
        job.validation = 0.2;
        sheet.load(job, nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 4, patience);
        QCOMPARE(said(told, 3), said(told, 1));
    }

    void whatOthersHaveReadIsNotReadAgain() {
        writeRows(100);
        const auto rows = loadDataset(m_home.filePath(QStringLiteral("rows.csv")));
        QVERIFY2(rows, rows ? "" : qPrintable(rows.error().toString()));
        SampleSheet sheet;
        const QSignalSpy told(&sheet, &SampleSheet::told);
        // Nobody could read it by this name.
        const QString name = QStringLiteral("of nobody");
        sheet.setRead(name, *rows);
        sheet.load(jobOf(name), nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, patience);
        QVERIFY2(said(told, 1).contains(QLatin1String("rows to train")), qPrintable(said(told, 1)));
        // By another name it is not taken.
        sheet.setRead(QStringLiteral("of somebody"), *rows);
        sheet.load(jobOf(QStringLiteral("of nobody else")), nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 4, patience);
        QVERIFY2(told.last().value(1).toBool(), qPrintable(said(told, 3)));
    }

    void rowsThatWereWrittenMeanwhileAreReadAgain() {
        writeRows(100);
        const QString name = QStringLiteral("rows");
        QVERIFY(registerDataset(name, m_home.filePath(QStringLiteral("rows.csv")), true));
        SampleSheet sheet;
        const QSignalSpy told(&sheet, &SampleSheet::told);
        sheet.load(jobOf(name), nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, patience);
        writeRows(200);
        sheet.lookAgain();
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 4, patience);
        const auto now = loadDataset(name);
        QVERIFY(now);
        QCOMPARE((*now)->count(Split::Train) + (*now)->count(Split::Test), 200);
        const QString counts = QStringLiteral("%1 rows to train, %2 to test")
                                   .arg((*now)->count(Split::Train))
                                   .arg((*now)->count(Split::Test));
        QVERIFY2(said(told, 3).startsWith(counts), qPrintable(said(told, 3)));
    }

    void aSetThatIsWantedAfterAllIsShown() {
        writeRows(100);
        QVERIFY(registerDataset(QStringLiteral("rows"), m_home.filePath(QStringLiteral("rows.csv")), true));
        SampleSheet sheet;
        const QSignalSpy told(&sheet, &SampleSheet::told);
        // What is being read is given up twice.
        sheet.load(jobOf(QStringLiteral("book")), nullptr);
        sheet.load(jobOf(QStringLiteral("rows")), nullptr);
        sheet.load(jobOf(QStringLiteral("book")), nullptr);
        const auto last = [&told] { return said(told, told.size() - 1); };
        QTRY_VERIFY_WITH_TIMEOUT(last().contains(QLatin1String("samples to train")), patience);
        for (const QList<QVariant> &each : told)
            QVERIFY2(!each.value(1).toBool(), qPrintable(each.value(0).toString()));
    }
};

QTEST_MAIN(SampleSheetTest)
#include "sample_sheet_test.moc"
