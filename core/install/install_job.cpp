#include "core/install/install_job.h"

#include <QThread>
#include <condition_variable>
#include <mutex>

#include "core/base/post_to.h"

namespace hearth {

/// The installer's thread. It asks by signals of the job, in the job's thread, and waits.
class InstallJob::Worker : public QThread, public InstallDialogue {
  public:
    Worker(InstallJob &job, InstallRequest request) : m_job(job), m_request(std::move(request)) {}

    void cancelWork() {
        const std::lock_guard lock(m_mutex);
        m_cancelled = true;
        m_answered.notify_all();
    }

    void give(bool yes, Secret password) {
        const std::lock_guard lock(m_mutex);
        m_answer = yes;
        m_password = std::move(password);
        m_answered.notify_all();
    }

    bool acceptsHostKey(const SshHostKey &key) override {
        return ask([this, key] { Q_EMIT m_job.hostKeyShown(key); });
    }

    std::optional<Secret> password(PasswordKind kind, const QString &prompt, int attempt) override {
        if (!ask([this, kind, prompt, attempt] { Q_EMIT m_job.passwordWanted(kind, prompt, attempt); }))
            return std::nullopt;
        const std::lock_guard lock(m_mutex);
        return std::move(m_password);
    }

    bool confirms(const QList<Sentence> &changes) override {
        return ask([this, changes] { Q_EMIT m_job.consentWanted(changes); });
    }

    void progress(const InstallProgress &progress) override {
        postTo(&m_job, [this, progress] { Q_EMIT m_job.progressed(progress); });
    }

    bool isCancelled() override {
        const std::lock_guard lock(m_mutex);
        return m_cancelled;
    }

  protected:
    void run() override {
        AgentHome home(m_request.stateDir);
        Installer installer(m_request.target, m_request.options, home, *this);
        const auto outcome =
            m_request.kind == InstallRequest::Kind::Install ? installer.install() : installer.uninstall();
        postTo(&m_job, [this, outcome] {
            if (outcome)
                Q_EMIT m_job.finished(*outcome);
            else
                Q_EMIT m_job.failed(outcome.error());
        });
    }

  private:
    template <class Question>
    bool ask(Question question) {
        {
            const std::lock_guard lock(m_mutex);
            m_answer.reset();
        }
        postTo(&m_job, std::move(question));
        std::unique_lock lock(m_mutex);
        m_answered.wait(lock, [this] { return m_answer.has_value() || m_cancelled; });
        return m_answer.value_or(false) && !m_cancelled;
    }

    InstallJob &m_job;
    InstallRequest m_request;
    std::mutex m_mutex;
    std::condition_variable m_answered;
    std::optional<bool> m_answer;
    Secret m_password;
    bool m_cancelled = false;
};

InstallJob::InstallJob(InstallRequest request, QObject *parent)
    : Installation(parent), m_worker(std::make_unique<Worker>(*this, std::move(request))) {}

InstallJob::~InstallJob() {
    m_worker->cancelWork();
    m_worker->wait();
}

void InstallJob::start() {
    m_worker->start();
}

void InstallJob::cancel() {
    m_worker->cancelWork();
}

void InstallJob::answer(bool yes) {
    m_worker->give(yes, {});
}

void InstallJob::answer(Secret password) {
    const bool isGiven = !password.isEmpty();
    m_worker->give(isGiven, std::move(password));
}

}  // namespace hearth
