// "hearth data list" says what names stand for, and reads none of their data.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/data/data_registry.h"
#include "tests/app/hearth_program.h"

using namespace hearth;

class DataCommandTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    const QString m_name = QStringLiteral("rows");

    QString table() const { return m_folder->filePath(QStringLiteral("rows.csv")); }
    void writeRows(int count) const {
        QByteArray rows = "width,kind\n";
        for (int i = 0; i < count; ++i)
            rows += QByteArray::number(i * 31 % 101) + (i % 2 ? ",a\n" : ",b\n");
        QVERIFY(saveFile(table(), rows));
    }
    /// What the program says of the data with --json.
    QJsonObject listed() const {
        const test::Outcome outcome = test::runHearth(test::wordsOf(QStringLiteral("data list --json")));
        const QJsonObject all = QJsonDocument::fromJson(outcome.output.toUtf8()).object();
        for (const QJsonValue each : all[QStringLiteral("data")].toArray()) {
            if (each[QStringLiteral("name")].toString() == m_name)
                return each.toObject();
        }
        return {};
    }
    static qint64 samples(const QJsonObject &told) {
        return told[QStringLiteral("train")].toInteger() + told[QStringLiteral("test")].toInteger();
    }

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        qputenv("XDG_DATA_HOME", m_folder->filePath(QStringLiteral("home")).toLocal8Bit());
        writeRows(100);
        const auto added = registerDataset(m_name, table(), false);
        QVERIFY2(added, added ? "" : qPrintable(added.error().toString()));
    }

    void aListSaysWhatWasFoundLast() {
        writeRows(200);
        const QJsonObject before = listed();
        QCOMPARE(samples(before), 100);
        QCOMPARE(before[QStringLiteral("kind")].toString(), QStringLiteral("table"));
        QCOMPARE(before[QStringLiteral("classes")].toArray(), QJsonArray({QStringLiteral("a"), QStringLiteral("b")}));
        QCOMPARE(before[QStringLiteral("inputs")].toObject()[QStringLiteral("features")].toArray(), QJsonArray{1});
        QCOMPARE(before[QStringLiteral("columns")].toArray(),
                 QJsonArray({QStringLiteral("width"), QStringLiteral("kind")}));
        QCOMPARE(before[QStringLiteral("label")].toString(), QStringLiteral("kind"));
        QCOMPARE(before[QStringLiteral("broken")].toInt(-1), 0);
        QVERIFY(checkDataset(m_name));
        QCOMPARE(samples(listed()), 200);
    }

    void whatIsUsedNeverthelessIsNotToldAsLeftOut() {
        QByteArray rows = "width,price,kind\n";
        for (int i = 0; i < 200; ++i)
            rows += QByteArray::number(i * 31 % 101) + ',' +
                    (i == 15 ? QByteArray("sold") : QByteArray::number(i + 0.5)) + (i % 2 ? ",a\n" : ",b\n");
        QVERIFY(saveFile(table(), rows));
        QVERIFY(checkDataset(m_name));
        const QJsonObject told = listed();
        QCOMPARE(told[QStringLiteral("broken")].toInt(-1), 0);
        QCOMPARE(told[QStringLiteral("doubtful")].toInt(-1), 1);
        const QString shown = test::runHearth(test::wordsOf(QStringLiteral("data show rows"))).output;
        QVERIFY2(shown.contains(QLatin1String("Used, but doubtful:\n  price: 1 field is no number")),
                 qPrintable(shown));
        QVERIFY2(!shown.contains(QLatin1String("Left out")), qPrintable(shown));
    }

    void whatAnOlderHearthDescribedIsReadForTheList() {
        const QString path = pathOfDataset(m_name).value_or(QString());
        auto description = readJsonFile(path);
        QVERIFY(description);
        description->remove(QStringLiteral("found"));
        QVERIFY(saveFile(path, QJsonDocument(*description).toJson()));
        writeRows(200);
        QCOMPARE(samples(listed()), 200);
    }

    void dataThatAreGoneAreToldInTheList() {
        QVERIFY(QFile::remove(table()));
        const QString error = listed()[QStringLiteral("error")].toString();
        QVERIFY2(error.contains(table()), qPrintable(error));
    }
};

QTEST_GUILESS_MAIN(DataCommandTest)
#include "data_command_test.moc"
