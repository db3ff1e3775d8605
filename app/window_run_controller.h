// Runs started, followed and commanded through the local agent.
#pragma once

#include <QDateTime>
#include <functional>
#include <memory>
#include <vector>

#include "app/run_order.h"
#include "core/base/background_task.h"
#include "core/history/run_history.h"
#include "core/run/files/run_folder.h"
#include "ui/base/run_controller.h"

namespace hearth {

class AgentClient;
class RecordReader;

/// `client` must outlive it. Follows one run at a time; events of others are dropped. GUI thread.
class AgentRunController : public RunController {
    Q_OBJECT
  public:
    /// `ownState`: this computer's own state folder, where History keeps its index.
    AgentRunController(AgentClient &client, const QString &ownState, QObject *parent = nullptr);
    ~AgentRunController() override;

    /// What every start in this home takes along; the file to save is the first run's alone.
    void setFiles(const OrderFiles &files) { m_files = files; }
    /// Another home begins, whose agent keeps its runs there: nothing is followed or on its way any more, and of the
    /// files only the trace stays, which a person chose for the next run.
    void begin(const QString &stateDir);
    /// The agent answers, for the first time or again. Opens the newest run that is under way, if there is one: a
    /// window that was closed comes back to it. Else the newest run, if it was interrupted: it may go on.
    void comeBack();

    void start(const Job &job, const std::optional<Plan> &plan, const std::optional<StartWeights> &weights) override;
    void planOnly(const Job &job) override;
    void goOn(const QString &run) override;
    void attach(const QString &run) override;
    void openRecord(const QString &path) override;
    void closeRun() override;
    void pause() override { command(QStringLiteral("pause")); }
    void resume() override { command(QStringLiteral("resume")); }
    void stop() override { command(QStringLiteral("stop")); }
    void evaluate() override { command(QStringLiteral("evaluate")); }
    void saveWeights(const QString &path, RunWeights which) override;
    void setTrace(const QString &path) override { m_files.trace = path; }
    bool isReplaying() const override { return m_replaying; }
    void findProblem(const QString &run) override;
    bool canChangePlan() const override;
    void changePlan(const Plan &plan) override;
    void refreshRuns() override;
    std::unique_ptr<AnswerSource> homeAnswers(const AskedRun &run) override;
    RunHistory &history() override { return m_history; }

  private:
    void command(const QString &word, const QCborMap &arguments = {});
    void take(const std::vector<RunInfo> &runs);
    void loseAgent();
    /// Of the run that is followed: its coordinator is there no more.
    void endRun();
    /// Makes the order beside the event loop (weights that came with a network may be gigabytes) and sends it.
    void prepare(std::function<Result<RunOrder>()> make);
    void send(const RunOrder &order);
    void setStarting(bool starting);
    QString folderOf(const QString &run) const;
    void takeLine(const QString &run, const QByteArray &line);
    void take(const RunEvent &event);
    void follow(quint64 fromSeq);
    /// The run that is shown may have been taken up again elsewhere.
    void followAgain(const QString &run, const QString &state);

    AgentClient &m_client;
    OrderFiles m_files;
    QString m_ownState, m_stateDir;
    RunHistory m_history;
    std::vector<RunInfo> m_known;  // as the agent told them last
    QString m_run;
    QString m_problemOf;                     // the run that was asked about last
    std::unique_ptr<RecordReader> m_record;  // instead of a run of this home
    std::unique_ptr<RecordReader> m_past;    // what is written down of a run of this home, before it is followed
    QString m_recordFolder;
    bool m_following = false;
    bool m_over = false;  // it told its last state, and perhaps its coordinator is there still
    bool m_replaying = false;
    quint64 m_oldEvents = 0;                   // up to this seq the run of `m_run` had been told when it was attached
    std::unique_ptr<BackgroundTask> m_reader;  // of a problem
    bool m_readAgain = false;                  // there may be a newer one by now
    bool m_starting = false;
    quint64 m_attempt = 0;  // to start a run, counted; an order of an earlier one is not sent
    QString m_saving;       // where a live run should write its weights; until it has
    QDateTime m_replaced;   // when the file that is there was written
    std::vector<std::unique_ptr<BackgroundTask>> m_work;  // copies of weights and orders that are being made
};

}  // namespace hearth
