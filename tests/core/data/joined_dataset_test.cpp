// Several data sets as one.
#include "core/data/joined_dataset.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <array>
#include <cstring>

#include "core/data/data_registry.h"
#include "core/data/fitted_pictures.h"
#include "core/data/told_preparation.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

/// Sample i of a set is its mark, the epoch it was read for and i; its label is i modulo the number of classes.
class Marked : public Dataset {
  public:
    Marked(const QString &name, char mark, qint64 samples, const QStringList &classes)
        : m_mark(mark), m_samples(samples) {
        m_name = name;
        m_parts = {{text("word"), {DType::UInt8, {3}, false}, WholeRange{0, mark}}};
        m_label = {DType::Int64, {}, false};
        m_labelNames = classes;
        m_classes = static_cast<int>(classes.size());
        m_columns = {text("a"), QString(QLatin1Char(mark))};
        m_fileBytes = 100;
        m_broken = {{text("7.jpg"), text("It is empty.")}};
    }
    qint64 count(Split split) const override {
        return split == Split::Train ? m_samples : split == Split::Test ? 1 : 0;
    }
    Result<void> readSamples(Split, std::size_t, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return readEpoch(0, 0, indices, out);
    }
    Result<void> readEpoch(qint64 epoch, std::size_t, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        if (isAway)
            return fail(text("data.unreadable"), text("It is away."));
        ++reads;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const std::array<char, 3> sample{m_mark, static_cast<char>(epoch), static_cast<char>(indices[i])};
            std::memcpy(out.data() + i * sample.size(), sample.data(), sample.size());
        }
        return {};
    }
    Result<void> readLabels(Split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const qint64 label = ignored ? -100 : indices[i] % std::max(m_classes, 1) + wrong;
            std::memcpy(out.data() + i * sizeof label, &label, sizeof label);
        }
        return {};
    }
    QString fileOf(Split, qint64 index) const override { return QStringLiteral("%1/%2").arg(name()).arg(index); }
    Result<QStringList> readFields(Split, qint64 index) const override {
        return QStringList{QString::number(index), text("own")};
    }

    void setClasses(int classes) { m_classes = classes; }
    void setLabel(const Slot &label) { m_label = label; }
    void setParts(const std::vector<DataPart> &parts) { m_parts = parts; }

    bool isAway = false, ignored = false;
    qint64 wrong = 0;
    mutable int reads = 0;

  private:
    char m_mark;
    qint64 m_samples;
};

std::shared_ptr<Marked> marked(const char *name, char mark, qint64 samples,
                               const QStringList &classes = {text("cat"), text("dog")}) {
    return std::make_shared<Marked>(text(name), mark, samples, classes);
}

QByteArray samplesOf(const Dataset &data, qint64 epoch, const std::vector<qint64> &indices) {
    QByteArray bytes(static_cast<qsizetype>(indices.size()) * 3, '?');
    const auto out = std::as_writable_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size())));
    return data.readEpoch(epoch, 0, indices, out) ? bytes : QByteArray();
}

std::vector<qint64> labelsOf(const Dataset &data, const std::vector<qint64> &indices) {
    std::vector<qint64> labels(indices.size());
    return data.readLabels(Split::Train, indices, std::as_writable_bytes(std::span(labels))) ? labels
                                                                                             : std::vector<qint64>();
}

}  // namespace

