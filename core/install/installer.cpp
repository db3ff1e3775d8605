#include "core/install/installer.h"

#include <QLoggingCategory>

#include "core/base/sentence.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(log, "hearth.install", QtInfoMsg)

}  // namespace

QString toWord(InstallEffect effect) {
    return effect == InstallEffect::NewDevice    ? QStringLiteral("new-device")
           : effect == InstallEffect::NewVersion ? QStringLiteral("new-version")
                                                 : QStringLiteral("nothing");
}

Installer::Installer(SshTarget target, InstallOptions options, LocalHome &home, InstallDialogue &dialogue)
    : m_target(std::move(target)), m_options(std::move(options)), m_home(home), m_dialogue(dialogue) {}

Installer::~Installer() = default;

bool Installer::isCancelled() const {
    return !m_undoing && !m_mustFinish && m_dialogue.isCancelled();
}

void Installer::tell(InstallStep step, InstallProgress::State state, const Sentence &text, double fraction) {
    m_dialogue.progress({step, state, text, fraction, std::nullopt});
}

Result<void> Installer::step(InstallStep step, Work work) {
    tell(step, InstallProgress::State::Started);
    Result<void> done;
    if (isCancelled())
        done = tl::unexpected(cancelledError());
    else
        done = (this->*work)();
    if (done)
        tell(step, InstallProgress::State::Done);
    else
        tell(step, InstallProgress::State::Failed, done.error().toSentence());
    return done;
}

void Installer::onUndo(InstallStep step, std::function<Result<void>()> act) {
    m_undo.push_back({step, std::move(act)});
}

void Installer::note(const Sentence &sentence) {
    m_notes << sentence;
}

void Installer::undoAll() {
    if (m_undo.empty())
        return;
    m_undoing = true;
    tell(InstallStep::Undo, InstallProgress::State::Started);
    Sentence failed;
    for (auto at = m_undo.rbegin(); at != m_undo.rend(); ++at) {
        if (at->isForgetting && !failed.isEmpty())
            continue;
        if (const auto undone = at->act(); !undone) {
            qCWarning(log, "%s could not be undone: %s", qUtf8Printable(toWord(at->step)),
                      qUtf8Printable(undone.error().toString()));
            if (failed.isEmpty())
                failed = undone.error().toSentence();
        }
    }
    m_undo.clear();
    if (failed.isEmpty()) {
        tell(InstallStep::Undo, InstallProgress::State::Done);
        return;
    }
    tell(InstallStep::Undo, InstallProgress::State::Failed,
         sentence("Not everything could be undone. %1 Run \"hearth install %2\" again to finish, or with "
                  "--uninstall to remove what is left.")
             .arg(failed, m_target.toString()));
}

Result<void> Installer::enter() {
    const std::pair<InstallStep, Work> steps[] = {{InstallStep::Connect, &Installer::connect},
                                                  {InstallStep::HostKey, &Installer::checkHostKey},
                                                  {InstallStep::LogIn, &Installer::logIn}};
    for (const auto &[name, work] : steps) {
        if (auto done = step(name, work); !done)
            return done;
    }
    return {};
}

InstallResult Installer::result() const {
    // It is unpacked again all the same, which repairs it.
    const bool isSame = m_plan.package == PackageWay::HomeFolder && m_plan.sha256.toLatin1() == m_package.sha256;
    const bool isOld = isSame || m_plan.keeps(m_facts, m_package);
    return {m_device.name,
            m_device.fingerprint.isNull() ? QString() : m_device.fingerprint.toHex(),
            m_device.addresses.value(0),
            m_record.version,
            !m_plan.isUpdate ? InstallEffect::NewDevice
            : isOld          ? InstallEffect::Nothing
                             : InstallEffect::NewVersion,
            m_notes};
}

Result<InstallResult> Installer::install() {
    if (auto entered = enter(); !entered)
        return tl::unexpected(entered.error());
    const std::pair<InstallStep, Work> steps[] = {
        {InstallStep::Inspect, &Installer::inspect},  {InstallStep::Confirm, &Installer::confirm},
        {InstallStep::Copy, &Installer::copyPackage}, {InstallStep::Package, &Installer::installPackage},
        {InstallStep::Pair, &Installer::pair},        {InstallStep::Service, &Installer::startService},
        {InstallStep::Await, &Installer::awaitDevice}};
    for (const auto &[name, work] : steps) {
        auto done = step(name, work);
        if (done)
            continue;
        // All is installed, and what is in the way of the link is elsewhere: a firewall, say.
        if (name != InstallStep::Await || done.error().code == cancelledError().code)
            undoAll();
        return tl::unexpected(done.error());
    }
    return result();
}

Result<InstallResult> Installer::uninstall() {
    if (auto entered = enter(); !entered)
        return tl::unexpected(entered.error());
    if (auto done = step(InstallStep::Remove, &Installer::removeEverything); !done)
        return tl::unexpected(done.error());
    return result();
}

}  // namespace hearth
