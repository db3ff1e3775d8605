// A search for a plan behind one button, which starts it and, while it runs, cancels it.
#pragma once

#include "ui/plan/background_plan.h"

class QPushButton;

namespace hearth {

class ElidedLabel;

/// GUI thread. While a search runs the button says "Cancel". Lives in the widget that the button is a part of.
class SearchButton : public QObject {
    Q_OBJECT
  public:
    /// `icon` is what the button has while nothing is searched for, if anything.
    explicit SearchButton(QPushButton *button, const QString &icon = {});
    /// A line that says `progress` while a search runs, as far as there is room. The layout that it is added to owns
    /// it.
    ElidedLabel *makeWords(const QString &progress);

    /// As BackgroundPlan has it.
    void start(PlanningProblem problem, BackgroundPlan::Search search, std::function<void(const Result<Plan> &)> done);
    void cancel();
    bool isRunning() const { return m_search.isRunning(); }

  Q_SIGNALS:
    /// The button was pressed while nothing was searched for.
    void wanted();
    /// It was pressed while a search ran, which is over.
    void cancelled();

  private:
    void refresh();

    QPushButton *m_button;
    QString m_icon;
    ElidedLabel *m_words = nullptr;
    QString m_progress;
    bool m_cancels = false;                   // what the button says
    QString m_text, m_tip, m_accessibleName;  // of the button, for when the search is over
    BackgroundPlan m_search;
};

}  // namespace hearth
