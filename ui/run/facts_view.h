// Facts about one run, or about two side by side, to scroll through.
#pragma once

#include <QScrollArea>

#include "ui/run/run_facts.h"

class QLabel;

namespace hearth {

/// What differs between two runs is strong. Facts that only change their values stay where they are. GUI thread.
class FactsView : public QScrollArea {
    Q_OBJECT
  public:
    explicit FactsView(QWidget *parent = nullptr);
    void show(const std::vector<FactSection> &sections);
    /// What is said under this label, one text per run; for tests.
    QStringList valuesOf(const QString &label) const;

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void rebuild();
    void fill();

    std::vector<FactSection> m_sections;
    std::vector<QLabel *> m_values;  // in order, all runs of a fact one after the other
    QWidget *m_body = nullptr;
};

}  // namespace hearth
