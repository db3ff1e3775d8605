// Networks of Hugging Face's library, imported and computed, against plain PyTorch (outsiders/hugging_face.py).
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "core/model/import/hugging_face.h"
#include "tests/core/train/outsider_case.h"

using namespace hearth;

namespace {

/// Relative, float64.
constexpr double tolerance = 1e-10;

}  // namespace

class HuggingFaceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        QProcess outsider;
        outsider.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        outsider.start(QStringLiteral(HEARTH_PYTHON),
                       {QStringLiteral(HEARTH_OUTSIDER), m_folder.filePath(QStringLiteral("n"))});
        QVERIFY(outsider.waitForFinished(500'000));
        QCOMPARE(outsider.exitCode(), 0);
    }

    void networksComputeWhatTheLibraryComputes_data() {
        QTest::addColumn<bool>("segments");
        for (const char *name :
             {"bert-sequence", "bert-token", "bert-masked", "distilbert-sequence", "distilbert-masked", "gpt2-language",
              "gpt2-sequence", "llama-language", "llama-sequence", "qwen2-language", "t5", "t5-gated", "vit"})
            QTest::newRow(name) << false;
        QTest::newRow("bert-sequence with kinds of segments") << true;
    }

    void networksComputeWhatTheLibraryComputes() {
        QFETCH(bool, segments);
        const QString name = QString::fromLatin1(QTest::currentDataTag()).section(QLatin1Char(' '), 0, 0);
        const QString folder = m_folder.filePath(QStringLiteral("n/") + name);
        const auto outsider = OutsiderCase::read(folder + QStringLiteral("/expected.safetensors"));
        QVERIFY2(outsider, outsider ? "" : qPrintable(outsider.error().toString()));
        const auto &expected = outsider->tensors;

        HeadOptions options;
        options.dropout = 0;
        options.segments = segments;
        if (const auto tokens = expected.find(QStringLiteral("in.tokens")); tokens != expected.end())
            options.sequence = tokens->second.size(1);
        if (const auto answer = expected.find(QStringLiteral("in.decoder_tokens")); answer != expected.end())
            options.answer = answer->second.size(1);
        const auto imported = importHuggingFace(folder, options);
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        QCOMPARE(imported->notes.size(), std::size_t{1});  // all came, all are used
        QCOMPARE(outsider->differenceOf(*imported, tolerance), QString());
    }

  private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(HuggingFaceTest)
#include "hugging_face_test.moc"
