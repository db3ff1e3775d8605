// Weights on disk: what is written comes back, and nothing malformed gets in.
#include <sys/stat.h>

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>
#include <cstring>

#include "core/model/catalogue.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "tests/core/base/small_disk.h"

using namespace hearth;

namespace {

/// A file with this header ('" as in JSON, ' stands for ") and that many bytes of data.
QByteArray file(QByteArray header, int dataBytes, qint64 claimedLength = -1) {
    header.replace('\'', '"');
    QByteArray content(8, '\0');
    qToLittleEndian<quint64>(static_cast<quint64>(claimedLength < 0 ? header.size() : claimedLength), content.data());
    return content + header + QByteArray(dataBytes, '\x01');
}

Result<std::vector<NamedTensor>> parse(const QByteArray &content) {
    return parseSafetensors(std::as_bytes(std::span(content.constData(), static_cast<std::size_t>(content.size()))),
                            QStringLiteral("w.safetensors"));
}

QByteArray bytes(const NamedTensor &tensor) {
    return QByteArray(reinterpret_cast<const char *>(tensor.data->data()), tensor.data->size());
}

NamedTensor tensor(const QString &name, const Shape &shape, DType dtype, char fill = 0) {
    NamedTensor made;
    made.spec.name = name;
    made.spec.shape = shape;
    made.dtype = dtype;
    made.data = Buffer::allocate(made.spec.bytes(dtype));
    std::memset(made.data->data(), fill, static_cast<std::size_t>(made.data->size()));
    return made;
}

}  // namespace

class SafetensorsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsWrittenComesBack();
    void theLayoutIsTheFormats();
    void malformedFilesAreRefused_data();
    void malformedFilesAreRefused();
    void weightsOfPyTorchAreRefusedAsWhatTheyAre();
    void unusualButValidFilesAreRead_data();
    void unusualButValidFilesAreRead();
    void aFailedSaveLeavesTheOldFile();
    void aPipeIsNeverReplaced();
    void aPipeIsNotWaitedFor();
    void theHashFollowsNamesNotOrder();
    void weightsFindTheirPlaces();
    void wrongWeightsAreNamed_data();
    void wrongWeightsAreNamed();

  private:
    QTemporaryDir m_folder;
};

void SafetensorsTest::whatIsWrittenComesBack() {
    const auto model = loadModel(QStringLiteral("mobilenetv2"));
    QVERIFY(model);
    const QString path = m_folder.filePath(QStringLiteral("w.safetensors"));
    for (const DType dtype : {DType::Float32, DType::Float64}) {
        const auto weights = initialise(*model, 3, dtype);
        QVERIFY(writeSafetensors(path, weights, {{QStringLiteral("seed"), QStringLiteral("3")}}));
        auto read = readSafetensors(path);
        QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
        QCOMPARE(weightsSha256(*read), weightsSha256(weights));
        for (const NamedTensor &each : *read)
            QCOMPARE(reinterpret_cast<quintptr>(each.data->data()) % Buffer::alignment, quintptr{0});
        const auto placed = weightsForModel(*model, *read, dtype, path);
        QVERIFY2(placed, placed ? "" : qPrintable(placed.error().toString()));
        std::size_t i = 0;
        for (const auto &layer : *placed) {
            for (const NamedTensor &each : layer) {
                QCOMPARE(each.spec, weights[i].spec);
                QCOMPARE(bytes(each), bytes(weights[i]));
                ++i;
            }
        }
        QCOMPARE(i, weights.size());
    }
}

void SafetensorsTest::theLayoutIsTheFormats() {
    const QString path = m_folder.filePath(QStringLiteral("layout.safetensors"));
    QVERIFY(writeSafetensors(
        path,
        {tensor(QStringLiteral("b"), {2}, DType::Float32, 2), tensor(QStringLiteral("a"), {3}, DType::UInt8, 1),
         tensor(QStringLiteral("c"), {}, DType::Float64, 3)},
        {{QStringLiteral("k"), QStringLiteral("v")}}));
    QFile written(path);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const QByteArray content = written.readAll();
    const auto length = static_cast<qsizetype>(qFromLittleEndian<quint64>(content.constData()));
    QCOMPARE((8 + length) % 8, 0);
    const QByteArray text = content.mid(8, length).trimmed();
    // Wider elements first, so that each tensor is aligned to its own elements.
    QCOMPARE(
        text,
        QByteArray("{\"__metadata__\":{\"k\":\"v\"},\"a\":{\"data_offsets\":[16,19],\"dtype\":\"U8\",\"shape\":[3]},"
                   "\"b\":{\"data_offsets\":[8,16],\"dtype\":\"F32\",\"shape\":[2]},"
                   "\"c\":{\"data_offsets\":[0,8],\"dtype\":\"F64\",\"shape\":[]}}"));
    QCOMPARE(content.mid(8 + length), QByteArray(8, 3) + QByteArray(8, 2) + QByteArray(3, 1));
}

