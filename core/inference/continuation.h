// A language model goes on with a text.
#pragma once

#include <QObject>

#include "core/data/prompt_tokens.h"
#include "core/inference/answer_source.h"
#include "core/inference/asked_run.h"

namespace hearth {

/// Token by token: what is likeliest, or drawn by chance. Main thread.
class Continuation : public QObject {
    Q_OBJECT
  public:
    struct Choice {
        int tokens = 100;  // at most; a text may end before
        PromptTokens::Draw draw = {};
    };
    static constexpr int mostTokens = 10'000;

    /// `run` takes prompts. `answers` null: this computer computes (AnswerProcess).
    explicit Continuation(AskedRun run, std::unique_ptr<AnswerSource> answers = {});
    ~Continuation() override;

    /// Gives up what is under way. Errors: those of PromptTokens.
    Result<void> start(const QString &prompt, const Choice &choice);
    /// finished() comes with what there is.
    void stop();
    bool isRunning() const { return m_isRunning; }
    bool isOver() const { return m_answers->hasFailed(); }
    /// What follows the prompt, so far.
    QString text() const { return m_text ? m_text->text() : QString(); }
    int tokens() const { return m_text ? m_text->added() : 0; }

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

    const AskedRun m_run;
    const std::unique_ptr<AnswerSource> m_answers;
    Choice m_choice;
    std::optional<PromptTokens> m_text;
    int m_question = 0;  // answers to earlier ones are none
    bool m_isRunning = false;
};

}  // namespace hearth
