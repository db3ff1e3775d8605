// Job: what is trained, on which data, how, and how long.
#pragma once

#include "core/run/whole_job.h"
#include "ui/base/page.h"
#include "ui/job/job_draft.h"

namespace hearth {

class FitNote;
class HomeSource;
class ModelDetails;
class ModelList;
class PicturesCard;
class Questions;
class RunHistory;
class RunModel;
class SampleSheet;
class WeightsCard;
class WholeJobLines;
struct PlannedJob;
struct StartWeights;

/// Views over one JobDraft. Wrong values are marked where they stand, with the reason. A model may be dropped anywhere
/// on it, and so may a folder of pictures.
class JobPage : public Page {
    Q_OBJECT
  public:
    JobPage(const RunModel &run, const HomeSource &home, Questions &questions, QWidget *parent = nullptr);

    /// The last one in which everything was valid.
    const Job &job() const { return m_draft.job(); }
    /// It begins with new weights.
    void setJob(const Job &job);
    /// Shows a copy of the job, which begins with these. False where the user wants to keep the one that is shown.
    bool trainFurther(const Job &job, const StartWeights &weights);
    bool isValid() const { return m_draft.isValid(); }
    JobDraft &draft() { return m_draft; }
    /// What it begins with.
    WeightsCard &weights() { return *m_weights; }
    /// Follows the run of these weights to where it is: that of a demo is elsewhere once the demo has ended.
    void findWeights(const RunHistory &runs);
    /// Why a run of this job would fail, or train on what does not fit; nothing where it would not, or nobody knows
    /// yet.
    std::optional<Error> refusal() const;
    /// Why this home cannot take a run; empty where it can.
    void setWhyNotStart(const QString &why);
    /// What a run of job() counts; nothing while nobody knows.
    CountedSamples countedSamples() const;
    /// What the Plan page tells of job().
    void tell(const PlannedJob &planned);

  Q_SIGNALS:
    void startWanted();
    void validityChanged();
    /// countedSamples() may say something else.
    void samplesCounted();
    void failed(const hearth::Error &error);

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    QWidget *buildModel();
    QWidget *buildChosen();
    QWidget *buildData();
    void connectActions();
    void openJob();
    /// False where nothing was saved: the user thought better of it, or the file could not be written (`failed`).
    bool saveJob();
    /// Whether the job may be replaced: its changes are saved or discarded.
    bool settleChanges();
    void chooseModel();
    void openModel(const QString &path);
    void chooseData();
    void chooseKnownData();
    void addData(const QString &path);
    void manageData();
    static QString dataWords(const Job &job);
    void refresh();
    /// Which data the job names, and whether there are others.
    void refreshData();
    /// Those of a name may be others by now.
    void lookAtData();
    void loadSamples();
    void refreshFit();
    void refreshStart();

    const RunModel &m_run;
    Questions &m_questions;
    JobDraft m_draft;
    bool m_wasValid = true;
    QStringList m_named;  // the data that are shown
    QString m_whyNotStart;
    QPushButton *m_start, *m_open, *m_save, *m_duplicate, *m_knownData = nullptr;
    ModelList *m_models;
    ModelDetails *m_details;
    SampleSheet *m_samples;
    WeightsCard *m_weights;
    FitNote *m_fit;
    PicturesCard *m_pictures;
    WholeJobLines *m_whole;
    QLabel *m_refusal, *m_data, *m_dataNote;
};

}  // namespace hearth
