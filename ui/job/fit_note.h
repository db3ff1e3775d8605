// What does not fit of a job's network and its data, and the button that makes it fit.
#pragma once

#include <QWidget>
#include <optional>

#include "core/run/job_fit.h"

class QLabel;
class QPushButton;

namespace hearth {

class JobDraft;
class ModelList;
class SampleSheet;
class WeightsCard;

/// The sentence ("jobFit"), "Fit to these data" ("jobFitData"), whose tool tip says what it will change, and then what
/// it changed ("jobFitted"). GUI thread; the arguments must outlive it.
class FitNote : public QWidget {
    Q_OBJECT
  public:
    FitNote(JobDraft &draft, const ModelList &models, const SampleSheet &samples, WeightsCard &weights,
            QWidget *parent = nullptr);
    /// Nothing where the two fit, or nobody knows yet.
    std::optional<Error> misfit() const { return m_misfit ? std::optional(m_misfit->error) : std::nullopt; }
    /// Of the draft, a model or data something else is known.
    void refresh();

  private:
    void fit();
    /// Whether chosen weights are those of the network before, and fit the new one in part.
    bool changesNetwork(const FittedJob &fitted) const;
    QString changesOf(const FittedJob &fitted) const;
    /// What a misfit depends on.
    struct Asked {
        Job job;          // without the rest
        int reading = 0;  // of the model
        DataShape shape;
        bool operator==(const Asked &) const = default;
    };

    JobDraft &m_draft;
    const ModelList &m_models;
    const SampleSheet &m_samples;
    WeightsCard &m_weights;
    QLabel *m_why, *m_told;
    QPushButton *m_fit;
    std::optional<Asked> m_asked;
    std::optional<Misfit> m_found;   // of what was asked last
    std::optional<Misfit> m_misfit;  // as far as it is known
    std::optional<Job> m_fitted;     // by the button, last
};

}  // namespace hearth
