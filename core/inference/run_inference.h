// Asks the network of a finished run about samples that it never saw.
#pragma once

#include <QObject>
#include <atomic>
#include <deque>
#include <memory>
#include <vector>

#include "core/base/background_task.h"
#include "core/inference/answer_source.h"
#include "core/inference/asked_run.h"

namespace hearth {

/// What a network says of one sample. Plain value.
struct Answer : Asked {
    /// By output: of classes and of yes or no how likely each is (0 to 1), else the numbers themselves, in the unit of
    /// the data. Of a single output that is yes or no: no, then yes. Empty where the sample is broken.
    std::vector<double> values;

    /// The outputs from the likeliest down, `most` of them.
    std::vector<std::size_t> likeliest(std::size_t most) const;
    /// What a person is told: of a choice (AskedRun::isChoice()) the `classes` likeliest outputs, else the first `most`
    /// in the order of the network.
    std::vector<std::size_t> told(const AskedRun &run, std::size_t classes, std::size_t most) const;
};

/// Samples are read beside what is computed, a few ahead: in memory for two pieces. One
/// thread with an event loop, the main one.
class RunInference : public QObject {
    Q_OBJECT
  public:
    /// Samples of one call, which are read at once: more where they are small, so that calls cost less than answers, so
    /// few that a window can show them between two frames, and no more than a message holds, nor than one holds answers
    /// of `outputs` numbers each.
    static int piece(qint64 sampleBytes, qint64 outputs);

    /// `run` takes samples, not prompts. `answers` null: this computer computes (AnswerProcess).
    explicit RunInference(AskedRun run, std::unique_ptr<AnswerSource> answers = {});
    ~RunInference() override;

    const AskedRun &run() const { return m_run; }
    /// After what was asked before. Each sample is answered once, in order, then comes finished(); or failed().
    void ask(std::shared_ptr<SampleSource> source);
    /// Of what was asked nothing more is answered; finished() comes when nothing is read any more, after a sample at
    /// most.
    void stop();
    /// Answers are awaited.
    bool isBusy() const;
    /// Samples are read. To destroy it then waits for one of them.
    bool isReading() const { return m_reading && m_reading->isRunning(); }
    /// Nothing can be asked any more.
    bool isOver() const { return m_answers->hasFailed(); }

  Q_SIGNALS:
    /// AnswerSource's.
    void prepares(const QString &state);
    void answered(const hearth::Answer &answer);
    void finished();
    /// No more answers will come to what was asked.
    void failed(const hearth::Error &error);

  private:
    struct Read {
        std::vector<Answer> answers;  // without values so far
        QByteArray samples;           // the broken ones take no room
        bool isLast = false;          // of its source
        std::optional<Error> wrong;   // why it is
    };

    void readNext();
    void askNext();
    void take(Read read, std::vector<double> values);
    static Read read(SampleSource &source, const std::vector<Slot> &inputs, qint64 outputs,
                     const std::atomic<bool> &cancelled);

    const AskedRun m_run;
    const std::unique_ptr<AnswerSource> m_answers;
    bool m_isAsked = false;
    int m_stops = 0;  // what was asked before the last of them is nobody's
    std::deque<std::shared_ptr<SampleSource>> m_waiting;
    std::optional<Read> m_ready;  // for the next call
    std::unique_ptr<BackgroundTask> m_reading;
};

}  // namespace hearth
