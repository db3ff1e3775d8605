#include "core/data/cifar.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "core/data/numpy_pairs.h"

using namespace hearth;

namespace {

/// A record whose bytes say which it is.
QByteArray record(const QByteArray &labels, int number) {
    return labels + QByteArray(3072, static_cast<char>(number));
}

QByteArray npy(const QByteArray &type, const QByteArray &shape, const QByteArray &content) {
    QByteArray header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header += QByteArray(static_cast<qsizetype>((64 - (header.size() + 11) % 64) % 64), ' ') + '\n';
    return QByteArray("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header + content;
}

}  // namespace

/// CIFAR and arrays, in folders and as they are downloaded.
class CifarTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void bothFormsAreReadFromFoldersAndArchives_data();
    void bothFormsAreReadFromFoldersAndArchives();
    void whatIsNotWholeIsTold_data();
    void whatIsNotWholeIsTold();
    void anArchiveOfOtherFilesIsNoCifar();
    void picturesOfNumpyAreReadFromBothForms_data();
    void picturesOfNumpyAreReadFromBothForms();
    void numbersOfNumpyAreAnInput();
    void anArchiveThatUnpacksToMuchIsBounded();

  private:
    void save(const QString &name, const QByteArray &bytes) {
        QVERIFY(QDir(m_folder->path()).mkpath(QFileInfo(m_folder->filePath(name)).path()));
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    /// Runs a program of the system in the folder.
    void run(const QString &program, const QStringList &arguments) {
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start(program, arguments);
        QVERIFY2(process.waitForFinished() && process.exitCode() == 0, process.readAllStandardError().constData());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void CifarTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void CifarTest::bothFormsAreReadFromFoldersAndArchives_data() {
    QTest::addColumn<bool>("ten");
    QTest::addColumn<bool>("archived");
    for (const bool ten : {true, false}) {
        for (const bool archived : {false, true})
            QTest::addRow("CIFAR-%d %s", ten ? 10 : 100, archived ? "from its archive" : "in a folder")
                << ten << archived;
    }
}

void CifarTest::bothFormsAreReadFromFoldersAndArchives() {
    QFETCH(bool, ten);
    QFETCH(bool, archived);
    const QString inside = ten ? QStringLiteral("cifar-10-batches-bin") : QStringLiteral("cifar-100-binary");
    if (ten) {
        save(inside + QStringLiteral("/data_batch_1.bin"), record("\x03", 1) + record("\x09", 2));
        save(inside + QStringLiteral("/data_batch_2.bin"), record("\x01", 3));
        save(inside + QStringLiteral("/test_batch.bin"), record("\x02", 4));
        save(inside + QStringLiteral("/batches.meta.txt"),
             "airplane\nautomobile\nbird\ncat\ndeer\ndog\nfrog\nhorse\nship\ntruck\n\n");
    } else {
        save(inside + QStringLiteral("/train.bin"),
             record("\x01\x03", 1) + record("\x02\x63", 2) + record("\x05\x01", 3));
        save(inside + QStringLiteral("/test.bin"), record("\x07\x02", 4));
        QByteArray names;
        for (int i = 0; i < 100; ++i)
            names += "thing " + QByteArray::number(i) + '\n';
        save(inside + QStringLiteral("/fine_label_names.txt"), names);
    }
    QString path = m_folder->path();
    if (archived) {
        run(QStringLiteral("tar"), {QStringLiteral("czf"), QStringLiteral("cifar.tar.gz"), inside});
        path = m_folder->filePath(QStringLiteral("cifar.tar.gz"));
    }
    QVERIFY(isCifar(path));
    const auto data = loadCifar(QStringLiteral("c"), path);
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->count(Split::Train), 3);
    QCOMPARE((*data)->count(Split::Test), 1);
    QCOMPARE((*data)->classes(), ten ? 10 : 100);
    QCOMPARE((*data)->labelNames().at(3), ten ? QStringLiteral("cat") : QStringLiteral("thing 3"));
    const std::vector<qint64> all{0, 1, 2};
    std::vector<qint64> labels(3);
    QVERIFY((*data)->readLabels(Split::Train, all, std::as_writable_bytes(std::span(labels))));
    QCOMPARE(labels, (std::vector<qint64>{3, ten ? 9 : 0x63, 1}));
    std::vector<std::byte> pixels(3072);
    QVERIFY((*data)->readSamples(Split::Train, 0, std::span(all).subspan(2), pixels));
    QCOMPARE(pixels.front(), std::byte{3});
    QCOMPARE(pixels.back(), std::byte{3});
}

void CifarTest::whatIsNotWholeIsTold_data() {
    QTest::addColumn<QByteArray>("train");
    QTest::addColumn<QString>("word");
    QTest::newRow("cut short") << record("\x01", 1).left(3000) << QStringLiteral("no multiple of 3073");
    QTest::newRow("a class too many") << record("\x0a", 1) << QStringLiteral("of class 10");
    QTest::newRow("nothing") << QByteArray() << QStringLiteral("no multiple");
}

void CifarTest::whatIsNotWholeIsTold() {
    QFETCH(QByteArray, train);
    QFETCH(QString, word);
    save(QStringLiteral("data_batch_1.bin"), train);
    save(QStringLiteral("test_batch.bin"), record("\x02", 4));
    const auto data = loadCifar(QStringLiteral("c"), m_folder->path());
    QVERIFY(!data);
    QVERIFY2(
        data.error().toString().contains(word) && data.error().toString().contains(QStringLiteral("data_batch_1.bin")),
        qPrintable(data.error().toString()));
}

void CifarTest::anArchiveOfOtherFilesIsNoCifar() {
    save(QStringLiteral("flowers/rose/1.jpg"), "a rose");
    run(QStringLiteral("tar"), {QStringLiteral("czf"), QStringLiteral("flowers.tgz"), QStringLiteral("flowers")});
    const auto data = loadDataset(m_folder->filePath(QStringLiteral("flowers.tgz")));
    QVERIFY(!data);
    QCOMPARE(data.error().code, QStringLiteral("file.foreign"));
    QVERIFY2(data.error().advice.contains(QStringLiteral("Unpack it")), qPrintable(data.error().toString()));
}

void CifarTest::picturesOfNumpyAreReadFromBothForms_data() {
    QTest::addColumn<bool>("archived");
    QTest::newRow("in a folder") << false;
    QTest::newRow("in an .npz") << true;
}

void CifarTest::picturesOfNumpyAreReadFromBothForms() {
    QFETCH(bool, archived);
    // Channels last, as Keras has them: of a 1×2 picture red and green.
    save(QStringLiteral("x_train.npy"), npy("|u1", "(2, 1, 2, 3)", QByteArray("\1\2\3\4\5\6\7\7\7\7\7\7", 12)));
    save(QStringLiteral("y_train.npy"), npy("<i8", "(2, 1)", QByteArray("\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16)));
    save(QStringLiteral("x_test.npy"), npy("|u1", "(1, 1, 2, 3)", QByteArray(6, '\1')));
    save(QStringLiteral("y_test.npy"), npy("|u1", "(1,)", QByteArray(1, '\2')));
    QString path = m_folder->path();
    if (archived) {
        run(QStringLiteral("zip"),
            {QStringLiteral("-q"), QStringLiteral("a.npz"), QStringLiteral("x_train.npy"),
             QStringLiteral("y_train.npy"), QStringLiteral("x_test.npy"), QStringLiteral("y_test.npy")});
        path = m_folder->filePath(QStringLiteral("a.npz"));
    }
    QVERIFY(isNumpyPair(path));
    const auto data = loadNumpyPair(QStringLiteral("n"), path);
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->sample().shape, (std::vector<qint64>{3, 1, 2}));
    QCOMPARE((*data)->classes(), 6);
    std::vector<std::byte> pixels(6);
    QVERIFY((*data)->readSamples(Split::Train, 0, std::vector<qint64>{0}, pixels));
    const std::vector<int> expected{1, 4, 2, 5, 3, 6};
    for (std::size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(std::to_integer<int>(pixels[i]), expected[i]);
}

void CifarTest::numbersOfNumpyAreAnInput() {
    save(QStringLiteral("x_train.npy"), npy("<f4", "(2, 3)", QByteArray(24, '\0')));
    save(QStringLiteral("y_train.npy"), npy("<i4", "(2,)", QByteArray("\0\0\0\0\1\0\0\0", 8)));
    save(QStringLiteral("x_test.npy"), npy("<f4", "(1, 3)", QByteArray(12, '\0')));
    save(QStringLiteral("y_test.npy"), npy("<i4", "(1,)", QByteArray(4, '\0')));
    const auto data = loadNumpyPair(QStringLiteral("n"), m_folder->path());
    QVERIFY2(data, data ? "" : qPrintable(data.error().toString()));
    QCOMPARE((*data)->parts().front().name, QStringLiteral("x"));
    QCOMPARE((*data)->classes(), 2);
    save(QStringLiteral("y_test.npy"), npy("<i4", "(2,)", QByteArray(8, '\0')));
    const auto uneven = loadNumpyPair(QStringLiteral("n"), m_folder->path());
    QVERIFY(!uneven);
    QVERIFY2(uneven.error().cause.contains(QStringLiteral("It has 1 sample,")), qPrintable(uneven.error().toString()));
    QFile::remove(m_folder->filePath(QStringLiteral("y_test.npy")));
    QVERIFY(
        loadNumpyPair(QStringLiteral("n"), m_folder->path()).error().toString().contains(QStringLiteral("y_test.npy")));
}

void CifarTest::anArchiveThatUnpacksToMuchIsBounded() {
    // A header that promises 2^39 bytes, and 200 MB of zeros behind it.
    save(QStringLiteral("x_train.npy"), npy("|u1", "(549755813888,)", QByteArray(200 << 20, '\0')));
    run(QStringLiteral("zip"), {QStringLiteral("-q"), QStringLiteral("bomb.npz"), QStringLiteral("x_train.npy")});
    const auto data = loadNumpyPair(QStringLiteral("n"), m_folder->filePath(QStringLiteral("bomb.npz")));
    QVERIFY(!data);
    QVERIFY2(data.error().toString().contains(QStringLiteral("more than is held in memory")),
             qPrintable(data.error().toString()));
}

QTEST_GUILESS_MAIN(CifarTest)
#include "cifar_test.moc"
