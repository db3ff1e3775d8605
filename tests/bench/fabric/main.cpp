// One AllReduce of MobileNetV2's gradients among two and three members in one process, over loopback: built-in, over
// mutual TLS, as they are and rounded to 8 bits, and LibTorch's Gloo, over plain TCP. Seconds until the last member has
// the sum and processor seconds of all members together, medians of interleaved repeats. Usage: fabric [REPEATS
// [ELEMENTS]]
#include <sys/resource.h>

#include <QCoreApplication>
#include <QThread>
#include <barrier>
#include <chrono>
#include <cstdio>

#include "core/base/block_codecs.h"
#include "core/base/median.h"
#include "core/train/memory.h"
#include "tests/bench/fabric/member.h"

using namespace hearth;

namespace {

constexpr int warmUps = 2;

double processorSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Times {
    std::vector<double> wall, processor;
};

/// The members' threads and this one meet before and after every AllReduce.
class Group {
  public:
    Group(int members, qint64 elements, int repeats)
        : m_members(members), m_elements(elements), m_repeats(repeats), m_meeting(members + 1) {}

    void run(Times &builtIn, Times &rounded, Times &gloo) {
        for (int i = 0; i < m_members; ++i)
            m_list.push_back(
                std::make_unique<Member>(i, m_members, m_elements, [this, i](const Rendezvous::Entry &entry) {
                    for (int other = 0; other < m_members; ++other) {
                        if (other != i)
                            m_list[static_cast<std::size_t>(other)]->learn(entry);
                    }
                }));
        m_addresses.resize(static_cast<std::size_t>(m_members));
        std::vector<std::unique_ptr<QThread>> threads;  // channels need Qt's event loops
        for (int i = 0; i < m_members; ++i) {
            threads.emplace_back(QThread::create([this, i] { serve(static_cast<std::size_t>(i)); }));
            threads.back()->start();
        }
        m_meeting.arrive_and_wait();  // all listen
        m_meeting.arrive_and_wait();  // all are connected
        for (int repeat = 0; repeat < m_repeats + warmUps; ++repeat) {
            measure(builtIn);
            measure(rounded);
            measure(gloo);
        }
        for (const auto &thread : threads)
            thread->wait();
        for (Times *times : {&builtIn, &rounded, &gloo}) {
            times->wall.erase(times->wall.begin(), times->wall.begin() + warmUps);
            times->processor.erase(times->processor.begin(), times->processor.begin() + warmUps);
        }
    }

  private:
    void measure(Times &times) {
        m_meeting.arrive_and_wait();  // all are filled
        const double processor = processorSeconds();
        const auto start = std::chrono::steady_clock::now();
        m_meeting.arrive_and_wait();
        m_meeting.arrive_and_wait();
        times.wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        times.processor.push_back(processorSeconds() - processor);
        m_meeting.arrive_and_wait();  // all have checked
    }

    void serve(std::size_t self) {
        Member &member = *m_list[self];
        m_addresses[self] = member.listen();
        m_meeting.arrive_and_wait();
        if (!member.connectLinks(m_addresses))
            qFatal("The members could not connect.");
        if (const auto connected = member.connectGloo(); !connected)
            qFatal("%s", qPrintable(connected.error().toString()));
        m_meeting.arrive_and_wait();
        for (int turn = 0; turn < 3 * (m_repeats + warmUps); ++turn) {
            member.fill();
            m_meeting.arrive_and_wait();
            m_meeting.arrive_and_wait();
            if (turn % 3 < 2)
                member.sumBuiltIn(turn % 3 == 0 ? noCodec() : bfp8Codec);
            else if (const auto summed = member.sumOverGloo(); !summed)
                qFatal("%s", qPrintable(summed.error().toString()));
            m_meeting.arrive_and_wait();
            if (!member.isSummed(turn % 3 == 1 ? 0.02F : 0))
                qFatal("Member %d has another sum.", static_cast<int>(self));
            m_meeting.arrive_and_wait();
        }
        m_list[self].reset();  // in its own thread
    }

    int m_members;
    qint64 m_elements;
    int m_repeats;
    std::barrier<> m_meeting;
    std::vector<std::unique_ptr<Member>> m_list;
    std::vector<Member::Address> m_addresses;
};

}  // namespace

int main(int argc, char **argv) {
    const QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    constexpr qint64 mobileNet = 2'236'682;  // its trainable parameters for ten classes
    const int repeats = words.size() > 1 ? words[1].toInt() : 21;
    const qint64 elements = words.size() > 2 ? words[2].toLongLong() : mobileNet;
    if (repeats < 1 || elements < 1) {
        std::fprintf(stderr, "Usage: fabric [REPEATS [ELEMENTS]]\n");
        return 2;
    }
    if (const auto gloo = makeFabricBackend(QStringLiteral("gloo")); !gloo) {
        std::fprintf(stderr, "%s\n", qPrintable(gloo.error().toString()));
        return 1;
    }
    installTensorMemory();
    std::printf(
        "One AllReduce of %.1f MB of float32 on loopback, medians of %d.\n"
        "members | built-in ms | rounded ms | built-in / rounded | Gloo ms | built-in / Gloo | built-in CPU ms | rounded "
        "CPU ms | Gloo CPU ms\n",
        static_cast<double>(elements) * 4e-6, repeats);
    for (const int members : {2, 3}) {
        Times builtIn, rounded, gloo;
        Group(members, elements, repeats).run(builtIn, rounded, gloo);
        const double exact = medianOf(builtIn.wall), less = medianOf(rounded.wall), other = medianOf(gloo.wall);
        std::printf("%7d | %11.2f | %10.2f | %18.2f | %7.2f | %15.2f | %15.2f | %14.2f | %11.2f\n", members,
                    exact * 1e3, less * 1e3, exact / less, other * 1e3, exact / other,
                    medianOf(builtIn.processor) * 1e3, medianOf(rounded.processor) * 1e3,
                    medianOf(gloo.processor) * 1e3);
        std::fflush(stdout);
    }
    return 0;
}
