// How much of the network a job trains, and what that takes.
#pragma once

#include <QMap>
#include <QStringList>
#include <QWidget>
#include <array>
#include <optional>

#include "ui/job/model_facts.h"

class QButtonGroup;
class QGridLayout;
class QLabel;
class QLineEdit;
class QRadioButton;

namespace hearth {

class JobDraft;
class ModelList;

/// Radio buttons "trainedAll", "trainedLora", "trainedBottleneck" and "trainedHead" with the parameters that are
/// trained ("trainedAllParameters") and what one device needs at least ("trainedAllMemory"), and under them the fields
/// of the chosen one. Lists of patterns that a line cannot say are shown as the file has them, and kept. GUI thread;
/// the arguments must outlive it.
class TrainedPartEdit : public QWidget {
    Q_OBJECT
  public:
    TrainedPartEdit(JobDraft &draft, const ModelList &models, QWidget *parent = nullptr);

  private:
    struct Row {
        QRadioButton *choice = nullptr;
        QLabel *parameters = nullptr, *memory = nullptr;
    };
    /// A list of patterns in one line.
    struct Patterns {
        QLabel *caption = nullptr;
        QString words;
        QLineEdit *edit = nullptr;
    };
    struct Settings {
        std::optional<AdapterSpec> adapters;
        QStringList freeze;
    };
    void addRows();
    Patterns addPatterns(const QString &name, const QString &words);
    void choose(TrainedPart part);
    void take();
    void followModel();
    void refresh();
    void refreshRow(TrainedPart part);
    void refreshPatterns(const Patterns &patterns, const QStringList &list, bool used, const QString &usual);
    void refreshNote();

    JobDraft &m_draft;
    const ModelList &m_models;
    QGridLayout *m_table;
    QButtonGroup *m_group;
    std::array<Row, trainedParts.size()> m_rows;
    Patterns m_targets, m_freeze;
    QLabel *m_note;
    QString m_model;                       // that the following is of
    QMap<TrainedPart, Settings> m_before;  // what was written for parts that are not chosen now
    std::optional<QStringList> m_usual;    // what is frozen where the head alone is trained, once that is known
};

}  // namespace hearth
