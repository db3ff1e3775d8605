// `hearth install`: makes a computer that can be reached by SSH a device of this home.
#include <unistd.h>
#include <QCoreApplication>
#include <QJsonArray>
#include <cstdio>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/progress_line.h"
#include "app/cli/terminal_prompt.h"
#include "core/agent/stop_signals.h"
#include "core/install/install_job.h"

namespace hearth {
namespace {

QJsonArray english(const QList<Sentence> &sentences) {
    QJsonArray texts;
    for (const Sentence &each : sentences)
        texts.append(each.english());
    return texts;
}

constexpr qint64 highestPort = 65535;

struct Wishes {
    bool consents = false;
    bool json = false;
};

/// Between a job and the terminal.
class InstallSession : public QObject {
  public:
    InstallSession(InstallRequest request, Wishes wishes) : m_job(std::move(request)), m_wishes(std::move(wishes)) {
        connect(&m_job, &InstallJob::hostKeyShown, this, &InstallSession::askForHostKey);
        connect(&m_job, &InstallJob::passwordWanted, this, &InstallSession::askForPassword);
        connect(&m_job, &InstallJob::consentWanted, this, &InstallSession::askForConsent);
        connect(&m_job, &InstallJob::progressed, this, &InstallSession::show);
        connect(&m_job, &InstallJob::finished, this, &InstallSession::finish);
        connect(&m_job, &InstallJob::failed, this, &InstallSession::fail);
        connect(&m_prompt, &TerminalPrompt::answered, this, [this](QByteArray &line) {
            if (m_forPassword) {
                m_job.answer(Secret(std::move(line)));
                return;
            }
            const QByteArray word = line.trimmed().toLower();
            m_job.answer(word == "yes" || word == "y");
        });
        connect(&m_stops, &StopSignals::received, this, [this](int, int count) {
            if (count == 1)
                printNote(QStringLiteral("hearth: Stopping; what was done is undone …"));
            m_job.cancel();
        });
    }

    int run() {
        m_job.start();
        return QCoreApplication::exec();
    }

  private:
    void ask(const QString &question) {
        m_forPassword = false;
        if (m_prompt.hasTerminal())
            m_prompt.ask(question + QStringLiteral(" (yes/no)"), TerminalPrompt::Echo::Shown);
        else
            m_job.answer(false);
    }

    void askForHostKey(const SshHostKey &key) {
        m_line.show({});
        printNote(QStringLiteral("This host was never seen before. Its key: %1 %2").arg(key.kind, key.fingerprint));
        printNote(
            QStringLiteral("Compare it with what \"ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub\" prints on "
                           "the device itself."));
        ask(QStringLiteral("Is it the same?"));
    }

    void askForPassword(PasswordKind kind, const QString &prompt, int attempt) {
        m_line.show({});
        if (!m_prompt.hasTerminal()) {
            m_job.answer(Secret());
            return;
        }
        if (attempt > 1)
            printNote(QStringLiteral("That was not accepted."));
        m_forPassword = true;
        const QString what = kind == PasswordKind::LogIn  ? QStringLiteral("Password of %1:")
                             : kind == PasswordKind::Sudo ? QStringLiteral(
                                                                "Password for sudo of %1 (empty: install "
                                                                "without it, for this user):")
                                                          : QStringLiteral("%1");
        m_prompt.ask(what.arg(prompt), TerminalPrompt::Echo::Hidden);
    }

    void askForConsent(const QList<Sentence> &changes) {
        m_line.show({});
        if (!m_wishes.json || !m_wishes.consents) {
            printNote({});
            printNote(QStringLiteral("What will change there:"));
            for (const Sentence &each : changes)
                printNote(QStringLiteral("  - ") + each.english());
        }
        if (m_wishes.consents)
            m_job.answer(true);
        else if (m_prompt.hasTerminal())
            ask(QStringLiteral("Go on?"));
        else {
            printNote(QStringLiteral("hearth: Nobody is there to agree; --yes does."));
            m_job.answer(false);
        }
    }

    void show(const InstallProgress &progress) {
        if (m_wishes.json) {
            QJsonObject line = progress.toJson();
            line[QStringLiteral("event")] = QStringLiteral("progress");
            printJson(line);
            return;
        }
        const QString title = toTitle(progress.step);
        if (progress.check) {
            showCheck(*progress.check);
            return;
        }
        switch (progress.state) {
            case InstallProgress::State::Started:
                m_line.show(title + QStringLiteral(" …"));
                break;
            case InstallProgress::State::Moving:
                m_line.show(progress.fraction >= 0
                                ? QStringLiteral("%1 … %2 %").arg(title).arg(qRound(progress.fraction * 100))
                                : QStringLiteral("%1: %2").arg(title, progress.text));
                break;
            case InstallProgress::State::Done:
                m_line.show({});
                printNote(QStringLiteral("✓ ") + title);
                break;
            case InstallProgress::State::Failed:
                m_line.show({});
                printNote(QStringLiteral("✗ ") + title);
                if (progress.step == InstallStep::Undo)
                    printNote(QStringLiteral("hearth: ") + progress.text);
                break;
        }
    }

