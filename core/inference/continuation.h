// A language model goes on with a text.
#pragma once

#include <QObject>

#include "core/inference/answer_source.h"
#include "core/inference/asked_run.h"

namespace hearth {

/// Token by token: what is likeliest, or drawn by chance. Main thread.
class Continuation : public QObject {
    Q_OBJECT
  public:
    struct Choice {
        int tokens = 100;        // at most; a text may end before
        double temperature = 0;  // 0: always the likeliest; 1: as likely as the network holds it
        quint64 seed = 1;        // of chance: the same one gives the same text
    };
    static constexpr int mostTokens = 10'000;

    /// `run` takes prompts. `answers` null: this computer computes (AnswerProcess).
    explicit Continuation(AskedRun run, std::unique_ptr<AnswerSource> answers = {});
    ~Continuation() override;

    /// Gives up what is under way. Errors: "predict.no-prompt": it is empty; "predict.long-prompt": it has more tokens
    /// than the network sees at once. Of what comes out the network sees the last ones.
    Result<void> start(const QString &prompt, const Choice &choice);
    /// finished() comes with what there is.
    void stop();
    bool isRunning() const { return m_isRunning; }
    bool isOver() const { return m_answers->hasFailed(); }
    /// What follows the prompt, so far.
    QString text() const;
    int tokens() const { return static_cast<int>(m_tokens.size() - m_prompted); }

  Q_SIGNALS:
    /// AnswerSource's.
    void prepares(const QString &state);
    void grown();
    void finished();
    /// Nothing can be asked any more.
    void failed(const hearth::Error &error);

  private:
    void askNext();
    void take(const std::vector<double> &scores);
    int chosen(const std::vector<double> &scores) const;

    const AskedRun m_run;
    const qint64 m_length;  // tokens that the network sees
    const std::unique_ptr<AnswerSource> m_answers;
    Choice m_choice;
    std::vector<int> m_tokens;  // the prompt's, and what came
    std::size_t m_prompted = 0;
    int m_question = 0;  // answers to earlier ones are none
    bool m_isRunning = false;
};

}  // namespace hearth
