// Several data sets that are one.
#include "core/data/joined_dataset.h"

#include <QTest>
#include <cstring>
#include <numeric>

#include "core/data/fitted_pictures.h"
#include "core/data/memory_pictures.h"

using namespace hearth;

namespace {

constexpr qint64 channels = 3, side = 12, bytesEach = channels * side * side;

/// Samples `first` and on, each of its own pixels, with these labels.
MemoryPictures::Part picturesOf(int first, const QList<int> &labels) {
    MemoryPictures::Part part;
    for (int i = 0; i < labels.size(); ++i) {
        for (qint64 at = 0; at < bytesEach; ++at)
            part.pictures.append(static_cast<char>((first + i) * 31 + at * 7 % 50));
        part.labels.append(static_cast<char>(labels[i]));
    }
    return part;
}

std::shared_ptr<const Dataset> setOf(const QString &name, const QStringList &classes, int first,
                                     const QList<int> &learnt, const QList<int> &tested,
                                     const std::vector<qint64> &shape = {channels, side, side}) {
    return std::make_shared<MemoryPictures>(
        name, QStringLiteral("images"), classes, shape,
        MemoryPictures::Parts{picturesOf(first, learnt), {}, picturesOf(first + 100, tested)}, 1000);
}

std::vector<qint64> labelsOf(const Dataset &data, Split split, const std::vector<qint64> &indices) {
    std::vector<qint64> labels(indices.size());
    return data.readLabels(split, indices, std::as_writable_bytes(std::span(labels))) ? labels : std::vector<qint64>();
}

std::vector<qint64> allOf(const Dataset &data, Split split) {
    std::vector<qint64> all(static_cast<std::size_t>(data.count(split)));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

QByteArray epochOf(const Dataset &data, qint64 epoch, const std::vector<qint64> &indices) {
    QByteArray bytes(static_cast<qsizetype>(indices.size()) * data.sampleBytes(), '\0');
    const auto to = std::as_writable_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size())));
    return data.readEpoch(epoch, 0, indices, to) ? bytes : QByteArray();
}

const QString cat = QStringLiteral("cat"), dog = QStringLiteral("dog"), fox = QStringLiteral("fox");

}  // namespace

class JoinedTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void splitsFollowEachOtherAndClassesAreThoseOfAll();
    void sharesFittedApartAreTheWholeFitted();
    void aShareOfValidationIsTheOneOfTheWhole();
    void whatDoesNotFitIsRefused_data();
    void whatDoesNotFitIsRefused();
    void onlyOneIsItself();
};

void JoinedTest::splitsFollowEachOtherAndClassesAreThoseOfAll() {
    const auto one = setOf(QStringLiteral("one"), {cat, dog}, 0, {0, 1, 1}, {1});
    const auto two = setOf(QStringLiteral("two"), {fox, cat}, 3, {0, 1}, {1, 0});
    const auto joined = joinDatasets({{QStringLiteral("one"), one}, {QStringLiteral("two"), two}});
    QVERIFY(joined);
    const Dataset &data = **joined;
    QCOMPARE(data.labelNames(), QStringList({cat, dog, fox}));
    QCOMPARE(data.classes(), 3);
    QCOMPARE(data.count(Split::Train), 5);
    QCOMPARE(data.count(Split::Validation), 0);
    QCOMPARE(data.count(Split::Test), 3);
    QCOMPARE(data.fileBytes(), 2000);
    QCOMPARE(labelsOf(data, Split::Train, {4, 0, 3, 2}), std::vector<qint64>({0, 0, 2, 1}));
    QCOMPARE(labelsOf(data, Split::Test, {0, 1, 2}), std::vector<qint64>({1, 0, 2}));
    const QByteArray all = picturesOf(0, {0, 0, 0, 0, 0}).pictures;
    for (const std::vector<qint64> &indices : {std::vector<qint64>{4, 0, 3, 2}, {1}, {3, 4}, {0, 1, 2, 3, 4}}) {
        QByteArray expected;
        for (const qint64 index : indices)
            expected += all.mid(index * bytesEach, bytesEach);
        QCOMPARE(epochOf(data, 0, indices), expected);
    }
}

