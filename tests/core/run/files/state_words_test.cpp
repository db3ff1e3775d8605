// Which states end a run.
#include <QTest>

#include "core/run/files/state_words.h"

using namespace hearth;

class StateWordsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aStateSaysWhetherItsRunGoesOn_data() {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("isFinal");
        QTest::addColumn<bool>("goesOn");
        const auto row = [](const char *state, bool isFinal, bool goesOn) {
            QTest::newRow(state) << QString::fromLatin1(state) << isFinal << goesOn;
        };
        for (const char *state : {"profiling", "planning", "waiting", "training", "paused", "recovering"})
            row(state, false, true);
        for (const char *state : {"finished", "stopped", "failed"})
            row(state, true, false);
        row("interrupted", false, false);
        row("a word of a later version", false, true);
    }
    void aStateSaysWhetherItsRunGoesOn() {
        QFETCH(QString, state);
        QTEST(isFinalState(state), "isFinal");
        QTEST(isUnderWay(state), "goesOn");
    }
};

QTEST_GUILESS_MAIN(StateWordsTest)
#include "state_words_test.moc"