    void showCheck(const InstallCheck &check) {
        m_line.show({});
        const QString mark = check.state == CheckState::Ok        ? QStringLiteral("✓")
                             : check.state == CheckState::Warning ? QStringLiteral("!")
                                                                  : QStringLiteral("✗");
        printNote(QStringLiteral("  %1 %2 %3").arg(mark, check.title.leftJustified(22), check.found));
        if (check.state == CheckState::Warning)
            printNote(QStringLiteral("      ") + check.problem.toString());
    }

    void finish(const InstallResult &result) {
        m_line.show({});
        if (m_wishes.json) {
            printJson({{QStringLiteral("event"), QStringLiteral("finished")},
                       {QStringLiteral("device"), result.device},
                       {QStringLiteral("fingerprint"), result.fingerprint},
                       {QStringLiteral("address"), result.address},
                       {QStringLiteral("version"), result.version},
                       {QStringLiteral("effect"), toWord(result.effect)},
                       {QStringLiteral("notes"), english(result.notes)}});
        } else if (result.address.isEmpty()) {
            printLine(result.notes.isEmpty() ? QStringLiteral("Hearth was removed; nothing of it is left there.")
                                             : QStringLiteral("What \"hearth install\" made there was removed."));
        } else if (result.effect == InstallEffect::NewDevice) {
            printLine(QStringLiteral("%1 is a device of this home now.").arg(result.device));
        } else if (result.effect == InstallEffect::NewVersion) {
            printLine(QStringLiteral("%1 has version %2 now.").arg(result.device, result.version));
        } else {
            printLine(QStringLiteral("%1 had version %2 already. Nothing new was installed.")
                          .arg(result.device, result.version));
        }
        for (const Sentence &note : m_wishes.json ? QList<Sentence>() : result.notes)
            printNote(QStringLiteral("hearth: ") + note.english());
        QCoreApplication::exit(Done);
    }

    void fail(const Error &reason) {
        m_line.show({});
        if (m_wishes.json) {
            QJsonObject line = reason.toJson();
            line[QStringLiteral("event")] = QStringLiteral("error");
            printJson(line);
        }
        const bool cancelled = reason.code == cancelledError().code;
        printError(reason);
        QCoreApplication::exit(cancelled ? static_cast<int>(Interrupted) : static_cast<int>(Failed));
    }

    InstallJob m_job;
    Wishes m_wishes;
    TerminalPrompt m_prompt;
    StopSignals m_stops;
    ProgressLine m_line;
    bool m_forPassword = false;
};

int runInstall(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("install"));
    line.positional(QStringLiteral("USER@HOST[:PORT]"), QStringLiteral("where to log in by SSH"));
    line.value(QStringLiteral("package"), QStringLiteral("FILE"),
               QStringLiteral("this hearth-agent_*.deb or hearth-agent-bundle_*.tar.gz; default: the one that fits, of "
                              "those installed with Hearth"));
    line.value(QStringLiteral("key"), QStringLiteral("FILE"),
               QStringLiteral("log in by this private key; default: the SSH agent's and those in ~/.ssh"));
    line.value(QStringLiteral("ssh-dir"), QStringLiteral("DIR"),
               QStringLiteral("holds configuration, keys and known hosts (default ~/.ssh)"));
    line.value(QStringLiteral("host-key"), QStringLiteral("SHA256:…"),
               QStringLiteral("the fingerprint that the host's key must have; no other is accepted"));
    line.value(QStringLiteral("name"), QStringLiteral("NAME"), QStringLiteral("what the device is called in the home"));
    line.value(QStringLiteral("agent-port"), QStringLiteral("PORT"),
               QStringLiteral("where its agent listens (default 47600)"));
    line.flag(QStringLiteral("user"), QStringLiteral("change nothing there but this user's home folder"));
    line.flag(QStringLiteral("uninstall"), QStringLiteral("remove what an installation made there"));
    line.flag(QStringLiteral("yes"), QStringLiteral("do not ask before changing anything there"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    InstallRequest request;
    const auto target = SshTarget::parse(line.word(0));
    if (!target)
        return line.wrongUsage(target.error());
    const auto port = line.integer(QStringLiteral("agent-port"), 1, highestPort, 0);
    if (!port)
        return line.wrongUsage(port.error());
    request.target = *target;
    request.target.keyFile = line.get(QStringLiteral("key"));
    request.target.sshFolder = line.get(QStringLiteral("ssh-dir"));
    request.kind =
        line.isSet(QStringLiteral("uninstall")) ? InstallRequest::Kind::Uninstall : InstallRequest::Kind::Install;
    request.options = {static_cast<quint16>(*port), line.get(QStringLiteral("name")),
                       line.get(QStringLiteral("package")), line.isSet(QStringLiteral("user")),
                       line.get(QStringLiteral("host-key"))};
    request.stateDir = stateDirOf(line);
    // The device trusts this computer's agent, so that has to be there first.
    if (const auto client = connectToAgent(request.stateDir); !client)
        return printError(client.error());
    return InstallSession(request, {line.isSet(QStringLiteral("yes")), line.isSet(QStringLiteral("json"))}).run();
}

const CommandRegistration installRegistration(
    {QStringLiteral("install"), QStringLiteral("USER@HOST[:PORT] [OPTIONS]"),
     QStringLiteral("put Hearth on a computer by SSH and make it a device of this home"), runInstall});

}  // namespace
}  // namespace hearth
