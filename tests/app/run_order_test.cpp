// From a person's words to the order of a run.
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include "app/run_order.h"
#include "core/history/weights_export.h"
#include "core/model/import/hugging_face.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"
#include "core/run/run_event.h"

using namespace hearth;

class RunOrderTest : public QObject {
    Q_OBJECT

    const QTemporaryDir m_files;

    static void write(const QString &path, const QByteArray &content) {
        QFile file(path);
        if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) || file.write(content) < 0)
            qFatal("cannot write %s", qPrintable(path));
    }
    /// As Hugging Face's libraries write it.
    QString bringVision() const {
        const QByteArray config = R"({"model_type": "vit", "architectures": ["ViTForImageClassification"],
            "hidden_size": 12, "num_hidden_layers": 1, "num_attention_heads": 3, "intermediate_size": 20,
            "image_size": 28, "patch_size": 7, "num_channels": 1, "id2label": {"0": "a", "1": "b", "2": "c"} })";
        QString path = m_files.filePath(QStringLiteral("vit"));
        write(path + QStringLiteral("/config.json"), config);
        const auto model = modelFromConfig(QJsonDocument::fromJson(config).object(), QStringLiteral("vit"), {}, path);
        if (!model ||
            !writeSafetensors(path + QStringLiteral("/model.safetensors"), initialise(*model, 1, DType::Float32)))
            qFatal("cannot write the network");
        return path;
    }
    static QString originIn(const Result<RunOrder> &order) {
        if (!order)
            qFatal("%s", qPrintable(order.error().toString()));
        return order->options[QLatin1String("origin")].toString();
    }
    static Result<RunOrder> orderOf(const QString &model) {
        Job job;
        job.model = model;
        OrderFiles files;
        files.needsWeights = false;
        return makeOrder(job, files);
    }

  private Q_SLOTS:
    void theFolderOfANetworkIsKeptWithItsOptions() {
        const QString vision = bringVision();
        const auto order = orderOf(QDir::current().relativeFilePath(vision) + QStringLiteral(":classes=10"));
        const QString origin = originIn(order);
        QCOMPARE(QDir::cleanPath(origin), vision + QStringLiteral(":classes=10"));
        QCOMPARE(order->job[QLatin1String("model")].toString(), QStringLiteral("vit"));
        // A run that goes on with the network of this one comes from there, too.
        event::Run begun;
        begun.id = QStringLiteral("a");
        begun.origin = origin;
        const QString run = m_files.filePath(QStringLiteral("run"));
        write(run + QStringLiteral("/events.jsonl"), eventLine(1, 0, begun) + '\n');
        write(run + QStringLiteral("/model.json"), QJsonDocument(order->model).toJson());
        QCOMPARE(originOfRun(run), origin);
        QCOMPARE(originIn(orderOf(run + QStringLiteral("/model.json"))), origin);
    }

    void aNetworkOfHearthCameFromNowhere() { QCOMPARE(originIn(orderOf(Job().model)), QString()); }
};

QTEST_GUILESS_MAIN(RunOrderTest)
#include "run_order_test.moc"