void SafetensorsTest::malformedFilesAreRefused_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *name, const QByteArray &content, const char *word) {
        QTest::newRow(name) << content << QString::fromLatin1(word);
    };
    row("an empty file", QByteArray(), "fewer than");
    row("seven bytes", QByteArray(7, '\0'), "fewer than");
    row("a header beyond the file", file("{}", 0, 3), "cut short");
    row("a header of 2^63 bytes", file("{}", 0, std::numeric_limits<qint64>::max()), "claims");
    row("a header of more than 100 MB", file("{}", 0, 100'000'001), "claims");
    row("a header that is no JSON", file("{'a':", 0), "JSON");
    row("a header that is a list", file("[]", 0), "brace");
    row("a header that begins with a space", file(" {}", 0), "brace");
    row("an entry that is no object", file("{'a':3}", 0), "not an object");
    row("an unknown element type", file("{'a':{'dtype':'F128','shape':[1],'data_offsets':[0,16]}}", 16), "F128");
    row("a missing shape", file("{'a':{'dtype':'F32','data_offsets':[0,4]}}", 4), "shape");
    row("a negative dimension", file("{'a':{'dtype':'F32','shape':[-1],'data_offsets':[0,4]}}", 4), "whole numbers");
    row("a fractional dimension", file("{'a':{'dtype':'F32','shape':[1.5],'data_offsets':[0,6]}}", 6), "whole numbers");
    row("dimensions that overflow",
        file("{'a':{'dtype':'F32','shape':[4294967296,4294967296],'data_offsets':[0,0]}}", 0), "too large");
    row("nine dimensions", file("{'a':{'dtype':'U8','shape':[1,1,1,1,1,1,1,1,1],'data_offsets':[0,1]}}", 1),
        "at most 8");
    row("too few bytes for the shape", file("{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,4]}}", 4), "need 8");
    row("offsets beyond the data", file("{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]}}", 4), "cut short");
    row("offsets that run backwards", file("{'a':{'dtype':'F32','shape':[1],'data_offsets':[4,0]}}", 4), "offsets");
    row("one offset", file("{'a':{'dtype':'F32','shape':[1],'data_offsets':[0]}}", 4), "offsets");
    row("a hole between tensors",
        file(
            "{'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1]},'b':{'dtype':'U8','shape':[1],'data_offsets':[2,3]}}",
            3),
        "hole");
    row("tensors that overlap",
        file(
            "{'a':{'dtype':'U8','shape':[2],'data_offsets':[0,2]},'b':{'dtype':'U8','shape':[2],'data_offsets':[1,3]}}",
            3),
        "overlap");
    row("bytes that belong to no tensor", file("{'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1]}}", 2), "cover 1");
    row("a name twice",
        file(
            "{'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1]},'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1]}}",
            1),
        "twice");
    row("an unknown key", file("{'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1],'pickle':1}}", 1), "pickle");
    row("a name of more than 1000 characters",
        file("{'" + QByteArray(1001, 'x') + "':{'dtype':'U8','shape':[1],'data_offsets':[0,1]}}", 1), "characters");
}

void SafetensorsTest::malformedFilesAreRefused() {
    QFETCH(QByteArray, content);
    QFETCH(QString, word);
    const auto parsed = parse(content);
    QVERIFY(!parsed);
    QCOMPARE(parsed.error().code, QStringLiteral("weights.malformed"));
    QVERIFY2(parsed.error().toString().contains(word), qPrintable(parsed.error().toString()));
    QVERIFY(parsed.error().what.contains(QStringLiteral("w.safetensors")));

    QFile disk(m_folder.filePath(QStringLiteral("bad.safetensors")));
    QVERIFY(disk.open(QIODevice::WriteOnly) && disk.write(content) == content.size());
    disk.close();
    const auto read = readSafetensors(disk.fileName());
    QVERIFY(!read);
    QCOMPARE(read.error().cause, parsed.error().cause);
}

