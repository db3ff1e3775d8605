// Reading that somebody gives up: it ends soon wherever it is, and leaves nothing behind.
#include <QProcess>
#include <atomic>

#include "core/data/data_registry.h"
#include "tests/core/data/idx_file.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

QByteArray npy(const QByteArray &type, const QByteArray &shape, const QByteArray &content) {
    QByteArray header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header += QByteArray(static_cast<qsizetype>((64 - (header.size() + 11) % 64) % 64), ' ') + '\n';
    return QByteArray("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header + content;
}

QByteArray rows(const QByteArray &header, int count) {
    QByteArray table = header;
    for (int i = 0; i < count; ++i)
        table += QByteArray::number(i * 31 % 101) + (i % 2 ? ",a\n" : ",b\n");
    return table;
}

}  // namespace

class GiveUpTest : public QObject, private test::PictureFolder {
    Q_OBJECT

    /// Runs a program of the system in the folder.
    void run(const QString &program, const QStringList &arguments) {
        QProcess process;
        process.setWorkingDirectory(path());
        process.start(program, arguments);
        QVERIFY2(process.waitForFinished() && process.exitCode() == 0, process.readAllStandardError().constData());
    }
    void saveArrays() {
        save(text("x_train.npy"), npy("|u1", "(2, 1, 2, 3)", QByteArray(12, '\1')));
        save(text("y_train.npy"), npy("<i8", "(2, 1)", QByteArray(16, '\0')));
        save(text("x_test.npy"), npy("|u1", "(1, 1, 2, 3)", QByteArray(6, '\1')));
        save(text("y_test.npy"), npy("|u1", "(1,)", QByteArray(1, '\2')));
    }
    void saveTableOfPictures(const QString &name) {
        saveClasses(text("pets/") + name, 2);
        save(text("pets/%1.csv").arg(name),
             QByteArray("file,label\nNAME/red/0.png,red\nNAME/red/1.png,red\nNAME/blue/0.png,blue\n")
                 .replace("NAME", name.toUtf8()));
    }
    /// Data of this kind; where they are.
    QString made(const QString &kind);

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(text("home")).toUtf8());
    }
    void dataThatGetANameAreGivenUpAtAnyQuestion_data() { addKinds(); }
    void dataThatGetANameAreGivenUpAtAnyQuestion();
    void dataThatAreLoadedAreGivenUpAtAnyQuestion_data() { addKinds(); }
    void dataThatAreLoadedAreGivenUpAtAnyQuestion();
    void questionsComeAgainAndAgain_data();
    void questionsComeAgainAndAgain();
    void lookingForPicturesThatAreGoneIsGivenUp();

  private:
    static void addKinds();
    /// `read` takes what may be asked; false: it was given up. Checks that it is, after any number of questions.
    void giveUp(const std::function<Result<std::shared_ptr<const Dataset>>(const CheckProgress &progress)> &read);
};

void GiveUpTest::addKinds() {
    QTest::addColumn<QString>("kind");
    for (const char *kind :
         {"a table", "JSON Lines", "texts with labels", "plain texts", "a folder of pictures", "tables of pictures",
          "arrays in a folder", "arrays in an archive", "CIFAR's archive", "IDX files"})
        QTest::newRow(kind) << text(kind);
}

