// The job as it is being written: texts, what is wrong with them, and what is not saved.
#pragma once

#include <QLocale>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/run/job.h"
#include "ui/job/job_numbers.h"
#include "ui/job/kept_job.h"

namespace hearth {

/// Presenter of the Job page. Numbers are texts in the language of the window; `job()` is the last job that was valid.
/// GUI thread.
class JobDraft : public QObject {
    Q_OBJECT
  public:
    explicit JobDraft(QObject *parent = nullptr);

    const Job &job() const { return m_job; }
    bool isValid() const { return m_reasons.isEmpty() && !m_refusal; }
    /// Why the job is none, where each of its numbers can be used: choices contradict each other.
    const std::optional<Error> &refusal() const { return m_refusal; }
    /// A job from elsewhere; it counts as saved where `path` names its file.
    void setJob(const Job &job, const QString &path = {});

    QString text(JobField field) const { return m_texts.value(field); }
    void setText(JobField field, const QString &text);
    /// What is wrong with it; empty where nothing is.
    QString reason(JobField field) const { return m_reasons.value(field); }
    /// Another value than the saved job has.
    bool isChanged(JobField field) const;
    /// Fields of another optimizer or schedule, or of the other way to say how long, count for nothing.
    bool isUsed(JobField field) const;

    void setModel(const QString &nameOrPath);
    /// Models of files that this draft had, without options, the newest first.
    const QStringList &openedModels() const { return m_openedModels; }
    void setOpenedModels(const QStringList &paths);
    /// What lay at the one path lies at the other.
    void moveModel(const QString &from, const QString &to);
    /// What is trained of the model. Numbers of adapters stay as they are written.
    void setTrained(const std::optional<AdapterSpec> &adapters, const QStringList &freeze);
    /// Of the job's input, what was made for other data is dropped.
    void setData(const QString &nameOrPath);
    /// Something was, since the job was opened or saved.
    bool hasDroppedBorder() const { return m_hasDroppedBorder; }
    /// To what there is; as many as a job may join.
    void addData(const QString &nameOrPath);
    /// Takes over what fittedTo() changes.
    void fitTo(const Job &fitted);
    void setOptimizer(OptimizerSpec::Kind kind);
    void setNesterov(bool nesterov);
    void setScaleParameter(bool scale);
    void setRelativeStep(bool relative);
    void setSchedule(RateSchedule::Kind kind);
    void setCodec(CodecChoice codec);
    void setGradientCodec(const Codec &codec);
    void setPrecision(Precision precision);
    void setByEpochs(bool byEpochs);
    void setShuffle(bool shuffle);
    void setFit(std::optional<PictureFit> fit);
    void setAugmentation(const Augmentation &augmentation);
    void setBestBy(BestBy by);
    void setKeepBest(bool keep);
    /// Choices, valid or not the rest.
    const Job &choices() const { return m_choices; }
    /// With every number that can be used; those that cannot are as they were.
    const Job &written() const { return m_written; }
    bool byEpochs() const { return m_choices.epochs.has_value(); }

    const QString &path() const { return m_path; }
    bool hasUnsavedChanges() const;
    bool isCopy() const { return m_copy; }
    /// A copy in which nothing was changed: whoever leaves it loses nothing.
    bool isUntouchedCopy() const { return m_copy && isValid() && m_job == m_saved; }
    /// As it stands, whatever is wrong in it, for the next start.
    KeptJob kept() const;
    /// From an earlier start: the job of this file, and what was changed of it and not saved. A file that is gone, or
    /// damaged, is the error, and counts as none.
    Result<void> resume(const QString &path, const std::optional<KeptJob> &unsaved);
    /// All that stands in another draft, what is wrong in it as well; numbers are written as this one's language does.
    void takeOver(const JobDraft &before);
    /// The same job under no name yet.
    void duplicate();
    Result<void> open(const QString &path);
    /// Refused while it is not valid.
    Result<void> save(const QString &path);

  Q_SIGNALS:
    void changed();

  private:
    void fill(const Job &job);
    void read();
    void noteModel();

    QMap<JobField, QString> m_texts;
    QMap<JobField, QString> m_reasons;  // of those that are wrong
    std::optional<Error> m_refusal;
    QMap<JobField, QString> m_savedTexts;
    Job m_job;
    Job m_choices;  // model, data, kinds
    Job m_written;
    Job m_saved;
    QStringList m_openedModels;
    QString m_path;
    bool m_copy = false, m_hasDroppedBorder = false;
    QLocale m_locale;  // that numbers are written in
};

}  // namespace hearth
