// Continuing prompts with a network whose next token depends on the last one alone.
#include "core/inference/continuation.h"

#include <QtTest>

#include "tests/core/base/patience.h"
#include "tests/core/inference/row_runs.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

int likeliestAfter(const TrainedRun &run, int token) {
    int best = 0;
    double most = -1e300;
    for (int word = 0; word < 259; ++word) {
        double score = run.valuesOf("head.bias")[word];
        for (int i = 0; i < 16; ++i)
            score += run.valuesOf("head.weight")[16 * word + i] * run.valuesOf("word.weight")[16 * token + i];
        if (score > most) {
            most = score;
            best = word;
        }
    }
    return best;
}

QString continued(Continuation &continuation, const QString &prompt, const Continuation::Choice &choice) {
    QSignalSpy finished(&continuation, &Continuation::finished);
    if (!continuation.start(prompt, choice) || (finished.isEmpty() && !finished.wait(patience)))
        qFatal("it did not finish");
    return continuation.text();
}

}  // namespace

class ContinuationTest : public QObject {
    Q_OBJECT

    RowRuns m_runs;
    std::optional<TrainedRun> m_run;
    std::optional<AskedRun> m_asked;

  private Q_SLOTS:
    void initTestCase() {
        m_run = m_runs.language(text("run"));
        m_runs.forget();
        auto opened = AskedRun::open(m_run->folder());
        QVERIFY2(opened, opened ? "" : qPrintable(opened.error().toString()));
        QVERIFY(opened->takes == AskedRun::Takes::Prompts);
        m_asked = std::move(*opened);
    }

    void theLikeliestTokenIsAdded() {
        // More than the network sees at once.
        constexpr int tokens = 3 * RowRuns::length;
        Continuation continuation(*m_asked);
        QByteArray wanted;
        int added = 0;
        for (int token = likeliestAfter(*m_run, 'a' + 3); token != 1 && added < tokens; ++added) {
            if (token >= 3)
                wanted += static_cast<char>(token - 3);
            token = likeliestAfter(*m_run, token);
        }
        QCOMPARE(continued(continuation, text("a"), {tokens, 0, 1}), QString::fromUtf8(wanted));
        QCOMPARE(continuation.tokens(), added);
    }

    void theSameSeedDrawsTheSameText() {
        Continuation continuation(*m_asked);
        const QString first = continued(continuation, text("ab"), {20, 1, 7});
        QCOMPARE(continued(continuation, text("ab"), {20, 1, 7}), first);
        QVERIFY(continued(continuation, text("ab"), {20, 1, 8}) != first);
    }

    void aColdTextIsTheLikeliest() {
        Continuation continuation(*m_asked);
        const QString likeliest = continued(continuation, text("b"), {5, 0, 1});
        QCOMPARE(continued(continuation, text("b"), {5, 1e-9, 3}), likeliest);
    }

    void itStopsWhenItIsTold() {
        Continuation continuation(*m_asked);
        QSignalSpy finished(&continuation, &Continuation::finished);
        connect(&continuation, &Continuation::grown, &continuation, &Continuation::stop);
        QVERIFY(continuation.start(text("a"), {Continuation::mostTokens, 1, 1}));
        QVERIFY(finished.wait(patience));
        QCOMPARE(continuation.tokens(), 1);
        QVERIFY(!continuation.isRunning());
    }

    void whatCannotBeContinuedSaysWhy_data() {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QString>("code");
        QTest::newRow("nothing") << QString() << text("predict.no-prompt");
        QTest::newRow("more than the network sees") << text("123456789") << text("predict.long-prompt");
    }
    void whatCannotBeContinuedSaysWhy() {
        QFETCH(const QString, prompt);
        Continuation continuation(*m_asked);
        const auto started = continuation.start(prompt, {});
        QVERIFY(!started);
        QTEST(started.error().code, "code");
        QVERIFY(!started.error().advice.isEmpty());
        QVERIFY(!continuation.isRunning());
    }

    void itTakesNoFiles() {
        const auto files = m_asked->files({m_runs.save(text("a.txt"), "a")});
        QVERIFY(!files);
        QCOMPARE(files.error().code, text("predict.prompts"));
    }
};

QTEST_GUILESS_MAIN(ContinuationTest)
#include "continuation_test.moc"