void SafetensorsTest::weightsOfPyTorchAreRefusedAsWhatTheyAre() {
    QFile disk(m_folder.filePath(QStringLiteral("resnet.pth")));
    const QByteArray content = QByteArray("PK\x03\x04\0\0\x08\x08", 8) + QByteArray(22, '\0') + "resnet/data.pkl";
    QVERIFY(disk.open(QIODevice::WriteOnly) && disk.write(content) == content.size());
    disk.close();
    const auto read = readSafetensors(disk.fileName());
    QVERIFY(!read);
    QCOMPARE(read.error().code, QStringLiteral("file.foreign"));
    QVERIFY2(read.error().advice.contains(QStringLiteral("save_pretrained()")), qPrintable(read.error().toString()));
}

void SafetensorsTest::unusualButValidFilesAreRead_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("tensors");
    QTest::newRow("no tensors") << file("{}", 0) << 0;
    QTest::newRow("only metadata") << file("{'__metadata__':{'a':'b:{'}}", 0) << 0;
    QTest::newRow("padding behind the header")
        << file("{'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1]}}   ", 1) << 1;
    QTest::newRow("a tensor without elements")
        << file(
               "{'a':{'dtype':'F32','shape':[0,3],'data_offsets':[0,0]},'b':{'dtype':'U8','shape':[1],'data_offsets':[0,1]}}",
               1)
        << 2;
    QTest::newRow("a scalar") << file("{'a':{'dtype':'F64','shape':[],'data_offsets':[0,8]}}", 8) << 1;
    QTest::newRow("a name with quotes and colons")
        << file("{'a\\':{b':{'dtype':'BF16','shape':[1],'data_offsets':[0,2]}}", 2) << 1;
}

void SafetensorsTest::unusualButValidFilesAreRead() {
    QFETCH(QByteArray, content);
    const auto parsed = parse(content);
    QVERIFY2(parsed, parsed ? "" : qPrintable(parsed.error().toString()));
    QTEST(static_cast<int>(parsed->size()), "tensors");
}

void SafetensorsTest::aFailedSaveLeavesTheOldFile() {
    const std::vector<NamedTensor> large{tensor(QStringLiteral("a"), {1 << 20}, DType::Float32, 1)};
    const QString missing = m_folder.filePath(QStringLiteral("no/such/folder/w.safetensors"));
    QVERIFY(!writeSafetensors(missing, large));

    const QString path = m_folder.filePath(QStringLiteral("kept.safetensors"));
    const auto old = tensor(QStringLiteral("old"), {2}, DType::Float32, 7);
    QVERIFY(writeSafetensors(path, {old}));
    {
        const SmallDisk disk(64 << 10);
        const auto saved = writeSafetensors(path, large);
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, QStringLiteral("file.unwritable"));
        QVERIFY2(saved.error().advice.contains(QStringLiteral("unchanged")), qPrintable(saved.error().toString()));
    }
    const auto kept = readSafetensors(path);
    QVERIFY(kept);
    QCOMPARE(weightsSha256(*kept), weightsSha256({old}));
    const QStringList files = QDir(m_folder.path()).entryList({QStringLiteral("kept*")}, QDir::Files);
    QCOMPARE(files, QStringList{QStringLiteral("kept.safetensors")});
}

void SafetensorsTest::aPipeIsNeverReplaced() {
    // A pipe of this test's own stands for all that is no regular file: no device of the machine is put at risk.
    const QString pipe = m_folder.filePath(QStringLiteral("pipe"));
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QVERIFY(!writeSafetensors(pipe, {tensor(QStringLiteral("a"), {2}, DType::Float32)}));
    QVERIFY(QFileInfo::exists(pipe) && !QFileInfo(pipe).isFile());
}

