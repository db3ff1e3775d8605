#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
#include <array>

#include "core/run/run_state.h"

using namespace hearth;

namespace {

constexpr std::array stateNames{"Idle",     "Connecting", "Profiling", "Planning", "Deploying",
                                "Training", "Recovering", "Switching", "Waiting",  "Evaluating",
                                "Paused",   "Saving",     "Finished",  "Stopped",  "Failed"};
constexpr std::array turnNames{"Started",  "TakenUp", "Connected", "Measured",      "Doubted",   "Planned", "Deployed",
                               "Lost",     "AllRest", "PlanDue",   "EvaluationDue", "Evaluated", "SaveDue", "Collected",
                               "PauseDue", "Woken",   "Done",      "Stopped",       "Failed"};

template <class Names>
int indexOf(const Names &names, const QString &name) {
    const auto at = std::ranges::find_if(names, [&](const char *each) { return name == QLatin1String(each); });
    return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

/// What the table in the coordinator's header says: by state and turn.
QMap<std::pair<int, int>, int> drawnTable() {
    QMap<std::pair<int, int>, int> drawn;
    QFile header(QStringLiteral(HEARTH_RUN_SOURCES "/coordinator.h"));
    if (!header.open(QIODevice::ReadOnly))
        return drawn;
    static const QRegularExpression row(QStringLiteral("^///     (\\w+|all these| )")),
        arrow(QStringLiteral("(\\w+) → (\\w+)"));
    int state = -1;
    for (const QString &line : QString::fromUtf8(header.readAll()).split(QLatin1Char('\n'))) {
        const auto begun = row.match(line);
        if (!begun.hasMatch())
            continue;
        if (begun.captured(1) == QLatin1String("all these"))
            break;
        if (begun.captured(1) != QLatin1String(" "))
            state = indexOf(stateNames, begun.captured(1));
        for (auto each = arrow.globalMatch(line); each.hasNext();) {
            const auto match = each.next();
            drawn[{state, indexOf(turnNames, match.captured(1))}] = indexOf(stateNames, match.captured(2));
        }
    }
    return drawn;
}

}  // namespace

class TestRunState : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theDrawnTableIsTheOneThatDecides() {
        const auto drawn = drawnTable();
        QVERIFY(!drawn.isEmpty());
        for (int state = 0; state < int(stateNames.size()); ++state) {
            for (int turn = 0; turn < int(turnNames.size()); ++turn) {
                if (turn == int(RunTurn::Stopped) || turn == int(RunTurn::Failed))
                    continue;
                const auto next = nextState(RunState(state), RunTurn(turn));
                const QString what = QStringLiteral("%1 in %2")
                                         .arg(QLatin1String(turnNames.at(std::size_t(turn))),
                                              QLatin1String(stateNames.at(std::size_t(state))));
                QVERIFY2((next ? int(*next) : -1) == drawn.value({state, turn}, -1), qPrintable(what));
            }
        }
    }
    void everyStateButTheLastMayEnd() {
        for (int state = 0; state < int(stateNames.size()); ++state) {
            const bool isLast = isFinal(RunState(state));
            QCOMPARE(nextState(RunState(state), RunTurn::Stopped).has_value(), !isLast);
            QCOMPARE(nextState(RunState(state), RunTurn::Failed).has_value(), !isLast);
            QCOMPARE(isLast, state >= int(RunState::Finished));
        }
    }
    void aStateIsReachedFromTheFirst() {
        std::array<bool, stateNames.size()> reached{};
        reached[0] = true;
        for (std::size_t pass = 0; pass < reached.size(); ++pass) {
            for (std::size_t state = 0; state < reached.size(); ++state) {
                for (std::size_t turn = 0; reached[state] && turn < turnNames.size(); ++turn) {
                    if (const auto next = nextState(RunState(state), RunTurn(turn)))
                        reached[std::size_t(*next)] = true;
                }
            }
        }
        QVERIFY(std::ranges::all_of(reached, [](bool each) { return each; }));
    }
};

QTEST_GUILESS_MAIN(TestRunState)
#include "test_run_state.moc"
