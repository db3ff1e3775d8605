// The row of buttons under the layer strip: back, again, finish (or cancel that), automatic, open, save.
#pragma once

#include <QWidget>

#include "ui/plan/search_button.h"

class QPushButton;

namespace hearth {

class PlanDraft;
class Questions;

class PlanTools : public QWidget {
    Q_OBJECT
  public:
    PlanTools(PlanDraft &draft, Questions &questions, QWidget *parent = nullptr);
    void refresh();
    /// A search that is under way is for a plan that counts no more.
    void cancelSearch() { m_search.cancel(); }

  private:
    void finishRest();
    void open();
    void save();

    PlanDraft &m_draft;
    Questions &m_questions;
    QPushButton *m_undo, *m_redo, *m_finish, *m_automatic, *m_open, *m_save;
    SearchButton m_search;
};

}  // namespace hearth