void SafetensorsTest::aPipeIsNotWaitedFor() {
    const QString path = m_folder.filePath(QStringLiteral("empty-pipe"));
    QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    const auto read = readSafetensors(path);
    QVERIFY(!read);
    QCOMPARE(read.error().code, QStringLiteral("file.unreadable"));
    QCOMPARE(readSafetensorsMetadata(path).error(), read.error());
}

void SafetensorsTest::theHashFollowsNamesNotOrder() {
    const auto a = tensor(QStringLiteral("a"), {2}, DType::Float32, 1),
               b = tensor(QStringLiteral("b"), {2}, DType::Float32, 2);
    QCOMPARE(weightsSha256({a, b}), weightsSha256({b, a}));
    auto swapped = a;
    swapped.spec.name = QStringLiteral("c");
    QVERIFY(weightsSha256({swapped, b}) != weightsSha256({a, b}));
    // Capital letters come before small ones, and characters beyond 16 bits after all others.
    const auto capital = tensor(QStringLiteral("Z"), {1}, DType::UInt8, 1),
               small = tensor(QStringLiteral("a"), {1}, DType::UInt8, 2);
    QCOMPARE(weightsSha256({small, capital}),
             QCryptographicHash::hash(QByteArray("\x01\x02"), QCryptographicHash::Sha256).toHex());
}

void SafetensorsTest::weightsFindTheirPlaces() {
    const auto model = loadModel(QStringLiteral("fashion-cnn"));
    QVERIFY(model);
    const auto wide =
        weightsForModel(*model, initialise(*model, 1, DType::Float32), DType::Float64, QStringLiteral("w"));
    QVERIFY(wide);
    QCOMPARE(wide->size(), model->layers.size());
    QCOMPARE(bytes(wide->front().front()), bytes(initialise(*model, 1, DType::Float64).front()));
    const auto narrow =
        weightsForModel(*model, initialise(*model, 1, DType::Float64), DType::Float32, QStringLiteral("w"));
    QVERIFY(narrow);
    QCOMPARE(bytes(narrow->back().front()), bytes(initialise(*model, 4, 1, DType::Float32).front()));
}

void SafetensorsTest::wrongWeightsAreNamed_data() {
    QTest::addColumn<int>("change");
    QTest::addColumn<QStringList>("words");
    const auto s = [](const char *text) { return QString::fromUtf8(text); };
    QTest::newRow("a tensor is missing") << 0 << QStringList{s("\"conv2.0.weight\" is missing")};
    QTest::newRow("a tensor has a similar name")
        << 1 << QStringList{s("\"conv2.0.weight\" is missing"), s("\"conv2.0.weights\"")};
    QTest::newRow("a tensor too many") << 2 << QStringList{s("\"conv9.0.weight\""), s("not part")};
    QTest::newRow("a wrong shape") << 3 << QStringList{s("\"conv2.0.weight\""), s("32×16×3"), s("32×16×3×3")};
    QTest::newRow("whole numbers instead of floats")
        << 4 << QStringList{s("\"conv2.0.weight\""), s("I32"), s("floating-point")};
}

void SafetensorsTest::wrongWeightsAreNamed() {
    QFETCH(int, change);
    QFETCH(QStringList, words);
    const auto model = loadModel(QStringLiteral("fashion-cnn"));
    QVERIFY(model);
    auto weights = initialise(*model, 1, DType::Float32);
    const auto at = std::find_if(weights.begin(), weights.end(), [](const NamedTensor &each) {
        return each.spec.name == QLatin1String("conv2.0.weight");
    });
    QVERIFY(at != weights.end());
    switch (change) {
        case 0:
            weights.erase(at);
            break;
        case 1:
            at->spec.name = QStringLiteral("conv2.0.weights");
            break;
        case 2:
            weights.push_back(tensor(QStringLiteral("conv9.0.weight"), {1}, DType::Float32));
            break;
        case 3:
            at->spec.shape = {32, 16, 3};
            break;
        default:
            at->dtype = DType::Int32;
    }
    const auto placed = weightsForModel(*model, weights, DType::Float32, QStringLiteral("w.safetensors"));
    QVERIFY(!placed);
    const QString text = placed.error().toString();
    for (const QString &word : words)
        QVERIFY2(text.contains(word), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("w.safetensors")) && text.contains(QStringLiteral("fashion-cnn")));
}

QTEST_GUILESS_MAIN(SafetensorsTest)
#include "safetensors_test.moc"
