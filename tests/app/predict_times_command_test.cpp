// `hearth predict-times`: from the profiles in a home's folder.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "core/model/catalogue.h"
#include "core/predict/layer_work.h"
#include "core/profile/profile_store.h"
#include "tests/app/hearth_program.h"

using namespace hearth;
using namespace hearth::test;

class PredictTimesCommandTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void measuredAndPredictedTimesAreToldApart() {
        const QTemporaryDir home;
        const ProfileStore store(home.filePath(QStringLiteral("profiles")));
        measure(store, "a", "fashion-cnn", 1);
        measure(store, "b", "fashion-cnn", 3);
        measure(store, "a", "vit-tiny", 1);
        QVERIFY(store.saveDevice({QStringLiteral("b"), QStringLiteral("kitchen"), QStringLiteral("l"), 1, 1, 1}));
        const QStringList words{QStringLiteral("predict-times"), QStringLiteral("vit-tiny"), QStringLiteral("--state"),
                                home.path()};
        const Outcome text = runHearth(words);
        QVERIFY2(text.status == 0, qPrintable(text.errors));
        QVERIFY2(text.output.contains(QStringLiteral("measured")), qPrintable(text.output));
        QVERIFY2(text.output.contains(QStringLiteral("predicted from a")), qPrintable(text.output));
        QVERIFY2(text.output.contains(QStringLiteral("kitchen")), qPrintable(text.output));
        const Outcome json = runHearth(words + QStringList{QStringLiteral("--json")});
        const QJsonArray devices =
            QJsonDocument::fromJson(json.output.toUtf8()).object()[QStringLiteral("devices")].toArray();
        QCOMPARE(devices.size(), 2);
        const QJsonObject a = devices[0].toObject(), b = devices[1].toObject();
        QVERIFY(a[QStringLiteral("measured")].toBool() && !b[QStringLiteral("measured")].toBool());
        QCOMPARE(b[QStringLiteral("references")].toArray(), QJsonArray{QStringLiteral("a")});
        const double ratio = b[QStringLiteral("seconds")].toDouble() / a[QStringLiteral("seconds")].toDouble();
        QVERIFY2(ratio > 2.2 && ratio < 3.8, qPrintable(QString::number(ratio)));
        QCOMPARE(b[QStringLiteral("layers")].toArray().size(), 14);
    }

    void whatCannotBeIsSaid_data() {
        addRefusalColumns();
        addRefusal("a home that measured nothing", "predict-times fashion-cnn --state /nonexistent", 1,
                   "hearth profile");
        addRefusal("a model that there is not", "predict-times nonsense", 1, "is unknown");
        addRefusal("a precision that there is not", "predict-times fashion-cnn --precision half", 2, "float64");
        addRefusal("no samples", "predict-times fashion-cnn --batch 0", 2, "--batch");
    }
    void whatCannotBeIsSaid() { checkRefusal(); }

  private:
    static void measure(const ProfileStore &store, const char *device, const char *name, double factor) {
        const Model model = loadModel(QLatin1String(name)).value();
        ModelProfile profile;
        profile.device = QLatin1String(device);
        profile.model = model.name;
        profile.modelSha256 = QString::fromLatin1(model.sha256());
        profile.library = QStringLiteral("l");
        profile.precision = QStringLiteral("float32");
        profile.layers.resize(model.layers.size());
        profile.times.batch = {1, 16};
        for (std::size_t l = 0; l < model.layers.size(); ++l) {
            profile.layers[l].name = model.layers[l].name;
            std::vector<double> row;
            for (const int samples : profile.times.batch)
                row.push_back(factor * layerWork(model.layers[l], DType::Float32).seconds(samples));
            profile.times.forward.push_back(row);
            profile.times.backward.push_back(row);
        }
        QVERIFY(store.save(profile));
    }
};

QTEST_GUILESS_MAIN(PredictTimesCommandTest)
#include "predict_times_command_test.moc"
