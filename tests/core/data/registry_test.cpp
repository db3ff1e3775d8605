// Data that get a name: read once, and known by their description from then on.
#include "core/data/data_registry.h"

#include <QJsonDocument>
#include <atomic>
#include <numeric>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "tests/core/data/idx_file.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

/// All that is read of one side: samples of each part, one after the other, and labels.
QByteArray readOf(const Dataset &data, Split split) {
    std::vector<qint64> all(static_cast<std::size_t>(data.count(split)));
    std::iota(all.begin(), all.end(), qint64{0});
    QByteArray bytes(data.count(split) * (data.sampleBytes() + data.label().bytes()), '\0');
    std::span<std::byte> rest = std::as_writable_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size())));
    const auto next = [&rest, &all](const Slot &slot) {
        const auto own = rest.first(all.size() * static_cast<std::size_t>(slot.bytes()));
        rest = rest.subspan(own.size());
        return own;
    };
    for (std::size_t part = 0; part < data.parts().size(); ++part) {
        if (!data.readSamples(split, part, all, next(data.parts()[part].slot)))
            return {};
    }
    return data.readLabels(split, all, next(data.label())) ? bytes : QByteArray();
}

QJsonObject withoutBroken(const Dataset &data) {
    QJsonObject preparation = data.preparation();
    preparation.remove(text("broken"));
    return preparation;
}

}  // namespace

class RegistryTest : public QObject, private test::PictureFolder {
    Q_OBJECT

    const QString m_name = text("mine");

    /// Data of this kind, of which some cannot be used; where they are.
    QString made(const QString &kind);
    /// Its "hearth-data/1" file.
    QString description() const { return pathOfDataset(m_name).value_or(QString()); }

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(text("home")).toUtf8());
    }
    void whatGetsANameIsWhatIsLoadedByIt_data();
    void whatGetsANameIsWhatIsLoadedByIt();
    void allIsReadOnce_data();
    void allIsReadOnce();
    void aDescriptionOfAnOlderHearthHasNoSummary();
    void dataThatAreGoneHaveNoSummary();
    void aDescriptionOfADescriptionGetsNoName();
};

QString RegistryTest::made(const QString &kind) {
    const auto rows = [](const QByteArray &header, const QByteArray &label) {
        QByteArray table = header;
        for (int i = 0; i < 100; ++i)
            table += QByteArray::number(i * 31 % 101) + ",word " + QByteArray::number(i) + ',' +
                     QByteArray(label).replace("%1", i % 2 ? "a" : "b").replace("%2", QByteArray::number(i * 0.5)) +
                     '\n';
        return table + "1,without a label,\n1,too,many,fields\n2,of a class with one row,7.25\n3,at last,?\n";
    };
    if (kind == text("a table of classes")) {
        save(text("t.csv"), rows("x,note,y\n", "%1"));
        return path(text("t.csv"));
    }
    if (kind == text("a table of quantities")) {
        save(text("t.csv"), rows("x,note,y\n", "%2") + "4,not sold,None\n");
        return path(text("t.csv"));
    }
    if (kind == text("a table with many rows that cannot be used")) {
        QByteArray table = "x,y\n";
        for (int i = 0; i < 3600; ++i)
            table += QByteArray::number(i * 31 % 101) + ',' +
                     (i % 3 == 0 ? QByteArray::number(i * 0.5) : QByteArray(i % 3 == 1 ? "None" : "")) + '\n';
        save(text("t.csv"), table);
        return path(text("t.csv"));
    }
    if (kind == text("tables in a folder")) {
        save(text("t/train.csv"), rows("x,note,y\n", "%1"));
        save(text("t/val.csv"), "y,x\na,1\n");
        save(text("t/test.csv"), "y,x,note\na,1,here\n");
        return path(text("t"));
    }
    if (kind == text("texts with labels")) {
        save(text("t.csv"), rows("x,text,label\n", "%1"));
        return path(text("t.csv"));
    }
    if (kind == text("plain texts")) {
        save(text("book/train.txt"), QByteArray("some words\n").repeated(500));
        save(text("book/test.txt"), QByteArray(3000, 'b'));
        save(text("book/latin.txt"), "gr\xfc\xdf dich");
        return path(text("book"));
    }
    if (kind == text("pictures")) {
        saveClasses(text("pets/train"), 3);
        saveClasses(text("pets/test"), 2);
        save(text("pets/train/red/broken.png"), "no picture");
        return path(text("pets"));
    }
    save(text("images.gz"), gzip(idx({2, 4, 4}, QByteArray(32, 'U'))));
    save(text("labels"), idx({2}, QByteArray("\0\1", 2)));
    save(text("other.json"), R"({"format":"hearth-data/1","name":"other","classes":["a","b"],
        "train":{"images":"images.gz","labels":"labels"},"test":{"images":"images.gz","labels":"labels"}})");
    return path(text("other.json"));
}

void RegistryTest::whatGetsANameIsWhatIsLoadedByIt_data() {
    QTest::addColumn<QString>("kind");
    for (const char *kind :
         {"a table of classes", "a table of quantities", "a table with many rows that cannot be used",
          "tables in a folder", "texts with labels", "plain texts", "pictures", "IDX files that are described"})
        QTest::newRow(kind) << text(kind);
}

