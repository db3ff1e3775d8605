#include "core/inference/home_answers.h"

#include "core/base/cbor.h"
#include "core/run/files/run_folder.h"
#include "core/run/files/state_words.h"

namespace hearth {
namespace {

// Devices may measure themselves first, and are given a network of gigabytes.
constexpr std::chrono::minutes deadline{60};

/// The run ended some time ago, and nothing went wrong.
bool isOver(const Error &error) {
    return error.code == QLatin1String("run.not-live") || error.code == QLatin1String("run.unknown");
}

}  // namespace

HomeAnswers::HomeAnswers(AskedRun asked, QString stateDir, QObject *parent)
    : AnswerSource(parent), m_asked(std::move(asked)), m_stateDir(std::move(stateDir)) {
    connect(&m_client, &AgentClient::ready, this, [this] {
        m_client.subscribe();
        start();
    });
    connect(&m_client, &AgentClient::closed, this, [this](const Error &reason) { fail(reason); });
    connect(&m_client, &AgentClient::runChanged, this, [this](const QString &run, const QString &state) {
        if (run == m_run && m_open > 0 && !isFinalState(state))
            Q_EMIT prepares(state);
    });
}

void HomeAnswers::ask(const QByteArray &samples, std::optional<qint64> row, Done done) {
    if (hasFailed())
        return;
    Question question{{{QStringLiteral("samples"), samples}}, std::move(done)};
    ++m_open;
    if (row)
        question.args[QStringLiteral("row")] = *row;
    if (!m_run.isEmpty()) {
        put(question);
        return;
    }
    m_waiting.push_back(std::move(question));
    if (m_isStarting)
        return;
    m_isStarting = true;
    Q_EMIT prepares({});
    if (m_client.isOpen())
        start();
    else
        reachAgent();
}

void HomeAnswers::reachAgent() {
    ensureAgentAsync(m_stateDir, this, [this](const Result<void> &reached) {
        if (reached)
            m_client.open(m_stateDir);
        else
            fail(reached.error());
    });
}

void HomeAnswers::start() {
    auto order = orderOfRun(m_asked.folder, m_asked.weights, QStringLiteral("answer"));
    if (!order) {
        fail(order.error());
        return;
    }
    order->options[QStringLiteral("samples")] = m_asked.data.toJson();
    m_client.startRun(*order, this, [this](const Result<QString> &run) {
        m_isStarting = false;
        if (!run) {
            fail(run.error());
            return;
        }
        m_run = *run;
        for (const Question &question : std::exchange(m_waiting, {}))
            put(question);
    });
}

void HomeAnswers::put(const Question &question) {
    QCborMap args = question.args;
    args[QStringLiteral("id")] = m_run;
    m_client.call(QStringLiteral("run.ask"), args, deadline, this,
                  [this, question, asked = m_run](const Result<QCborMap> &answer) {
                      if (answer) {
                          --m_open;
                          question.done(numbersOfBytes((*answer)[QStringLiteral("values")].toByteArray()));
                          return;
                      }
                      if (question.isRepeated || !isOver(answer.error())) {
                          fail(answer.error());
                          return;
                      }
                      if (m_run == asked)
                          m_run.clear();
                      Question again = question;
                      again.isRepeated = true;
                      m_waiting.push_back(std::move(again));
                      if (m_run.isEmpty() && !std::exchange(m_isStarting, true))
                          start();
                  });
}

}  // namespace hearth
