// What a person is told of a run, in order: sentences, and marks in its plots.
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

namespace hearth {

enum class Tone { Plain, Good, Slow, Bad };

/// One entry of the event list: an event a person should know of, as a sentence.
struct EventSentence {
    quint64 seq = 0;
    double t = 0;  // seconds of the run
    QString text;
    Tone tone = Tone::Plain;
    bool folds = false;  // routine: one entry tells all of its kind, and is rewritten as more come
};

/// A vertical mark in the plots, and its short label.
struct EventMark {
    double t = 0;  // seconds of the run
    QString label;
    Tone tone = Tone::Plain;
    bool minor = false;  // routine: a tick without a label
};

/// Holds the newest of each in bounded memory: so many are kept at least and never more than twice as many. Filled by a
/// RunModel. GUI thread.
class EventLog : public QObject {
    Q_OBJECT
  public:
    static constexpr std::size_t keptSentences = 2000;
    static constexpr std::size_t keptMarks = 4096;

    using QObject::QObject;

    /// The newest. Where older ones were forgotten the first one says so.
    const std::vector<EventSentence> &sentences() const { return m_sentences; }
    /// The newest sentence that is no routine; empty before the first.
    QString lastNews() const;
    /// No minor ones; of long ago as many as can be told apart.
    const std::vector<EventMark> &marks() const { return m_marks; }

    void clear();
    void tell(const EventSentence &sentence);
    void mark(EventMark mark);
    /// The next routine sentence is an entry of its own.
    void endRoutine() { m_routineRow.reset(); }

  Q_SIGNALS:
    void sentenceAdded();
    /// A sentence was rewritten.
    void sentenceChanged(int row);
    /// The first `rows` are about to go; then they are gone.
    void sentencesLeaving(int rows);
    void sentencesLeft();
    /// Marks of long ago were taken out.
    void marksThinned();

  private:
    void forgetSentences();

    std::vector<EventSentence> m_sentences;
    std::optional<std::size_t> m_routineRow;
    int m_forgotten = 0;
    std::vector<EventMark> m_marks;
};

}  // namespace hearth
