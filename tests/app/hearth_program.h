// Runs the app's program without a display and waits for its end.
#pragma once

#include <QProcess>
#include <QStringList>
#include <QTest>

namespace hearth::test {

struct Outcome {
    int status = -1;
    QString output;
    QString errors;
};

/// Where it can print nothing, its standard output is open for reading alone. `display`: null where DISPLAY is not set.
/// `under`: the program that starts it, with its words.
inline Outcome runHearth(const QStringList &words, bool canPrint = true, const QString &display = {},
                         const QStringList &under = {}) {
    constexpr int slow = 60'000;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (display.isNull())
        environment.remove(QStringLiteral("DISPLAY"));
    else
        environment.insert(QStringLiteral("DISPLAY"), display);
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    process.setProcessEnvironment(environment);
    QStringList line = under;
    if (!canPrint)
        line << QStringLiteral("sh") << QStringLiteral("-c") << QStringLiteral(R"(exec "$0" "$@" 1</dev/null)");
    line << qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth") << words;
    process.start(line.takeFirst(), line);
    if (!process.waitForFinished(slow))
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

/// A command line as it is typed, without quotes.
inline QStringList wordsOf(const QString &line) {
    return line.split(QLatin1Char(' '));
}

/// Test data: a line that the program refuses, with the exit status and a part of what it says.
inline void addRefusalColumns() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
}
inline void addRefusal(const char *name, const char *line, int status, const char *says) {
    QTest::newRow(name) << QString::fromLatin1(line) << status << QString::fromLatin1(says);
}
/// Refuses the row's line as it says, and prints nothing else.
inline void checkRefusal() {
    QFETCH(QString, words);
    QFETCH(int, status);
    QFETCH(QString, says);
    const Outcome outcome = runHearth(wordsOf(words));
    QCOMPARE(outcome.status, status);
    QVERIFY2(outcome.errors.contains(says), qPrintable(outcome.errors));
    QVERIFY2(outcome.output.isEmpty(), qPrintable(outcome.output));
}

}  // namespace hearth::test
