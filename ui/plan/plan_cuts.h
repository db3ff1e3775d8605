// How what crosses each cut of a plan is written, what that saves, and what it may cost.
#pragma once

#include <QFrame>
#include <vector>

#include "ui/plan/search_button.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace hearth {

class PlanDraft;
class RunModel;
struct CutCodec;

/// A row for each cut, with a choice for activations ("planCut1Forward") and one for their gradients
/// ("planCut1Backward"), and above them one for all cuts at once ("planAllCuts"). Where the planner found that
/// compressing would pay, "planCompress" plans with it, or cancels that.
class PlanCuts : public QFrame {
    Q_OBJECT
  public:
    PlanCuts(PlanDraft &draft, const RunModel &run, QWidget *parent = nullptr);
    void refresh();
    /// Nobody wants what is being searched for any more.
    void cancelSearch();

  private:
    struct Row {
        QLabel *name;
        QComboBox *forward;
        QComboBox *backward;
        QLabel *what;
    };
    QComboBox *makeLevels(const QString &objectName, const QString &accessibleName);
    void build(int cuts);
    void chosen(int cut);
    void chosenForAll();
    void compress();
    void refreshRow(int cut);
    void refreshOffer();
    QString describe(int cut) const;

    PlanDraft &m_draft;
    const RunModel &m_run;
    QLabel *m_offer, *m_more;
    QPushButton *m_compress;
    QWidget *m_allRow;
    QComboBox *m_all;
    QGridLayout *m_grid;
    std::vector<Row> m_rows;
    int m_cuts = 0;
    SearchButton m_search;
};

}  // namespace hearth
