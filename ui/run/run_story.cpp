#include "ui/run/run_story.h"

#include <QElapsedTimer>

namespace hearth {

namespace {
// Half of what a frame may take.
constexpr qint64 pieceMilliseconds = 8;
}  // namespace

RunStory::RunStory(QObject *parent) : QObject(parent) {
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &RunStory::tellSome);
}

void RunStory::clear() {
    m_timer.stop();
    m_left.clear();
    m_id.clear();
    m_told = 0;
    m_run.clear();
}

void RunStory::tell(const RunDetails &details, bool over) {
    // The same run, and more of it: the list goes on where it is.
    if (details.summary.folder != m_id || details.summary.lastSeq < m_told)
        clear();
    m_id = details.summary.folder;
    m_over = over;
    m_left.clear();
    for (const RunEvent &one : details.events) {
        if (one.seq > m_told)
            m_left.push_back(one);
    }
    m_timer.start();
    tellSome();
}

void RunStory::tellSome() {
    QElapsedTimer clock;
    clock.start();
    while (!m_left.empty() && clock.elapsed() < pieceMilliseconds) {
        m_told = m_left.front().seq;
        m_run.add(m_left.front());
        m_left.pop_front();
    }
    if (!m_left.empty())
        return;
    m_timer.stop();
    if (m_over)
        m_run.end();
}

}  // namespace hearth
