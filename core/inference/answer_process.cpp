#include "core/inference/answer_process.h"

#include <QFileInfo>
#include <algorithm>
#include <thread>

#include "core/agent/programs.h"
#include "core/base/cbor.h"

namespace hearth {
namespace {

// Loading a network of gigabytes from a slow disk, and then a piece of it on a slow processor.
constexpr std::chrono::minutes answerDeadline{20};

}  // namespace

AnswerProcess::AnswerProcess(QString runFolder, QString weights)
    : m_folder(std::move(runFolder)), m_weights(std::move(weights)), m_process(sentence("The program that answers")) {
    connect(&m_process, &ChildProcess::ended, this, [this](const Error &error) { fail(error); });
}

AnswerProcess::~AnswerProcess() = default;

void AnswerProcess::ask(const QByteArray &samples, std::optional<qint64> row, Done done) {
    if (!m_isStarted)
        start();
    if (hasFailed())
        return;
    QCborMap question{{QLatin1String("samples"), samples}};
    if (row)
        question[QLatin1String("row")] = *row;
    m_process.call(QStringLiteral("answer"), question, answerDeadline, this,
                   [this, done = std::move(done)](const Result<QCborMap> &answer) {
                       if (!answer)
                           return fail(answer.error());
                       done(numbersOfBytes((*answer)[QLatin1String("values")].toByteArray()));
                   });
}

void AnswerProcess::start() {
    m_isStarted = true;
    const auto program = findProgram(QStringLiteral("hearth-worker"));
    if (!program)
        return fail(program.error());
    // Threads that spin while they wait take the time of those that read samples.
    m_process.setDefault(QStringLiteral("OMP_WAIT_POLICY"), QStringLiteral("passive"));
    m_process.setDefault(QStringLiteral("OPENBLAS_THREAD_TIMEOUT"), QStringLiteral("4"));
    const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    m_process.start(*program, {QStringLiteral("--answer"), QStringLiteral("--threads"), QString::number(threads)});
    m_process.call(QStringLiteral("open"),
                   {{QLatin1String("run"), QFileInfo(m_folder).absoluteFilePath()},
                    {QLatin1String("weights"), QFileInfo(m_weights).absoluteFilePath()}},
                   answerDeadline, this, [this](const Result<QCborMap> &opened) {
                       if (!opened)
                           fail(opened.error());
                   });
}

}  // namespace hearth