class JoinedDatasetTest : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(text("home")).toUtf8());
    }

    void samplesComeInTheOrderOfTheList() {
        const auto a = marked("mine", 'a', 3), b = marked("hers", 'b', 2);
        const auto joined = joinDatasets({a, b});
        QVERIFY2(joined, joined ? "" : qPrintable(joined.error().toString()));
        QCOMPARE((*joined)->count(Split::Train), qint64{5});
        QCOMPARE((*joined)->count(Split::Validation), qint64{0});
        QCOMPARE((*joined)->count(Split::Test), qint64{2});
        QCOMPARE((*joined)->name(), text("mine, hers"));
        QCOMPARE((*joined)->fileBytes(), qint64{200});
        QCOMPARE(samplesOf(**joined, 4, {4, 0, 3, 2}), QByteArray("b\4\1a\4\0b\4\0a\4\2", 12));
        QCOMPARE(a->reads, 1);  // each set is asked once
        QCOMPARE(b->reads, 1);
        QCOMPARE(samplesOf(**joined, 1, {3, 4}), QByteArray("b\1\0b\1\1", 6));
        QCOMPARE(a->reads, 1);
        QCOMPARE((*joined)->fileOf(Split::Train, 4), text("hers/1"));
        QCOMPARE((*joined)->parts().front().range->most, qint64{'b'});
    }

    void classesCanKeepTheNumbersThatTheyHad() {
        const auto set = marked("mine", 'a', 3);
        const auto data = withClasses(set, {text("dog"), text("bird"), text("cat")});
        QCOMPARE(labelsOf(*data, {0, 1, 2}), (std::vector<qint64>{2, 0, 2}));
        QCOMPARE(data->labelNames(), QStringList({text("dog"), text("bird"), text("cat")}));
        QCOMPARE(data->classes(), 3);
        set->ignored = true;
        QCOMPARE(labelsOf(*data, {0}), std::vector<qint64>{-100});
        // All else is what it was.
        QCOMPARE(data->name(), text("mine"));
        QCOMPARE(data->broken().front().file, text("7.jpg"));
        QCOMPARE(samplesOf(*data, 4, {2}), QByteArray("a\4\2", 3));
    }

    void whatWasLeftOutIsToldWithItsSet() {
        const auto joined = joinDatasets({marked("mine", 'a', 3), marked("hers", 'b', 2)});
        QVERIFY(joined);
        QCOMPARE((*joined)->broken().size(), std::size_t{2});
        QCOMPARE((*joined)->broken()[1].file, text("hers/7.jpg"));
    }

    void fieldsAreThoseOfTheFirstSetsColumns() {
        const auto joined = joinDatasets({marked("mine", 'x', 3), marked("hers", 'y', 2)});
        QVERIFY(joined);
        QCOMPARE((*joined)->columns(), QStringList({text("a"), text("x")}));
        QCOMPARE(*(*joined)->readFields(Split::Train, 1), QStringList({text("1"), text("own")}));
        QCOMPARE(*(*joined)->readFields(Split::Train, 4), QStringList({text("1"), QString()}));
    }

    void classesAreJoinedByName() {
        const auto a = marked("mine", 'a', 4, {text("cat"), text("dog")});
        const auto b = marked("hers", 'b', 4, {text("bird"), text("cat")});
        const auto joined = joinDatasets({a, b});
        QVERIFY(joined);
        QCOMPARE((*joined)->labelNames(), QStringList({text("cat"), text("dog"), text("bird")}));
        QCOMPARE((*joined)->classes(), 3);
        QCOMPARE(labelsOf(**joined, {0, 1, 4, 5}), std::vector<qint64>({0, 1, 2, 0}));
        b->ignored = true;
        QCOMPARE(labelsOf(**joined, {4}), std::vector<qint64>({-100}));
        b->ignored = false;
        b->wrong = 2;
        qint64 label = 0;
        const qint64 index = 4;
        const auto read =
            (*joined)->readLabels(Split::Train, std::span(&index, 1), std::as_writable_bytes(std::span(&label, 1)));
        QCOMPARE(read ? QString() : read.error().code, text("data.broken-label"));
    }

    void withoutNamesTheLargerCountCounts() {
        const auto a = marked("mine", 'a', 4, {}), b = marked("hers", 'b', 4, {});
        a->setClasses(3);
        b->setClasses(7);
        const auto joined = joinDatasets({a, b});
        QVERIFY(joined);
        QCOMPARE((*joined)->classes(), 7);
        QVERIFY((*joined)->labelNames().isEmpty());
        QCOMPARE(labelsOf(**joined, {3, 7}), std::vector<qint64>({0, 3}));
    }

    void anErrorIsThatOfTheSet() {
        const auto a = marked("mine", 'a', 3), b = marked("hers", 'b', 2);
        const auto joined = joinDatasets({a, b});
        QVERIFY(joined);
        b->isAway = true;
        std::vector<std::byte> out(6);
        const std::vector<qint64> indices{0, 3};
        const auto read = (*joined)->readEpoch(0, 0, indices, out);
        QCOMPARE(read ? QString() : read.error().code, text("data.unreadable"));
        QVERIFY((*joined)->readEpoch(0, 0, std::vector<qint64>{0, 1}, out));
    }

    void whatDiffersIsAnErrorThatNamesBoth_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("tells");
        QTest::newRow("another shape") << 0 << text("\"word\" is 3 U8 in mine and 4 U8 in hers.");
        QTest::newRow("one part more") << 1 << text("A sample of mine has 1 part, and one of hers has 2.");
        QTest::newRow("real labels") << 2 << text("Labels are I64 in mine and F32 in hers.");
        QTest::newRow("classes without names")
            << 3 << text("The classes of mine have names, and those of hers have none.");
    }
    void whatDiffersIsAnErrorThatNamesBoth() {
        QFETCH(int, what);
        QFETCH(QString, tells);
        const auto a = marked("mine", 'a', 3), b = marked("hers", 'b', 2, what == 3 ? QStringList() : a->labelNames());
        const DataPart other{text("word"), {DType::UInt8, {4}, false}, {}};
        if (what == 0)
            b->setParts({other});
        if (what == 1)
            b->setParts({a->parts().front(), other});
        if (what == 2)
            b->setLabel({DType::Float32, {}, false});
        const auto joined = joinDatasets({a, b});
        QVERIFY(!joined);
        QCOMPARE(joined.error().code, text("data.join"));
        QVERIFY2(joined.error().cause.contains(tells), qPrintable(joined.error().cause));
        QVERIFY(joined.error().what.contains(text("mine")) && joined.error().what.contains(text("hers")));
        QVERIFY(!joined.error().advice.isEmpty());
    }

    void picturesOfAnySizeGoWithThoseOfOneSize() {
        saveClasses(text("small"), 12);
        saveClasses(text("other"), 10);
        const auto own = loadDataset(path(text("small"))), more = loadDataset(path(text("other")));
        QVERIFY(own && more);
        const auto fixed = fitPictures(*more, {{3, 8, 8}});
        const auto joined = joinDatasets({fixed, *own});
        QVERIFY2(joined, joined ? "" : qPrintable(joined.error().toString()));
        QVERIFY((*joined)->hasOwnSizes() && (*joined)->isDecoded());
        QCOMPARE((*joined)->sample(), (*own)->sample());
        std::vector<std::byte> bytes(static_cast<std::size_t>((*joined)->sampleBytes()));
        const qint64 first = 0;
        QVERIFY((*joined)->readSamples(Split::Train, 0, std::span(&first, 1), bytes));
        QCOMPARE((*(*joined)->readPicture(Split::Train, 0, [](const QSize &) { return 1.0; })).size(), QSize(40, 30));
    }

    void aSetVariesAsItWouldAlone() {
        saveClasses(text("a"), 12);
        saveClasses(text("b"), 12);
        const auto a = loadDataset(path(text("a"))), b = loadDataset(path(text("b")));
        QVERIFY(a && b);
        const PictureInput input{{3, 8, 8}, PictureFit::Crop, {.crop = 0.3, .colour = 0.4}, 7};
        const auto alone = fitPictures(*b, input);
        const auto joined = joinDatasets({fitPictures(*a, input), alone});
        QVERIFY(joined);
        const qint64 before = (*a)->count(Split::Train);
        for (const qint64 epoch : {0, 3}) {
            std::vector<std::byte> bytes(384), own(384);
            QVERIFY((*joined)->readEpoch(epoch, 0, std::vector<qint64>{before + 5, before}, bytes));
            QVERIFY(alone->readEpoch(epoch, 0, std::vector<qint64>{5, 0}, own));
            QVERIFY(bytes == own);
        }
    }

    void tablesAreJoinedOncePreparedAlike() {
        save(text("one/train.csv"), "width,kind\n1,a\n2,a\n3,b\n6,b\n");
        save(text("one/test.csv"), "width,kind\n3,b\n");
        save(text("two/train.csv"), "depth,width,kind\n7,10,b\n8,20,c\n");
        save(text("two/test.csv"), "depth,width,kind\n9,3,c\n");
        const auto one = loadDataset(path(text("one"))), two = loadDataset(path(text("two")));
        QVERIFY(one && two);
        const auto apart = joinDatasets({*one, *two});
        QVERIFY(!apart);
        QCOMPARE(apart.error().code, text("data.join"));
        const auto told = preparationToTell(**one);
        QVERIFY(told);
        QVERIFY(!QJsonDocument(*told).toJson().contains(path().toUtf8()));
        const auto alike = preparedAs(*two, *told);
        QVERIFY2(alike, alike ? "" : qPrintable(alike.error().toString()));
        const auto joined = joinDatasets({*one, *alike});
        QVERIFY2(joined, joined ? "" : qPrintable(joined.error().toString()));
        QCOMPARE((*joined)->labelNames(), QStringList({text("a"), text("b"), text("c")}));
        QCOMPARE((*joined)->preparation()[text("classes")].toArray().size(), qsizetype{3});
        QCOMPARE(labelsOf(**joined, {4, 5}), std::vector<qint64>({1, 2}));
        float value = 0, first = 0;
        const qint64 test = 1, held = 0;
        QVERIFY(
            (*joined)->readSamples(Split::Test, 0, std::span(&test, 1), std::as_writable_bytes(std::span(&value, 1))));
        QVERIFY(
            (*joined)->readSamples(Split::Test, 0, std::span(&held, 1), std::as_writable_bytes(std::span(&first, 1))));
        QCOMPARE(value, first);  // 3 is 3 in both: by the means of the first
    }

    void tablesThatTeachAnotherThingCannotBePreparedAlike() {
        save(text("one/train.csv"), "width,kind\n1,a\n2,a\n3,b\n6,b\n");
        save(text("one/test.csv"), "width,kind\n3,b\n");
        save(text("two/train.csv"), "width,height\n10,1.5\n20,2.5\n30,9.25\n");
        save(text("two/test.csv"), "width,height\n3,1.75\n");
        const auto one = loadDataset(path(text("one"))), two = loadDataset(path(text("two")));
        QVERIFY(one && two);
        const auto alike = preparedAs(*two, *preparationToTell(**one));
        QCOMPARE(alike ? QString() : alike.error().code, text("data.join"));
    }

    void textsNeedTheSameTokenizer() {
        const QByteArray rows = "text,label\ngood,a\nbad,b\nfine,a\n";
        save(text("one/train.csv"), rows);
        save(text("one/test.csv"), rows);
        save(text("vocab/vocab.txt"), "[PAD]\n[UNK]\n[CLS]\n[SEP]\ngood\nbad\n");
        const auto prepared = [this](const char *name, const char *tokenizer) {
            const auto made =
                registerDataset(text(name), path(text("one")), true, {}, {{}, {}, {}, QString::fromUtf8(tokenizer)});
            return made ? *made : nullptr;
        };
        const auto bytes = prepared("bytes", ""), again = prepared("again", "");
        const QByteArray vocabulary = path(text("vocab")).toUtf8();
        const auto words = prepared("words", vocabulary.constData());
        QVERIFY(bytes && again && words);
        QVERIFY(joinDatasets({bytes, again}));
        QVERIFY(joinDatasets({words, words}));
        const auto mixed = joinDatasets({bytes, words});
        QCOMPARE(mixed ? QString() : mixed.error().code, text("data.join"));
        const auto told = preparationToTell(*words);
        QVERIFY(told && isTokenizerElsewhere(*told) && !isTokenizerElsewhere(words->preparation()));
        QVERIFY(!QJsonDocument(*told).toJson().contains(path().toUtf8()));
    }
};

QTEST_MAIN(JoinedDatasetTest)
#include "joined_dataset_test.moc"
