// What the parts of the window's benchmark share: percentiles, memory, and how long the GUI thread was busy.
#pragma once

#include <time.h>
#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

namespace hearth::bench {

inline double millisecondsOf(const std::function<void()> &work) {
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

struct Percentiles {
    double median = 0, p99 = 0, most = 0;
};

inline Percentiles percentiles(std::vector<double> samples) {
    if (samples.empty())
        return {};
    std::sort(samples.begin(), samples.end());
    return {samples[samples.size() / 2], samples[samples.size() * 99 / 100], samples.back()};
}

/// Processor time of this thread in milliseconds: what a quiet machine would need, however busy this one is.
inline double threadMilliseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// What something took, again and again: by the clock, and of the processor.
class Samples {
  public:
    double add(const std::function<void()> &work) {
        const double before = threadMilliseconds();
        const double wall = millisecondsOf(work);
        push(wall, threadMilliseconds() - before);
        return wall;
    }
    void push(double wall, double processor) {
        m_wall.push_back(wall);
        m_processor.push_back(processor);
    }
    void append(const Samples &other) {
        m_wall.insert(m_wall.end(), other.m_wall.begin(), other.m_wall.end());
        m_processor.insert(m_processor.end(), other.m_processor.begin(), other.m_processor.end());
    }
    void clear() {
        m_wall.clear();
        m_processor.clear();
    }
    double longest() const { return percentiles(m_wall).most; }
    double longestOfProcessor() const { return percentiles(m_processor).most; }
    void print(const char *what) const {
        const Percentiles wall = percentiles(m_wall), own = percentiles(m_processor);
        std::printf("  %-58s median %7.2f  p99 %7.2f  most %7.2f ms; of the processor %7.2f %7.2f %7.2f (%zu)\n", what,
                    wall.median, wall.p99, wall.most, own.median, own.p99, own.most, m_wall.size());
        std::fflush(stdout);
    }

  private:
    std::vector<double> m_wall, m_processor;
};

/// Resident memory of this process, in MiB.
inline double residentMiB() {
    QFile status(QStringLiteral("/proc/self/statm"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    constexpr double pagesPerMiB = 256;
    return status.readAll().split(' ').at(1).toDouble() / pagesPerMiB;
}

/// Lets the event loop run.
inline void spin(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

/// An application that knows how long each event kept its thread.
class Watched : public QApplication {
  public:
    using QApplication::QApplication;
    bool notify(QObject *receiver, QEvent *event) override {
        if (m_depth > 0 || !m_watching)
            return QApplication::notify(receiver, event);
        ++m_depth;
        // Whoever receives may be gone afterwards.
        const QByteArray who = receiver->metaObject()->className();
        const int type = event->type();
        bool done = false;
        const double before = threadMilliseconds();
        const double wall = millisecondsOf([&] { done = QApplication::notify(receiver, event); });
        const double milliseconds = threadMilliseconds() - before;
        --m_depth;
        m_blocks.push(wall, milliseconds);
        if (milliseconds > m_longest) {
            m_longest = milliseconds;
            m_longestOf = who + " (event " + QByteArray::number(type) + ')';
        }
        return done;
    }
    /// The event loops that `work` spins are watched; those around it are not.
    void watch(const std::function<void()> &work) {
        m_blocks.clear();
        m_longest = 0;
        const int depth = std::exchange(m_depth, 0);
        m_watching = true;
        work();
        m_watching = false;
        m_depth = depth;
    }
    const Samples &blocks() const { return m_blocks; }
    const QByteArray &longestOf() const { return m_longestOf; }

  private:
    Samples m_blocks;
    double m_longest = 0;
    QByteArray m_longestOf;
    int m_depth = 0;
    bool m_watching = false;
};

void drag(Watched &app);
void dashboard(Watched &app);
void blocks(Watched &app);
void sheet(Watched &app);
void memory(Watched &app);
void idle(Watched &app);

}  // namespace hearth::bench
