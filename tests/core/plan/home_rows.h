// One row of test data for every kind of home.
#pragma once

#include <QTest>

#include "tests/core/plan/varied_problem.h"

namespace hearth::test {

inline constexpr const char *homeNames[homeCount] = {"switched",  "half duplex", "own cards",
                                                     "own pairs", "one air",     "wires and air mixed"};

/// Column "home": an int to be cast to Home.
inline void addHomes() {
    QTest::addColumn<int>("home");
    for (int home = 0; home < homeCount; ++home)
        QTest::newRow(homeNames[home]) << home;
}

}  // namespace hearth::test
