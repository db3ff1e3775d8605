// What the tests of losses and of changes of the plan share.
#pragma once

#include <QTest>
#include <functional>

#include "fake_home.h"

namespace hearth::fake {

inline constexpr int slow = 90'000;  // a loaded machine, sanitizers: only a hang is caught

/// Nothing to wait for: everybody answers at once, or never. No round is slow.
RunDeadlines quick();

/// Rounds of each term ascend without gaps, the last one is the run's, the next term begins with the version that it
/// says, and no worker has reported a round twice under one term. Else a test failure.
void verifyRounds(const Home &home);

/// A run that only a command ends, of devices that never drift.
void makeEndless(Home &home);
/// Such a run that keeps its plan, of devices that stay away once they are lost.
void makeEndlessOnItsPlan(Home &home);

/// Once, when that state comes, as soon as the event loop turns again.
void whenFirst(Home &home, RunState state, std::function<void()> then);

/// Starts the run. False: it took too long until that round was done.
bool trains(Home &home, qint64 round);

/// Another coordinator takes the folder over; the one before is gone without a word.
void startAgain(Home &home, RunDeadlines deadlines = quick());

/// False: it took too long.
bool reaches(const Home &home, RunState state);

template <class Condition>
bool comes(Condition condition) {
    return QTest::qWaitFor(condition, slow);
}

/// The event of this kind with this number.
template <class Event>
Event eventOf(const Home &home, const char *kind, std::size_t number = 0) {
    return std::get<Event>(home.events(QLatin1String(kind)).at(number).body);
}

template <class Event>
Event lastEvent(const Home &home, const char *kind) {
    return std::get<Event>(home.events(QLatin1String(kind)).back().body);
}

inline std::size_t count(const Home &home, const char *kind) {
    return home.events(QLatin1String(kind)).size();
}

}  // namespace hearth::fake
