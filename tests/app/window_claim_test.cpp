// One window per home: who comes second, at once or after an accident.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <QEventLoop>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

#include "app/window_claim.h"

using namespace hearth;

namespace {
// A machine under load answers late; only the test of one that hangs waits for it.
constexpr std::chrono::minutes patience{1};
}  // namespace

class WindowClaimTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    /// As another program would: without an event loop of ours.
    std::unique_ptr<QThread> startAgain(std::atomic<int> &answer) const {
        answer = -1;
        std::unique_ptr<QThread> other(QThread::create([folder = m_folder->path(), &answer] {
            WindowClaim claim(folder, patience);
            answer = claim.take() ? 1 : 0;
        }));
        other->start();
        return other;
    }

  private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { qunsetenv("XDG_ACTIVATION_TOKEN"); }

    void aSecondStartBringsTheFirstWindowToTheFront() {
        qputenv("XDG_ACTIVATION_TOKEN", "a-token");
        WindowClaim first(m_folder->path());
        const QSignalSpy wanted(&first, &WindowClaim::windowWanted);
        QVERIFY(first.take());
        for (int again = 1; again <= 2; ++again) {
            std::atomic<int> answer;
            const auto other = startAgain(answer);
            QTRY_VERIFY_WITH_TIMEOUT(answer >= 0, 60'000);
            QVERIFY(other->wait());
            QCOMPARE(answer.load(), 0);
            QCOMPARE(wanted.size(), again);
            QCOMPARE(wanted.last().first().toByteArray(), QByteArray("a-token"));
        }
    }

    void whoeverComesAfterItsEndIsTheFirst() {
        {
            WindowClaim first(m_folder->path());
            QVERIFY(first.take());
        }
        WindowClaim second(m_folder->path());
        QVERIFY(second.take());
        // A program on its way out answers nobody any more.
        second.release();
        WindowClaim third(m_folder->path());
        QVERIFY(third.take());
    }

    void anotherHomeHasAWindowOfItsOwn() {
        const QTemporaryDir elsewhere;
        WindowClaim first(m_folder->path()), second(elsewhere.path());
        QVERIFY(first.take());
        QVERIFY(second.take());
    }

    void whatAKilledProgramLeavesBehindIsNoWindow() {
        const QByteArray path = QFile::encodeName(m_folder->filePath(QStringLiteral("window.sock")));
        sockaddr_un name{};
        name.sun_family = AF_UNIX;
        QVERIFY(static_cast<std::size_t>(path.size()) < sizeof name.sun_path);
        std::memcpy(name.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
        const int dead = ::socket(AF_UNIX, SOCK_STREAM, 0);
        QCOMPARE(::bind(dead, reinterpret_cast<const sockaddr *>(&name), sizeof name), 0);
        ::close(dead);
        WindowClaim first(m_folder->path());
        const QSignalSpy wanted(&first, &WindowClaim::windowWanted);
        QVERIFY(first.take());
        std::atomic<int> answer;
        const auto other = startAgain(answer);
        QTRY_VERIFY_WITH_TIMEOUT(answer >= 0, 60'000);
        QVERIFY(other->wait());
        QCOMPARE(answer.load(), 0);
        QCOMPARE(wanted.size(), 1);
    }

    void aWindowThatHangsDoesNotKeepOthersFromOpening() {
        WindowClaim first(m_folder->path());
        QVERIFY(first.take());
        // Its event loop does not run.
        WindowClaim second(m_folder->path(), std::chrono::milliseconds(50));
        QVERIFY(second.take());
    }

    void aFolderThatCannotBeUsedIsNoReasonToStayShut() {
        WindowClaim claim(QStringLiteral("/proc/no-such-folder"));
        QVERIFY(claim.take());
    }

    void ofSeveralThatStartAtOnceOneIsTheFirst() {
        std::atomic<int> firsts{0}, decided{0};
        constexpr int programs = 6;
        std::vector<std::unique_ptr<QThread>> threads;
        for (int i = 0; i < programs; ++i) {
            threads.emplace_back(QThread::create([&, folder = m_folder->path()] {
                WindowClaim claim(folder, patience);
                const bool first = claim.take();
                firsts += first ? 1 : 0;
                ++decided;
                QEventLoop loop;
                QTimer look;
                connect(&look, &QTimer::timeout, &loop, [&] {
                    if (decided == programs)
                        loop.quit();
                });
                look.start(1);
                if (first)
                    loop.exec();
            }));
        }
        for (const auto &thread : threads)
            thread->start();
        for (const auto &thread : threads)
            QVERIFY(thread->wait());
        QCOMPARE(firsts.load(), 1);
    }
};

QTEST_GUILESS_MAIN(WindowClaimTest)
#include "window_claim_test.moc"
