// A network that somebody brings is opened in the window, planned and trained by real agents and workers, and taken
// back.
#include <QAction>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <functional>

#include "core/model/import/hugging_face.h"
#include "core/model/import/open_model.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "tests/app/window_parts.h"
#include "tests/ui/fake_home.h"
#include "ui/base/rail.h"
#include "ui/base/widgets.h"
#include "ui/shell/main_window.h"
#include "ui/words/format.h"

using namespace hearth;

namespace {

constexpr int slow = 180'000;  // a loaded machine, sanitizers: only a hang is caught
constexpr int rounds = 30;

/// The exit status of brought_network.py.
int python(const QStringList &words) {
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    process.start(QStringLiteral(HEARTH_PYTHON), QStringList{QStringLiteral(HEARTH_BROUGHT_NETWORK)} + words);
    constexpr int skipped = 77;
    if (!process.waitForStarted())
        return skipped;
    return process.waitForFinished(slow) ? process.exitCode() : -1;
}

/// A small vision transformer with its weights, in a folder as Hugging Face's libraries write it.
QString writeVisionFolder(const QString &path) {
    const QByteArray config = R"({"model_type": "vit", "architectures": ["ViTForImageClassification"],
        "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 48,
        "image_size": 28, "patch_size": 7, "num_channels": 1,
        "id2label": {"0": "a", "1": "b", "2": "c", "3": "d", "4": "e", "5": "f", "6": "g", "7": "h", "8": "i", "9": "j"}})";
    QFile file(path + QStringLiteral("/config.json"));
    if (!QDir().mkpath(path) || !file.open(QIODevice::WriteOnly) || file.write(config) < 0)
        qFatal("cannot write %s", qPrintable(file.fileName()));
    file.close();
    const auto model = modelFromConfig(QJsonDocument::fromJson(config).object(), QStringLiteral("vit"), {}, path);
    if (!model)
        qFatal("%s", qPrintable(model.error().toString()));
    if (!writeSafetensors(path + QStringLiteral("/model.safetensors"), initialise(*model, 1, DType::Float32)))
        qFatal("cannot write the weights of %s", qPrintable(path));
    return path;
}

}  // namespace

class WindowBroughtModelTest : public QObject {
    Q_OBJECT

    /// The window over a demo of two devices.
    struct Opened : WindowParts {
        FakeQuestions questions;
        MainWindow window{home, controller, questions};
        QStringList troubles;

        explicit Opened(const QTemporaryDir &state) : WindowParts(state) {
            connect(&controller, &RunController::failed, &window,
                    [this](const Error &error) { troubles << error.toString(); });
            connect(&home, &HomeSource::failed, &window, [this](const Error &error) { troubles << error.toString(); });
            window.show();
            homes.enterDemo(2);
        }
        ~Opened() { client.leave(); }

        template <class Widget>
        Widget *find(const char *name) const {
            auto *found = window.findChild<Widget *>(QLatin1String(name));
            if (found == nullptr)
                qFatal("there is no %s", name);
            return found;
        }
        void click(const char *name) const { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
        void type(const char *name, int number) const { find<QLineEdit>(name)->setText(QString::number(number)); }
        QString text(const char *name) const { return find<QLabel>(name)->text().remove(zeroWidthSpace); }
        QString subtitle(const char *page) const {
            return find<ElidedLabel>(qPrintable(QLatin1String(page) + QStringLiteral("Subtitle")))->fullText();
        }
        bool comes(const std::function<bool()> &what) const {
            return QTest::qWaitFor([&] { return what() || !troubles.isEmpty(); }, slow) && troubles.isEmpty();
        }
    };

    std::unique_ptr<Language> m_language;

  private Q_SLOTS:
    void initTestCase() { m_language = std::make_unique<Language>(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void cleanupTestCase() { m_language.reset(); }

    void aNetworkFromElsewhereIsTrainedAndTakenBack_data() {
        QTest::addColumn<bool>("fromPyTorch");
        QTest::newRow("an ONNX file of PyTorch") << true;
        QTest::newRow("a folder of Hugging Face") << false;
    }
    void aNetworkFromElsewhereIsTrainedAndTakenBack() {
        QFETCH(bool, fromPyTorch);
        const QTemporaryDir files, state;
        const QString network = files.filePath(fromPyTorch ? QStringLiteral("brought.onnx") : QStringLiteral("vit"));
        if (fromPyTorch) {
            QCOMPARE(python({QStringLiteral("export"), network}), 0);
        } else {
            writeVisionFolder(network);
        }
        const auto named = openModel(network);
        QVERIFY2(named, named ? "" : qPrintable(named.error().toString()));

        Opened opened(state);
        QVERIFY2(opened.comes([&] { return opened.home.waitingFor().isEmpty() && opened.home.devices().size() == 2; }),
                 qPrintable(opened.troubles.join(QLatin1Char('\n'))));
        opened.window.showPlace(JobPlace);
        opened.questions.file = fromPyTorch ? network : network + QStringLiteral("/config.json");
        opened.click("jobModelFile");
        QVERIFY(opened.comes([&] { return opened.text("modelFacts").contains(QLatin1String("layers")); }));
        if (!fromPyTorch)
            QVERIFY2(opened.text("modelNotes").contains(QLatin1String("came with it")),
                     qPrintable(opened.text("modelNotes")));
        opened.type("jobRounds", rounds);
        opened.type("jobBatch", 32);
        opened.type("jobEvaluateEvery", 0);
        QVERIFY(opened.comes([&] { return opened.text("jobDataNote").contains(QStringLiteral("28×28")); }));
        QVERIFY2(!opened.find<QLabel>("jobFit")->isVisible(), qPrintable(opened.text("jobFit")));
        opened.click("jobStart");
        QVERIFY2(opened.comes([&] { return opened.window.run().state() == QLatin1String("finished"); }),
                 qPrintable(opened.troubles.join(QLatin1Char('\n'))));
        QCOMPARE(opened.window.run().completedRounds(), qint64{rounds});
        opened.window.showPlace(PlanPlace);
        QVERIFY2(opened.subtitle("planPage").startsWith(named->model.name), qPrintable(opened.subtitle("planPage")));

        opened.window.showPlace(TrainPlace);
        const QString saved = files.filePath(QStringLiteral("trained.safetensors"));
        opened.questions.file = saved;
        // The menu looks what is there to save when it is opened.
        Q_EMIT opened.find<QMenu>("trainFilesMenu")->aboutToShow();
        opened.find<QAction>("trainSaveWeights")->trigger();
        QVERIFY2(opened.comes([&] { return QFile::exists(saved); }),
                 qPrintable(opened.troubles.join(QLatin1Char('\n'))));
        const auto weights = readSafetensors(saved);
        QVERIFY2(weights, weights ? "" : qPrintable(weights.error().toString()));
        QVERIFY(weightsForModel(named->model, *weights, DType::Float32, saved));
        if (fromPyTorch)
            QCOMPARE(python({QStringLiteral("judge"), saved}), 0);
    }
};

QTEST_MAIN(WindowBroughtModelTest)
#include "window_brought_model_test.moc"
