// Runs the app's program without a display and waits for its end.
#pragma once

#include <QProcess>
#include <QStringList>

namespace hearth::test {

struct Outcome {
    int status = -1;
    QString output;
    QString errors;
};

inline Outcome runHearth(const QStringList &words) {
    constexpr int slow = 60'000;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    process.setProcessEnvironment(environment);
    process.start(qEnvironmentVariable("HEARTH_BIN_DIR") + QStringLiteral("/hearth"), words);
    if (!process.waitForFinished(slow))
        return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

}  // namespace hearth::test