void RegistryTest::whatGetsANameIsWhatIsLoadedByIt() {
    QFETCH(QString, kind);
    const auto added = registerDataset(m_name, made(kind), false);
    QVERIFY2(added, added ? "" : qPrintable(added.error().toString()));
    const auto loaded = loadDataset(m_name), checked = checkDataset(m_name);
    for (const auto &other : {loaded, checked}) {
        QVERIFY2(other, other ? "" : qPrintable(other.error().toString()));
        QCOMPARE((*other)->name(), (*added)->name());
        QCOMPARE((*other)->kind(), (*added)->kind());
        QCOMPARE((*other)->columns(), (*added)->columns());
        QCOMPARE((*other)->labelNames(), (*added)->labelNames());
        QCOMPARE((*other)->classes(), (*added)->classes());
        QCOMPARE((*other)->fileBytes(), (*added)->fileBytes());
        QCOMPARE(withoutBroken(**other), withoutBroken(**added));
        QVERIFY((*other)->parts() == (*added)->parts());
        QCOMPARE((*other)->broken().size(), (*added)->broken().size());
        for (std::size_t i = 0; i < (*other)->broken().size(); ++i) {
            QCOMPARE((*other)->broken()[i].file, (*added)->broken()[i].file);
            QCOMPARE((*other)->broken()[i].cause.english(), (*added)->broken()[i].cause.english());
        }
        for (const Split split : allSplits) {
            QCOMPARE((*other)->count(split), (*added)->count(split));
            QCOMPARE(readOf(**other, split), readOf(**added, split));
        }
        QVERIFY(!readOf(**other, Split::Test).isEmpty());
    }
    const auto summary = summaryOf(m_name);
    QVERIFY2(summary, summary ? "" : qPrintable(summary.error().toString()));
    QVERIFY(*summary == DataSummary::of(**loaded));
}

void RegistryTest::allIsReadOnce_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("most");  // questions; of two readings there were twice as many as of one
    const auto rows = [](const QByteArray &header) {
        QByteArray table = header;
        for (int i = 0; i < 4096; ++i)
            table += QByteArray::number(i * 31 % 101) + ',' + QByteArray(1000, 'x') + QByteArray::number(i) +
                     (i % 2 ? ",a\n" : ",b\n");
        return table;
    };
    QTest::newRow("a table") << text("t.csv") << rows("x,note,y\n") << 100;
    QTest::newRow("texts with labels") << text("t.csv") << rows("x,text,label\n") << 100;
    // Each of 257 pieces is read, taken and made into tokens.
    QTest::newRow("plain texts") << text("t.txt") << QByteArray("some words here\n").repeated(1 << 18) << 1000;
}

void RegistryTest::allIsReadOnce() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(int, most);
    save(name, content);
    std::atomic<int> asked = 0;
    const CheckProgress progress = [&asked](qint64, qint64) {
        ++asked;
        return true;
    };
    const auto added = registerDataset(m_name, path(name), false, progress);
    QVERIFY2(added, added ? "" : qPrintable(added.error().toString()));
    const int toAdd = asked.exchange(0);
    QVERIFY(loadDataset(path(name), progress));
    const int toLoad = asked.exchange(0);
    for (const int questions : {toAdd, toLoad})
        QVERIFY2(questions > most / 2 && questions < most, QByteArray::number(questions).constData());
}

void RegistryTest::aDescriptionOfAnOlderHearthHasNoSummary() {
    const auto added = registerDataset(m_name, made(text("a table of classes")), false);
    QVERIFY(added);
    auto object = readJsonFile(description());
    QVERIFY(object);
    object->remove(text("found"));
    QVERIFY(saveFile(description(), QJsonDocument(*object).toJson()));
    const auto summary = summaryOf(m_name);
    QVERIFY(summary && !*summary);
    const auto loaded = loadDataset(m_name);
    QVERIFY(loaded);
    QCOMPARE((*loaded)->count(Split::Train), (*added)->count(Split::Train));
    QVERIFY(checkDataset(m_name));
    QVERIFY(summaryOf(m_name).value());
}

void RegistryTest::dataThatAreGoneHaveNoSummary() {
    const QString table = made(text("a table of classes")), pictures = made(text("pictures"));
    QVERIFY(registerDataset(m_name, table, false));
    QVERIFY(registerDataset(text("pets"), pictures, false));
    QVERIFY(QFile::remove(table));
    QVERIFY(QDir(pictures).removeRecursively());
    const auto gone = summaryOf(m_name);
    QVERIFY(!gone);
    QCOMPARE(gone.error().code, text("data.missing"));
    QVERIFY2(gone.error().what.contains(table), qPrintable(gone.error().toString()));
    // The list of pictures is there still, as loadDataset() would say.
    const auto listed = summaryOf(text("pets"));
    QVERIFY(listed && *listed);
    QCOMPARE((*listed)->count(Split::Train), 6);
}

void RegistryTest::aDescriptionOfADescriptionGetsNoName() {
    save(text("first.json"), "{\"format\":\"hearth-data/1\",\"name\":\"first\",\"kind\":\"described\",\"path\":\"" +
                                 made(text("IDX files that are described")).toUtf8() + "\"}");
    const auto added = registerDataset(m_name, path(text("first.json")), false);
    QVERIFY(!added);
    QVERIFY2(added.error().toString().contains(text("names a file that names another one")),
             qPrintable(added.error().toString()));
    QVERIFY(registeredDatasets().isEmpty());
}

QTEST_GUILESS_MAIN(RegistryTest)
#include "registry_test.moc"