void JoinedTest::sharesFittedApartAreTheWholeFitted() {
    const auto one = setOf(QStringLiteral("one"), {cat, dog}, 0, {0, 1, 1, 0}, {1});
    const auto two = setOf(QStringLiteral("two"), {cat, dog}, 4, {0, 1, 0}, {0});
    const auto whole = setOf(QStringLiteral("whole"), {cat, dog}, 0, {0, 1, 1, 0, 0, 1, 0}, {1, 0});
    PictureInput input{{3, 8, 8}, PictureFit::Crop, {.crop = 0.4, .shift = 2, .flip = true, .colour = 0.3}, 9};
    PictureInput later = input;
    later.first = one->count(Split::Train);
    const auto joined = joinDatasets(
        {{QStringLiteral("one"), fitPictures(one, input)}, {QStringLiteral("two"), fitPictures(two, later)}});
    QVERIFY(joined);
    const auto fitted = fitPictures(whole, input);
    const std::vector<qint64> all = allOf(*fitted, Split::Train);
    QCOMPARE(epochOf(**joined, 3, all), epochOf(*fitted, 3, all));
    QVERIFY(epochOf(**joined, 3, all) != epochOf(**joined, 4, all));
    // Otherwise the same picture at the same place of another share would be varied alike.
    const auto unaware = joinDatasets(
        {{QStringLiteral("one"), fitPictures(one, input)}, {QStringLiteral("two"), fitPictures(two, input)}});
    QVERIFY(epochOf(**unaware, 3, all) != epochOf(*fitted, 3, all));
}

void JoinedTest::aShareOfValidationIsTheOneOfTheWhole() {
    const QList<int> some(20, 0), more(30, 1);
    const auto joined = joinDatasets({{QStringLiteral("one"), setOf(QStringLiteral("one"), {cat, dog}, 0, some, {1})},
                                      {QStringLiteral("two"), setOf(QStringLiteral("two"), {cat, dog}, 20, more, {})}});
    QVERIFY(joined);
    const auto apart = withValidation(*joined, 0.3, 5);
    const auto whole = withValidation(setOf(QStringLiteral("whole"), {cat, dog}, 0, some + more, {1}), 0.3, 5);
    QVERIFY(apart && whole);
    const std::vector<qint64> judged = allOf(**whole, Split::Validation), learnt = allOf(**whole, Split::Train);
    QVERIFY(!judged.empty());
    QCOMPARE((*apart)->count(Split::Validation), (*whole)->count(Split::Validation));
    QCOMPARE(labelsOf(**apart, Split::Validation, judged), labelsOf(**whole, Split::Validation, judged));
    QCOMPARE(epochOf(**apart, 1, learnt), epochOf(**whole, 1, learnt));
}

void JoinedTest::whatDoesNotFitIsRefused_data() {
    QTest::addColumn<QStringList>("classes");
    QTest::addColumn<int>("channels");
    QTest::addColumn<QByteArray>("coding");
    QTest::addColumn<QString>("cause");
    QTest::newRow("of another size") << QStringList{cat, dog} << 1 << QByteArray()
                                     << QStringLiteral("3×12×12 in the one and 1×12×12 in the other");
    QTest::newRow("only one has names of classes")
        << QStringList() << 3 << QByteArray() << QStringLiteral("Only one of them has names");
    QTest::newRow("prepared in another way")
        << QStringList{cat, dog} << 3 << QByteArray("x") << QStringLiteral("in different ways");
}

void JoinedTest::whatDoesNotFitIsRefused() {
    QFETCH(const QStringList, classes);
    QFETCH(const int, channels);
    QFETCH(const QByteArray, coding);
    QFETCH(const QString, cause);
    const auto joined =
        joinDatasets({{QStringLiteral("photos on nx0"), setOf(QStringLiteral("one"), {cat, dog}, 0, {0}, {1})},
                      {QStringLiteral("photos on tx1"),
                       setOf(QStringLiteral("two"), classes, 0, {0}, {0}, {channels, side, side}), coding}});
    QVERIFY(!joined);
    QCOMPARE(joined.error().code, QStringLiteral("data.misfit"));
    const QString text = joined.error().toString();
    for (const QString &part : {QStringLiteral("photos on nx0"), QStringLiteral("photos on tx1"), cause})
        QVERIFY2(text.contains(part), qPrintable(text));
}

void JoinedTest::onlyOneIsItself() {
    const auto one = setOf(QStringLiteral("one"), {cat, dog}, 0, {0, 1}, {1});
    QCOMPARE(joinDatasets({{QStringLiteral("one"), one}}).value(), one);
}

QTEST_GUILESS_MAIN(JoinedTest)
#include "joined_test.moc"
