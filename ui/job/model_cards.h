// The models that a job can train, side by side with what they take.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/model/model.h"
#include "core/run/job_estimate.h"

class QButtonGroup;
class QLabel;
class QRadioButton;
class QVBoxLayout;

namespace hearth {

class BackgroundTask;
class HomeSource;
class JobDraft;

/// Reads descriptions and stored measurements and estimates in a thread, again when the page is shown and when what the
/// estimates rest on has changed. The choice of a model is a radio button called "model-<name>", what it takes a label
/// called "modelFacts-<name>". GUI thread; the arguments must outlive it.
class ModelCards : public QWidget {
    Q_OBJECT
  public:
    ModelCards(JobDraft &draft, const HomeSource &home, QWidget *parent = nullptr);
    ~ModelCards() override;
    void reload();
    /// As it was read last; nothing where it was not, or is none. Valid until the event loop is entered again.
    const Model *modelOf(const QString &name) const;

  Q_SIGNALS:
    /// Descriptions and estimates are there, or are new.
    void loaded();

  private:
    struct Facts {
        QString name;   // as a job names it: built in, or a path
        QString error;  // why it cannot be trained; then the rest is not known
        std::optional<Model> model;
        std::vector<Sentence> notes;  // of what came from elsewhere
        qint64 leastBytes = 0;
        std::optional<JobEstimate> estimate;
        bool knowsRuntime = false;  // what a worker takes to start was measured here
    };
    /// What the facts of all models rest on.
    struct Question {
        QStringList models;
        QString stateDir;
        std::optional<DeviceInfo> self;
        Job job;  // without what tells nothing about cost
        bool operator==(const Question &) const = default;
    };
    struct Card {
        QString name;
        QRadioButton *choice;
        QLabel *facts;
    };
    void rebuild();
    void addGroup(const QString &heading, const QStringList &names);
    QWidget *makeCard(const QString &name);
    void refresh();
    Question question() const;
    static std::vector<Facts> answer(const Question &asked);
    static QString textOf(const Facts &facts);

    JobDraft &m_draft;
    const HomeSource &m_home;
    QVBoxLayout *m_list;
    QButtonGroup *m_group;
    std::vector<Card> m_cards;
    std::vector<QLabel *> m_headings;
    std::vector<Facts> m_facts;
    Question m_asked;
    QString m_ownModel;  // a file, besides those that are built in
    std::unique_ptr<BackgroundTask> m_loading;
    bool m_again = false;  // something was asked for meanwhile
};

}  // namespace hearth