QString GiveUpTest::made(const QString &kind) {
    if (kind == text("a table")) {
        save(text("t.csv"), rows("x,y\n", 20'000));
        return path(text("t.csv"));
    }
    if (kind == text("JSON Lines")) {
        QByteArray lines;
        for (int i = 0; i < 200; ++i)
            lines += "{\"x\":" + QByteArray::number(i * 31 % 101) + (i % 2 ? ",\"y\":\"a\"}\n" : ",\"y\":\"b\"}\n");
        save(text("t.jsonl"), lines);
        return path(text("t.jsonl"));
    }
    if (kind == text("texts with labels")) {
        save(text("t.csv"), rows("text,label\n", 200));
        return path(text("t.csv"));
    }
    if (kind == text("plain texts")) {
        save(text("book/train.txt"), QByteArray("some words\n").repeated(5000));
        save(text("book/test.txt"), QByteArray(3000, 'b'));
        return path(text("book"));
    }
    if (kind == text("a folder of pictures")) {
        saveClasses(text("pets/train"), 2);
        saveClasses(text("pets/test"), 1);
        return path(text("pets"));
    }
    if (kind == text("tables of pictures")) {
        saveTableOfPictures(text("train"));
        saveTableOfPictures(text("test"));
        return path(text("pets"));
    }
    if (kind == text("arrays in a folder")) {
        saveArrays();
        return path();
    }
    if (kind == text("arrays in an archive")) {
        saveArrays();
        run(text("zip"), {text("-q"), text("a.npz"), text("x_train.npy"), text("y_train.npy"), text("x_test.npy"),
                          text("y_test.npy")});
        return path(text("a.npz"));
    }
    if (kind == text("CIFAR's archive")) {
        save(text("c/data_batch_1.bin"), QByteArray(3073, '\1'));
        save(text("c/test_batch.bin"), QByteArray(3073, '\2'));
        run(text("tar"), {text("czf"), text("c.tar.gz"), text("c")});
        return path(text("c.tar.gz"));
    }
    save(text("images.gz"), gzip(idx({2, 4, 4}, QByteArray(32, 'U'))));
    save(text("labels"), idx({2}, QByteArray("\0\1", 2)));
    save(text("mine.json"), R"({"format":"hearth-data/1","name":"mine","classes":["a","b"],
        "train":{"images":"images.gz","labels":"labels"},"test":{"images":"images.gz","labels":"labels"}})");
    return path(text("mine.json"));
}

void GiveUpTest::giveUp(
    const std::function<Result<std::shared_ptr<const Dataset>>(const CheckProgress &progress)> &read) {
    constexpr int mostQuestions = 2000, mostThreads = 32;
    const auto whole = read({});
    QVERIFY2(whole, whole ? "" : qPrintable(whole.error().toString()));
    (void)unregisterDataset(text("mine"));
    int after = 0;
    for (; after < mostQuestions; ++after) {
        std::atomic<int> asked = 0;
        const auto data = read([&asked, after](qint64, qint64) { return asked++ < after; });
        if (data) {
            for (const Split split : allSplits)
                QCOMPARE((*data)->count(split), (*whole)->count(split));
            break;
        }
        QCOMPARE(data.error().code, text("data.given-up"));
        // Other threads may have asked already, and so may who looks next.
        QVERIFY2(asked <= after + mostThreads, QByteArray::number(asked.load()).constData());
        QVERIFY(registeredDatasets().isEmpty());
    }
    QVERIFY(after > 0 && after < mostQuestions);
}

void GiveUpTest::dataThatGetANameAreGivenUpAtAnyQuestion() {
    QFETCH(QString, kind);
    const QString data = made(kind);
    giveUp([&data](const CheckProgress &progress) { return registerDataset(text("mine"), data, false, progress); });
}

void GiveUpTest::dataThatAreLoadedAreGivenUpAtAnyQuestion() {
    QFETCH(QString, kind);
    const QString data = made(kind);
    giveUp([&data](const CheckProgress &progress) { return loadDataset(data, progress); });
}

void GiveUpTest::questionsComeAgainAndAgain_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("least");  // so many questions
    constexpr int mebibyte = 1 << 20;
    const QByteArray longText(mebibyte, 'x');
    QTest::newRow("long lines of a table") << text("t.csv") << "x,y\n" + (longText + ",a\n").repeated(16) << 16;
    QTest::newRow("empty lines of a table")
        << text("t.csv") << "x,y\n" + QByteArray(16 * mebibyte, '\n') + rows({}, 100) << 16;
    QTest::newRow("long lines of JSON") << text("t.jsonl")
                                        << ("{\"x\":\"" + longText + "\",\"y\":\"a\"}\n").repeated(16) << 16;
    QTest::newRow("empty lines of JSON") << text("t.jsonl") << "{\"x\":1,\"y\":2}\n" + QByteArray(4 * mebibyte, '\n')
                                         << 16;
    QTest::newRow("one line of a text") << text("t.txt") << longText.repeated(16) << 16;
    // Of 704 pieces each is read, taken and made into tokens.
    QTest::newRow("many lines of a text") << text("t.txt") << QByteArray("some words\n").repeated(mebibyte) << 2000;
}

void GiveUpTest::questionsComeAgainAndAgain() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(int, least);
    save(name, content);
    std::atomic<int> asked = 0;
    (void)loadDataset(path(name), [&asked](qint64, qint64) {
        ++asked;
        return true;
    });
    QVERIFY2(asked >= least, QByteArray::number(asked.load()).constData());
}

void GiveUpTest::lookingForPicturesThatAreGoneIsGivenUp() {
    saveClasses(text("pets/train"), 5);
    saveClasses(text("pets/test"), 5);
    const auto data = loadDataset(path(text("pets")));
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE(withoutGone(*data, [](qint64, qint64) { return false; }).error().code, text("data.given-up"));
    QVERIFY(withoutGone(*data, [](qint64, qint64) { return true; }));
}

QTEST_GUILESS_MAIN(GiveUpTest)
#include "give_up_test.moc"
