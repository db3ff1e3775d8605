// What History shows of the chosen run, or of several: facts, curves, events.
#pragma once

#include <QFrame>

#include "ui/run/run_facts.h"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace hearth {

class CompareTable;
class EventListView;
class FactsView;
class MistakesView;
class RunCurvesView;
class RunStory;

/// GUI thread.
class HistoryDetails : public QFrame {
    Q_OBJECT
  public:
    explicit HistoryDetails(QWidget *parent = nullptr);

    /// Nothing, with what to do to see something.
    void showHint(const QString &hint);
    /// `over`: the run gets no more events.
    void showRun(const ShownRun &run, bool over);
    /// Both laid over each other, and what cannot be compared.
    void showComparison(const ShownRun &a, const ShownRun &b);
    /// Three or more: a table, and one large plot.
    void showMany(const std::vector<ShownRun> &runs);
    /// The curves that are shown; nullptr where there are none.
    const RunCurvesView *curves() const;

  private:
    void showPart(QWidget *part);
    void showCurvesOnly(const std::vector<RunDetails> &runs);

    QLabel *m_hint;
    QWidget *m_body;
    QStackedWidget *m_views;
    QStackedWidget *m_left;
    FactsView *m_facts;
    CompareTable *m_table;
    QPushButton *m_showCurves;
    QPushButton *m_showMistakes;
    QPushButton *m_showEvents;
    QLabel *m_leftOut;
    QStackedWidget *m_parts;
    RunCurvesView *m_curves;
    MistakesView *m_mistakes;
    QWidget *m_events;
    RunStory *m_story;
};

}  // namespace hearth
