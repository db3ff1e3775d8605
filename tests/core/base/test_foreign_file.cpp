// Files of other programs are known by how they begin, and each has a cure of its own.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/foreign_file.h"
#include "core/base/json_reader.h"

using namespace hearth;

namespace {

/// The head of one file in a ZIP, which its name follows.
QByteArray zipped(const char *name) {
    return QByteArray("PK\x03\x04", 4) + QByteArray(26, '\0') + name + "content";
}

}  // namespace

class TestForeignFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const QByteArray &content) const {
        QFile file(m_folder.filePath(QStringLiteral("file")));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write");
        return file.fileName();
    }

  private Q_SLOTS:
    void whatIsOfAnotherProgramGetsItsCure_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("cure");
        const auto row = [](const char *name, const QByteArray &content, const char *what, const char *cure) {
            QTest::newRow(name) << content << QString::fromLatin1(what) << QString::fromLatin1(cure);
        };
        row("a ZIP of photos", zipped("photos/cat/1.jpg"), "an archive", "Unpack it");
        row("an empty ZIP", QByteArray("PK\x05\x06", 4) + QByteArray(18, '\0'), "an archive", "Unpack it");
        row("a gzip", QByteArray("\x1F\x8B\x08\x00", 4) + "x", "an archive", "Unpack it");
        row("a tar", QByteArray(257, 'n') + "ustar" + QByteArray(250, '\0'), "an archive", "Unpack it");
        row("PyTorch's ZIP", zipped("resnet/data.pkl"), "a pickle", "torch.onnx.export()");
        row("PyTorch's ZIP, by its end", zipped("resnet/version") + QByteArray(1000, 'x') + "resnet/data.pkl",
            "a pickle", "save_pretrained()");
        row("an old pickle", QByteArray("\x80\x02\x8A\x0A", 4) + "l", "a pickle", "torch.onnx.export()");
        row("a pickle of today", QByteArray("\x80\x04\x95\x00", 4), "a pickle", "torch.onnx.export()");
        row("a spreadsheet", zipped("[Content_Types].xml"), "an office program", "as CSV");
        row("a spreadsheet whose list of types comes last",
            zipped("docProps/app.xml") + QByteArray(2000, 'x') + "[Content_Types].xml", "an office program", "as CSV");
        row("a spreadsheet of LibreOffice",
            zipped("mimetype") + "application/vnd.oasis.opendocument.spreadsheet" + QByteArray(600, 'x'),
            "an office program", "as CSV");
        row("a document before office programs took ZIP", QByteArray("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", 8),
            "an office program", "(.txt)");
        row("a PDF", "%PDF-1.7\n", "a PDF", "plain text");
        row("a photo of an iPhone", QByteArray("\0\0\0\x18", 4) + "ftypheic", "a HEIC picture", "to JPEG");
        row("a HEIC picture of another kind", QByteArray("\0\0\0\x18", 4) + "ftypmif1", "a HEIC picture", "to JPEG");
        row("an AVIF picture", QByteArray("\0\0\0\x1C", 4) + "ftypavif", "an AVIF picture", "to JPEG or PNG");
        row("a video", QByteArray("\0\0\0\x20", 4) + "ftypisom", "a video", "single pictures");
        row("a network of Keras", "\x89HDF\r\n\x1A\n", "HDF5", "ONNX");
        row("a network of llama.cpp", QByteArray("GGUF\3\0\0\0", 8), "llama.cpp", "model.safetensors");
        row("weights alone", QByteArray("\x02\0\0\0\0\0\0\0{}", 10), "not say of which network", "config.json");
        row("a photo", QByteArray("\xFF\xD8\xFF\xE0", 4), "a picture", "the folder");
    }
    void whatIsOfAnotherProgramGetsItsCure() {
        QFETCH(QByteArray, content);
        QFETCH(QString, what);
        QFETCH(QString, cure);
        const QString path = write(content);
        const auto read = readJsonFile(path, 100);  // some have more bytes than that
        QVERIFY(!read);
        QCOMPARE(read.error().code, QStringLiteral("file.foreign"));
        QVERIFY2(read.error().what.contains(path), qPrintable(read.error().what));
        QVERIFY2(read.error().cause.contains(what), qPrintable(read.error().cause));
        QVERIFY2(read.error().advice.contains(cure), qPrintable(read.error().advice));
    }

    void otherFilesAreLeftToTheirReaders_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("JSON") << QByteArray("{\"format\": \"hearth-job/1\"}");
        QTest::newRow("JSON with a mistake") << QByteArray("[1, 2");
        QTest::newRow("a table") << QByteArray("width,kind\n1,a\n");
        QTest::newRow("an ONNX file") << QByteArray("\x08\x08\x12\x07pytorch", 11);
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("the first byte of a ZIP") << QByteArray("P");
    }
    void otherFilesAreLeftToTheirReaders() {
        QFETCH(QByteArray, content);
        QVERIFY(refuseForeign(write(content)));
    }

    void whatIsNoFileIsNothingForeign() {
        QVERIFY(!foreignFile(m_folder.path()));
        QVERIFY(!foreignFile(m_folder.filePath(QStringLiteral("gone"))));
    }
};

QTEST_GUILESS_MAIN(TestForeignFile)
#include "test_foreign_file.moc"
