// The networks that a job can train, by family, with what they take.
#pragma once

#include <QMap>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/job_estimate.h"
#include "ui/job/model_reader.h"

class QButtonGroup;
class QGridLayout;
class QLabel;
class QRadioButton;

namespace hearth {

class BackgroundTask;
class HomeSource;
class JobDraft;

/// Descriptions are read and times estimated in threads, again when what they rest on has changed; files are looked at
/// when the page is shown. A network is a radio button called "model-<name>" with labels "modelParameters-<name>",
/// "modelAll-<name>", "modelLora-<name>" and "modelHead-<name>". GUI thread; the arguments must outlive it.
class ModelList : public QWidget {
    Q_OBJECT
  public:
    ModelList(JobDraft &draft, const HomeSource &home, QWidget *parent = nullptr);
    ~ModelList() override;
    void reload();
    /// As it was read last; null where it was not, or is none. Valid until the event loop is entered again.
    const Model *modelOf(const QString &name) const;
    /// Of the model that is chosen; null where it is not read yet.
    const ModelFacts *chosenFacts() const;
    /// Another number whenever the chosen model was read.
    int readings() const { return m_readings; }
    /// What a worker of this computer takes to start.
    qint64 runtimeBytes() const { return m_alone.runtime.value_or(usualRuntimeBytes); }
    bool knowsRuntime() const { return m_alone.runtime.has_value(); }
    /// Of what is trained of the chosen model, on this computer alone; nothing where it was not measured.
    const std::optional<JobEstimate> &estimated() const { return ofChosen().estimate; }
    /// What the job trains of the chosen model, as its adapters and frozen tensors say; nothing while nobody knows.
    struct Trained {
        qint64 parameters = 0;
        TrainingMemory memory;
    };
    const std::optional<Trained> &trained() const { return ofChosen().trained; }
    /// Why the chosen model cannot be trained so.
    const std::optional<Error> &refusal() const { return ofChosen().refusal; }

  Q_SIGNALS:
    /// What is known of the chosen model is there, or is new.
    void loaded();

  private:
    struct Row {
        QString base;  // without options
        QRadioButton *choice = nullptr;
        QLabel *parameters = nullptr, *all = nullptr, *lora = nullptr, *head = nullptr;
    };
    struct Group {
        QString title, what;
        QStringList bases;
        bool operator==(const Group &) const = default;
    };
    /// What a round on this computer alone is estimated from.
    struct Question {
        QString stateDir;
        std::optional<DeviceInfo> self;
        Job job;  // without what tells nothing about cost
        bool operator==(const Question &) const = default;
    };
    struct Alone {
        Job job;
        std::optional<qint64> runtime;  // what a worker took to start, where that was measured
        std::optional<Trained> trained;
        std::optional<Error> refusal;
        std::optional<JobEstimate> estimate;
    };
    /// What m_alone says, where it is of the network that is chosen by now.
    const Alone &ofChosen() const;
    void follow();
    void read();
    QString nameOf(const QString &base) const;
    std::vector<Group> groups() const;
    void rebuild();
    void addHeader();
    int addGroup(const Group &group, int row);
    int addRow(const QString &base, int row);
    void refresh();
    void refreshRow(const Row &row);
    void estimate();
    Question question() const;

    JobDraft &m_draft;
    const HomeSource &m_home;
    ModelReader m_reader;
    QButtonGroup *m_group;
    std::vector<Group> m_groups;
    std::vector<Row> m_rows;
    QMap<QString, QString> m_variants;  // by base: the name with options that it was chosen by last
    int m_readings = 0;
    Question m_asked;
    Alone m_alone;
    std::unique_ptr<BackgroundTask> m_estimating;
    bool m_again = false;  // something was asked for meanwhile
};

}  // namespace hearth
