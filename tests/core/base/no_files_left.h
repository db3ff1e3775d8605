// A process that has no file descriptors left.
#pragma once

#include <sys/resource.h>
#include <unistd.h>
#include <QDebug>
#include <QTest>

#include "tests/core/base/patience.h"

namespace hearth {

/// This process can open nothing meanwhile.
class NoFilesLeft {
  public:
    NoFilesLeft() {
        // UBSan needs a file to judge the first object of a class that it meets: those of the log come first.
        QString log;
        QDebug(&log) << 0;
        if (::getrlimit(RLIMIT_NOFILE, &m_before) != 0)
            qFatal("getrlimit");
        const int lowestFree = ::dup(STDERR_FILENO);
        ::close(lowestFree);
        rlimit none = m_before;
        none.rlim_cur = static_cast<rlim_t>(lowestFree);
        if (::setrlimit(RLIMIT_NOFILE, &none) != 0)
            qFatal("setrlimit");
    }
    ~NoFilesLeft() { ::setrlimit(RLIMIT_NOFILE, &m_before); }
    Q_DISABLE_COPY_MOVE(NoFilesLeft)

  private:
    rlimit m_before{};
};

/// Whether the log says meanwhile that a connection could not be taken.
inline bool isToldThatNoneIsTaken() {
    static int told = 0;
    told = 0;
    const QtMessageHandler before =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &message) {
            told += message.contains(QLatin1String("no connection can be taken now"), Qt::CaseInsensitive) ? 1 : 0;
        });
    const bool isTold = QTest::qWaitFor([] { return told > 0; }, patience);
    qInstallMessageHandler(before);
    return isTold;
}

}  // namespace hearth
