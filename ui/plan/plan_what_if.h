// Small questions about the plan: what if this device left, what if this link were faster.
#pragma once

#include <QFrame>
#include <optional>

#include "ui/plan/search_button.h"

class QLabel;
class QMenu;
class QPushButton;

namespace hearth {

class PlanDraft;

/// The button "planAsk" offers the questions ("planQuestions", a menu), and cancels one that is being answered;
/// "planAnswer" answers in a sentence, which stands until the plan is another one. A device that leaves is answered by
/// the planner's plan without it beside the best one with it, a faster link by the same plan over it; both by the
/// simulator, in a thread of their own.
class PlanWhatIf : public QFrame {
    Q_OBJECT
  public:
    explicit PlanWhatIf(PlanDraft &draft, QWidget *parent = nullptr);
    void refresh();
    /// The home that was asked about is another one.
    void forget();

  private:
    struct Link {
        QString one, other;
        double bytesPerSecond = 0;  // that it would have
    };
    std::vector<Link> links() const;
    void fillMenu();
    void askWithout(const QString &device);
    void askLink(const Link &link);
    void ask(const QString &waiting, const BackgroundPlan::Search &search,
             const std::function<QString(const Result<Plan> &)> &say);

    PlanDraft &m_draft;
    QPushButton *m_ask;
    QMenu *m_menu;
    QLabel *m_answer;
    std::optional<Plan> m_asked;  // about this plan; nothing where no question was asked
    SearchButton m_search;
};

}  // namespace hearth
