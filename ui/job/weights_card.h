// The saved weights that training begins with, where somebody chose some.
#pragma once

#include <optional>

#include "core/base/error.h"
#include "ui/base/start_weights.h"
#include "ui/job/job_card.h"

class QCheckBox;
class QLabel;
class QRadioButton;

namespace hearth {

/// Holds the choice, which no file of a job does; hidden where there is none ("startWeights"). "startWeightsLast",
/// "startWeightsBest" and "startWeightsPartial" change it, "startWeightsRemove" takes it back. GUI thread.
class WeightsCard : public JobCard {
    Q_OBJECT
  public:
    explicit WeightsCard(QWidget *parent = nullptr);

    const std::optional<StartWeights> &weights() const { return m_weights; }
    void setWeights(const std::optional<StartWeights> &weights);
    /// Why no run can begin with what was chosen; nothing where one can. Looks for the file.
    std::optional<Error> refusal() const;
    /// The sentence of what training starts from; empty where nothing was chosen.
    QString told() const;
    /// Of what was chosen, takes only those that fit.
    void takePartly();

  Q_SIGNALS:
    void changed();

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    QRadioButton *addChoice(RunWeights which, const QString &name, const QString &text);
    void refresh();

    std::optional<StartWeights> m_weights;
    QLabel *m_run;
    QRadioButton *m_last, *m_best;
    QCheckBox *m_partial;
    QLabel *m_wrong;
};

}  // namespace hearth
