// Asks the network of a finished run about files that it never saw.
#pragma once

#include <QImage>
#include <QObject>
#include <QStringList>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/agent/child_process.h"
#include "core/base/background_task.h"
#include "core/data/fitted_pictures.h"
#include "core/model/loss_facts.h"
#include "core/protocol/run_data.h"

namespace hearth {

/// What a network says of one file. Plain value.
struct FileAnswer {
    QString file;
    QImage picture;  // as the network saw it
    /// By output: of classes and of yes or no how likely each is (0 to 1), else the numbers themselves.
    std::vector<double> values;
    std::optional<Sentence> broken;  // the file cannot be used; then there are no values

    /// The outputs from the likeliest down, `most` of them.
    std::vector<std::size_t> likeliest(std::size_t most) const;
};

class RunInference;

/// For spreadsheets (CsvFile): a row for each file, with its likeliest class, how likely that is, and why a file has no
/// answer. Error "predict.not-written".
Result<void> writeAnswers(const RunInference &inference, const std::vector<FileAnswer> &answers, const QString &path);

/// The pictures that these paths are or, as folders, hold at any depth, by name. Whatever else was named stays, so that
/// its error is told. Any thread; blocks.
QStringList picturesAt(const QStringList &paths);

/// Computes on this computer, in a process of its own (hearth-worker), so that what goes wrong there ends nothing else.
/// Pictures are read beside it, a few ahead. One thread with an event loop.
class RunInference : public QObject {
    Q_OBJECT
  public:
    /// Samples of one call, and files that are read at once.
    static constexpr int piece = 16;

    /// Reads the description in the run's folder. Errors: "run.no-data", "run.no-weights", "predict.no-pictures".
    static Result<std::unique_ptr<RunInference>> open(const QString &runFolder);
    ~RunInference() override;

    const RunData &data() const { return m_data; }
    LossFacts::Answers answers() const { return m_answers; }
    /// Of an output: the name of its class, or its number from 0 on.
    QString outputName(std::size_t output) const;
    /// After what was asked before. Each is answered once, in order, then comes finished(); or failed().
    void ask(const QStringList &files);

  Q_SIGNALS:
    void answered(const hearth::FileAnswer &prediction);
    void finished();
    /// No more answers will come.
    void failed(const hearth::Error &error);

  private:
    /// Files as the network takes them; the broken ones take no room.
    struct Read {
        std::vector<FileAnswer> files;
        QByteArray samples;
    };

    RunInference(QString folder, RunData data, PictureInput input, LossFacts::Answers answers);
    void start();
    void readNext();
    void askNext();
    void take(Read read, const QByteArray &values);
    void fail(const Error &error);
    static Read read(const QStringList &files, const PictureInput &input, qint64 sampleBytes);

    const QString m_folder;
    const RunData m_data;
    const PictureInput m_input;
    const LossFacts::Answers m_answers;
    ChildProcess m_process;
    bool m_isOpen = false, m_isAsked = false, m_hasFailed = false;
    QStringList m_waiting;        // files
    std::optional<Read> m_ready;  // for the next call
    std::unique_ptr<BackgroundTask> m_reading;
};

}  // namespace hearth
