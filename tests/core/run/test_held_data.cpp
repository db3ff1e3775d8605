// What of a run's data is on other devices, before the run begins.
#include <QSignalSpy>
#include <QTest>

#include "core/data/data_registry.h"
#include "core/data/preparation.h"
#include "core/run/data_fit.h"
#include "core/run/held_data.h"
#include "fake_holder.h"
#include "tests/core/base/patience.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// Whatever they are, they are told to be these.
class ToldSamples : public HeldSamples {
  public:
    ToldSamples(const Slot &part, const Slot &label, qint64 most) {
        m_parts.front().slot = part;
        if (most > 0)
            m_parts.front().range = WholeRange{0, most};
        m_label = label;
    }
};

}  // namespace

class TestHeldData : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(words("home")).toUtf8());
    }

    void tablesFollowTheFirstOne_data() {
        QTest::addColumn<QStringList>("data");
        QTest::addColumn<QStringList>("classes");
        QTest::addColumn<QString>("kept");  // the table of which the run that goes on has kept the preparation
        QTest::addColumn<float>("three");   // what the number 3 becomes
        const QString a = words("a"), b = words("b"), c = words("c");
        const QStringList here{words("one"), words("two@desk")}, held{words("two@desk"), words("one")};
        // Means and deviations of 1, 2, 3, 6, of 10, 20 and of 5, 7.
        QTest::newRow("the first is here") << here << QStringList{a, b, c} << QString() << 0.F;
        QTest::newRow("the first is held") << held << QStringList{b, c, a} << QString() << -2.4F;
        QTest::newRow("a run goes on, the first is here") << here << QStringList{a, b, c} << words("old") << -3.F;
        QTest::newRow("a run goes on, the first is held") << held << QStringList{b, c, a} << words("old") << -3.F;
    }
    void tablesFollowTheFirstOne() {
        save(words("one/train.csv"), "width,kind\n1,a\n2,a\n3,b\n6,b\n");
        save(words("one/test.csv"), "width,kind\n3,b\n");
        save(words("two/train.csv"), "width,kind\n10,b\n20,c\n");
        save(words("two/test.csv"), "width,kind\n3,c\n");
        save(words("old/train.csv"), "width,kind\n5,a\n7,b\n");
        save(words("old/test.csv"), "width,kind\n5,a\n");
        for (const char *name : {"one", "two", "old"})
            QVERIFY(registerDataset(words(name), path(words(name)), false));
        QFETCH(QStringList, data);
        RunRequest request;
        request.model = *loadModel(words("mlp:features=1,classes=3"));
        request.job.data = data;
        request.directory = path(words("run"));
        QVERIFY(QDir().mkpath(request.directory));
        QFETCH(QString, kept);
        request.resume = !kept.isEmpty();
        if (request.resume)
            QVERIFY(savePreparation(**loadDataset(kept), request.directory));
        DeviceInfo self = deviceCalled("me", '1');
        self.self = true;
        request.holders = {deviceCalled("desk", '2')};
        request.sources = *resolvedSources(request.job, {self, request.holders.front()});
        Holder holder({});
        std::atomic<bool> isAway = false;
        HolderAgent agent;
        const auto connectors = [&] { return std::make_unique<HolderConnector>(holder, isAway); };
        HeldData held(request, agent, connectors, quickDeadlines);
        QSignalSpy opened(&held, &HeldData::opened), failed(&held, &HeldData::failed);
        held.open();
        QVERIFY2(opened.wait(patience), failed.isEmpty() ? "" : qPrintable(failed[0][0].value<Error>().toString()));
        const auto inputs = RunInputs::load(request, held.ready());
        QVERIFY2(inputs, inputs ? "" : qPrintable(inputs.error().toString()));
        QTEST(inputs->data->labelNames(), "classes");
        QCOMPARE(inputs->data->count(Split::Train), qint64{6});
        QFETCH(float, three);
        for (const qint64 index : {0, 1}) {
            float value = 0;
            const auto read = inputs->data->readSamples(Split::Test, 0, std::span(&index, 1),
                                                        std::as_writable_bytes(std::span(&value, 1)));
            QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
            QVERIFY2(qAbs(value - three) < 1e-6F, qPrintable(QString::number(value)));
        }

        // One that takes the place of the coordinator begins without the holder.
        request.again = true;
        agent.fails = true;
        HeldData again(request, agent, connectors, quickDeadlines);
        QSignalSpy openedAgain(&again, &HeldData::opened);
        again.open();
        QVERIFY(openedAgain.wait(patience));
        QCOMPARE(again.ready()[static_cast<int>(data.indexOf(words("two@desk")))].data->count(Split::Train), qint64{2});
    }

    void whatAHolderTellsIsHeldAgainstTheJob_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<double>("mixup");
        QTest::addColumn<Slot>("part");
        QTest::addColumn<Slot>("label");
        QTest::addColumn<QString>("code");
        QTest::addColumn<qint64>("most");  // of the numbers of a sample; 0: nothing is told of them
        const QString rows = words("mlp:features=2,classes=3"), pictures = words("fashion-cnn"),
                      wrong = words("job.data");
        const Slot row{DType::Float32, {2}, false}, picture{DType::UInt8, {1, 28, 28}, false};
        const Slot oneClass{DType::Int64, {}, false};
        QTest::newRow("what the job takes") << rows << 0.0 << row << oneClass << QString() << qint64{0};
        QTest::newRow("pictures that are mixed") << pictures << 0.2 << picture << oneClass << QString() << qint64{0};
        QTest::newRow("a label of one byte")
            << rows << 0.0 << row << Slot{DType::UInt8, {}, false} << wrong << qint64{0};
        QTest::newRow("a label of two bytes")
            << rows << 0.0 << row << Slot{DType::Float16, {}, false} << wrong << qint64{0};
        QTest::newRow("many labels") << rows << 0.0 << row << Slot{DType::Int64, {1 << 20}, false} << wrong
                                     << qint64{0};
        QTest::newRow("many labels of pictures that are mixed")
            << pictures << 0.2 << picture << Slot{DType::Int64, {1 << 20}, false} << wrong << qint64{0};
        QTest::newRow("a large sample") << rows << 0.0 << Slot{DType::Float32, {1 << 26}, false} << oneClass << wrong
                                        << qint64{0};
        QTest::newRow("a large picture") << pictures << 0.0 << Slot{DType::UInt8, {1, 1 << 12, 1 << 12}, false}
                                         << oneClass << wrong << qint64{0};
        QTest::newRow("pictures without height and width")
            << pictures << 0.2 << Slot{DType::UInt8, {784}, false} << oneClass << wrong << qint64{0};
        const QString texts = words("gpt2:sequence=4");
        const Slot ids{DType::Int64, {4}, false};
        QTest::newRow("ids that the model knows") << texts << 0.0 << ids << ids << QString() << qint64{50256};
        QTest::newRow("one id too many") << texts << 0.0 << ids << ids << wrong << qint64{50257};
        QTest::newRow("ids of which nothing is told") << texts << 0.0 << ids << ids << wrong << qint64{0};
    }
    void whatAHolderTellsIsHeldAgainstTheJob() {
        for (const char *name : {"one", "two"}) {
            save(words(name) + words("/train.csv"), "width,kind\n4,a\n7,b\n");
            save(words(name) + words("/test.csv"), "width,kind\n6,b\n");
            QVERIFY(registerDataset(words(name), path(words(name)), false));
        }
        QFETCH(QString, model);
        QFETCH(double, mixup);
        RunRequest request;
        request.model = *loadModel(model);
        request.job.data = {words("one@desk"), words("two@desk")};
        request.job.augment.mixup = mixup;
        request.directory = path();
        request.holders = {deviceCalled("desk", '2')};
        request.sources = *resolvedSources(request.job, request.holders);
        QFETCH(Slot, part);
        QFETCH(Slot, label);
        QFETCH(qint64, most);
        const auto told = std::make_shared<ToldSamples>(part, label, most);
        Holder holder([told](const Job &job, const Model &network, const DataPlace &) {
            return JobData{checkedInput(job, network, DataShape::of(*told)).value_or(InputTransform{}), told};
        });
        std::atomic<bool> isAway = false;
        HolderAgent agent;
        HeldData held(
            request, agent, [&] { return std::make_unique<HolderConnector>(holder, isAway); }, quickDeadlines);
        QSignalSpy opened(&held, &HeldData::opened);
        held.open();
        QVERIFY(opened.wait(patience));
        const auto inputs = RunInputs::load(request, held.ready());
        QTEST(inputs ? QString() : inputs.error().code, "code");
        if (!inputs)
            QVERIFY2(inputs.error().what.contains(words("desk")), qPrintable(inputs.error().toString()));
    }

    void aHolderWithoutTheDataEndsTheRun() {
        RunRequest request;
        request.model = *loadModel(words("fashion-cnn"));
        request.job.data = {words("fashion-mnist@desk"), words("nothing@desk")};
        request.directory = path();
        request.holders = {deviceCalled("desk", '2')};
        request.sources = *resolvedSources(request.job, request.holders);
        Holder holder(loads(std::make_shared<HeldSamples>()));
        std::atomic<bool> isAway = false;
        HolderAgent agent;
        HeldData held(
            request, agent, [&] { return std::make_unique<HolderConnector>(holder, isAway); }, quickDeadlines);
        QSignalSpy failed(&held, &HeldData::failed);
        held.open();
        QVERIFY(failed.wait(patience));
        const auto error = failed[0][0].value<Error>();
        QCOMPARE(error.code, words("run.data-device"));
        QVERIFY2(error.what.contains(words("on desk")) && error.cause.contains(words("\"nothing\" is unknown")),
                 qPrintable(error.toString()));
    }
};

QTEST_MAIN(TestHeldData)
#include "test_held_data.moc"
