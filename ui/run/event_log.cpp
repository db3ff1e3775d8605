#include "ui/run/event_log.h"

#include <algorithm>
#include <set>

#include "ui/run/event_sentences.h"

namespace hearth {

void EventLog::clear() {
    m_sentences.clear();
    m_routineRow.reset();
    m_forgotten = 0;
    m_marks.clear();
}

QString EventLog::lastNews() const {
    const auto last = std::find_if(m_sentences.rbegin(), m_sentences.rend(),
                                   [](const EventSentence &sentence) { return !sentence.folds; });
    return last == m_sentences.rend() ? QString() : last->text;
}

void EventLog::tell(const EventSentence &sentence) {
    if (sentence.folds && m_routineRow) {
        m_sentences[*m_routineRow].text = sentence.text;
        Q_EMIT sentenceChanged(static_cast<int>(*m_routineRow));
        return;
    }
    if (m_sentences.size() == 2 * keptSentences)
        forgetSentences();
    if (sentence.folds)
        m_routineRow = m_sentences.size();
    m_sentences.push_back(sentence);
    Q_EMIT sentenceAdded();
}

/// The oldest ones make room, and the first that is left gives its row to a word about them.
void EventLog::forgetSentences() {
    const std::size_t rows = m_sentences.size() - keptSentences;
    // The word before was no sentence of the run.
    m_forgotten += static_cast<int>(rows) + (m_forgotten == 0 ? 1 : 0);
    Q_EMIT sentencesLeaving(static_cast<int>(rows));
    m_sentences.erase(m_sentences.begin(), m_sentences.begin() + static_cast<std::ptrdiff_t>(rows));
    if (m_routineRow)
        m_routineRow = *m_routineRow > rows ? std::optional(*m_routineRow - rows) : std::nullopt;
    Q_EMIT sentencesLeft();
    m_sentences.front() = earlierSentence(m_sentences.front(), m_forgotten);
    Q_EMIT sentenceChanged(0);
}

/// Further back one mark of each tone stays of what lies too close together to be seen apart.
void EventLog::mark(EventMark mark) {
    // More than one in each of so many pieces of the time cannot be seen of the whole run.
    constexpr double pieces = 512;
    m_marks.push_back(std::move(mark));
    if (m_marks.size() < 2 * keptMarks)
        return;
    const auto older = m_marks.begin() + keptMarks;
    const double piece = std::max(older->t, 1.0) / pieces;
    std::set<std::pair<qint64, Tone>> seen;
    const auto end = std::remove_if(m_marks.begin(), older, [&](const EventMark &one) {
        return !seen.insert({static_cast<qint64>(one.t / piece), one.tone}).second;
    });
    m_marks.erase(end, older);
    Q_EMIT marksThinned();
}

}  // namespace hearth
