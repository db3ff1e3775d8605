#include "recovery_checks.h"

#include <QTest>
#include <QTimer>
#include <utility>

namespace hearth::fake {

RunDeadlines quick() {
    RunDeadlines deadlines = unhurried();
    deadlines.exitReason = std::chrono::milliseconds(0);
    deadlines.returns = std::chrono::milliseconds(40);
    return deadlines;
}

void verifyRounds(const Home &home) {
    qint64 before = 0;
    quint32 term = 0;
    for (const RunEvent &event : home.events()) {
        if (const auto *plan = std::get_if<event::Plan>(&event.body)) {
            QVERIFY(plan->term > term);
            QVERIFY2(plan->round <= before + 1, "A round was left out.");
            term = plan->term;
            before = plan->round - 1;
        } else if (const auto *round = std::get_if<event::Round>(&event.body)) {
            QCOMPARE(round->term, term);
            QCOMPARE(round->round, before + 1);
            QCOMPARE(qint64(round->version), round->round);
            before = round->round;
        }
    }
    QCOMPARE(before, home.request.job.rounds.value_or(0));
    for (const auto &worker : home.workers) {
        for (std::size_t i = 1; i < worker->reports.size(); ++i)
            QVERIFY(worker->reports[i] > worker->reports[i - 1]);
    }
}

void makeEndless(Home &home) {
    home.request.job.rounds = 100'000;
    home.request.job.evaluateEvery = 0;
    home.roundPause = std::chrono::milliseconds(10);
    home.computeSeconds = 0;
}

void makeEndlessOnItsPlan(Home &home) {
    makeEndless(home);
    home.returns = false;
    home.request.safety.keepsPlan = true;
}

void whenFirst(Home &home, RunState state, std::function<void()> then) {
    Coordinator *coordinator = home.coordinator.get();
    QObject::connect(coordinator, &Coordinator::stateChanged, coordinator,
                     [coordinator, state, then = std::move(then), done = false](RunState now) mutable {
                         if (now == state && !std::exchange(done, true))
                             QTimer::singleShot(0, coordinator, then);
                     });
}

bool trains(Home &home, qint64 round) {
    home.start(quick());
    return QTest::qWaitFor([&] { return home.reported >= round; }, slow);
}

void startAgain(Home &home, RunDeadlines deadlines) {
    home.coordinator.reset();
    home.directory.reset();
    home.directory = std::move(*RunDirectory::resume(home.request.directory));
    home.coordinator = std::make_unique<Coordinator>(home.request, home.inputs, home.agent, home.connector,
                                                     *home.directory, deadlines);
    home.coordinator->start();
}

bool reaches(const Home &home, RunState state) {
    return QTest::qWaitFor([&] { return home.coordinator->state() == state; }, slow);
}

}  // namespace hearth::fake
