// The package itself: by apt-get for the whole computer, or unpacked into the user's home.
#include <QRegularExpression>

#include "core/base/sentence.h"
#include "core/install/installer.h"

namespace hearth {
namespace {

const QString libraryToMark = QStringLiteral("libopenblas0-pthread");

// A new tree takes the place of the old one by two renames; what is there then is whole, whatever happens. A root.old
// that an update left behind which broke off is the one to go back to; one of an update that was whole is of no use.
const QByteArray unpack = R"sh(set -e
rm -rf "$1/root.new"; mkdir -p "$1"
if [ "$3" = whole ]; then rm -rf "$1/root.old"; fi
if [ "$4" = bundle ]; then
  mkdir -p "$1/root.new"; tar -xzof "$2" -C "$1/root.new"
  "$1/root.new/usr/libexec/hearth/hearth-worker" --version >/dev/null
else
  dpkg-deb -x "$2" "$1/root.new"
  missing=$(ldd "$1/root.new/usr/libexec/hearth/hearth-worker" | sed -n 's/ => not found//p')
  if [ -n "$missing" ]; then echo "Missing libraries:" $missing >&2; exit 3; fi
fi
"$1/root.new/usr/bin/hearth-agent" --version >/dev/null
if [ -d "$1/root" ]; then
  if [ -d "$1/root.old" ]; then rm -rf "$1/root"; else mv "$1/root" "$1/root.old"; fi
fi
mv "$1/root.new" "$1/root")sh";

// Only what is of this installation goes: where an update did not come as far as the renames, root is still the old.
const QByteArray packAgain = R"sh(set -e
rm -rf "$1/root.new"
if [ -d "$1/root.old" ]; then rm -rf "$1/root"; mv "$1/root.old" "$1/root"
elif [ "$2" = new ]; then rm -rf "$1/root"; fi)sh";

// A session that ends does not end it, and what it prints goes into a file: dpkg cut off half way leaves a system that
// somebody has to repair.
const QByteArray aptGet = R"sh(log=$1; shift
DEBIAN_FRONTEND=noninteractive nohup apt-get "$@" >"$log" 2>&1 </dev/null; status=$?
tail -c 2000 "$log" >&2; exit $status)sh";

/// Names in what apt-get -s prints, in lines that begin with one of these words.
QStringList simulated(const QByteArray &simulation, const QString &words) {
    const QRegularExpression line(QStringLiteral("^(?:%1) ([a-z0-9][a-z0-9+.-]+)(?::[a-z0-9]+)? *(\\[?)").arg(words),
                                  QRegularExpression::MultilineOption);
    QStringList names;
    for (auto each = line.globalMatch(QString::fromUtf8(simulation)); each.hasNext();) {
        const auto match = each.next();
        // "Inst libx [1.0] (1.1 …)" takes the place of what is there.
        if (!words.startsWith(QLatin1String("Inst")) || match.captured(2).isEmpty())
            names << match.captured(1);
    }
    return names;
}

QStringList aptOptions() {
    // Another apt may be at work, as after a start of the computer.
    return {QStringLiteral("-q"), QStringLiteral("-o"), QStringLiteral("DPkg::Lock::Timeout=120")};
}

}  // namespace

Result<void> Installer::installPackage() {
    if (m_plan.isUpdate) {
        // Undone after the package, so that what was there runs again.
        onUndo(InstallStep::Service, [this] { return m_hasStarted ? startEarlier() : Result<void>(); });
    }
    return m_plan.package == PackageWay::Apt ? installByApt() : unpackIntoHome();
}

Result<void> Installer::unpackIntoHome() {
    onUndo(InstallStep::Package, [this]() -> Result<void> {
        const auto done =
            m_there.script(packAgain, {m_plan.folder, keepsEarlier() ? QStringLiteral("old") : QStringLiteral("new")});
        return succeeded(done, {QStringLiteral("install.not-removed"),
                                sentence("The package could not be removed from %1.").arg(m_target.host),
                                {},
                                sentence("Remove %1/root there.").arg(m_plan.folder)});
    });
    const bool wasWhole = m_earlier && m_earlier->isComplete;
    const bool isBundle = m_package.kind == PackageKind::Bundle;
    const auto done = m_there.run(
        {QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(unpack), QStringLiteral("sh"), m_plan.folder,
         m_copy.file(m_package), wasWhole ? QStringLiteral("whole") : QStringLiteral("broken-off"),
         isBundle ? QStringLiteral("bundle") : QStringLiteral("package")},
        {}, packageDeadline);
    if (done && done->status == 0)
        m_record.sha256 = QString::fromLatin1(m_package.sha256);
    return succeeded(
        done, {QStringLiteral("install.not-unpacked"),
               sentence("hearth-agent cannot be installed for %1 on %2.").arg(m_facts.userName, m_target.host),
               {},
               isBundle ? sentence("See what it says, and whether there is space in %1.").arg(m_facts.home)
                        : sentence("Have its libraries installed there, or log in as somebody who may use sudo.")});
}

Result<QStringList> Installer::simulateInstall(const QStringList &words) {
    // As root, whose folder the package is in.
    const auto tried = m_there.asRoot(QStringList{QStringLiteral("env"), QStringLiteral("LC_ALL=C"),
                                                  QStringLiteral("apt-get"), QStringLiteral("-s")} +
                                          words,
                                      {}, packageDeadline);
    if (!tried)
        return tl::unexpected(tried.error());
    const QStringList removed = simulated(tried->output, QStringLiteral("Remv|Purg"));
    if (!removed.isEmpty()) {
        return fail(
            QStringLiteral("install.would-remove"),
            sentence("hearth-agent %1 does not go together with what is installed on %2.")
                .arg(m_package.version, m_target.host),
            sentence("apt-get would remove %1.").arg(removed.join(QStringLiteral(", "))),
            sentence("Install the new versions of both there together (\"apt-get install\" with both packages), "
                     "or install for this user only (--user)."));
    }
    if (tried->status != 0) {
        return fail(QStringLiteral("install.apt-failed"),
                    sentence("apt-get could not install hearth-agent on %1.").arg(m_target.host), endOfOutput(*tried),
                    isDebian12(m_facts) ? sentence("Repair what it names (\"apt-get -f install\", the list of "
                                                   "mirrors), then try again.")
                                        : bundleAdvice());
    }
    return simulated(tried->output, QStringLiteral("Inst"));
}

void Installer::keepPackage() {
    m_record.version = m_facts.installedVersion;
    if (isOlderVersion(m_package.version, m_facts.installedVersion)) {
        note(sentence("%1 has version %2, which is newer than %3 here: update this computer, too.")
                 .arg(m_target.host, m_facts.installedVersion, m_package.version));
    } else if (m_facts.installedVersion != m_package.version) {
        note(sentence("%1 keeps version %2: only root, or somebody with sudo, can install %3 there.")
                 .arg(m_target.host, m_facts.installedVersion, m_package.version));
    }
    // One that broke off brought it.
    if (m_record.madePackage && !m_plan.isUpdate)
        onUndo(InstallStep::Package, [this] { return removePackage(); });
}

Result<void> Installer::installByApt() {
    if (m_plan.keeps(m_facts, m_package)) {
        keepPackage();
        return {};
    }
    const auto aptAsRoot = [this](const QStringList &words) {
        m_mustFinish = true;
        auto done = m_there.asRoot(QStringList{QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(aptGet),
                                               QStringLiteral("sh"), m_copy.folder() + QStringLiteral("/apt.log")} +
                                       aptOptions() + words,
                                   {}, packageDeadline);
        m_mustFinish = false;
        return done;
    };
    if (m_needsLibraries) {
        tell(InstallStep::Package, InstallProgress::State::Moving, sentence("asking for the list of packages"));
        // Old lists may do; where they do not, installing says so.
        if (const auto updated = aptAsRoot({QStringLiteral("update")}); !updated)
            return tl::unexpected(updated.error());
    }
    QStringList words{QStringLiteral("install"), QStringLiteral("-y"), QStringLiteral("--no-install-recommends"),
                      QStringLiteral("--no-remove"), m_copy.file(m_package)};
    if (m_facts.installedVersion == m_package.version)
        words << QStringLiteral("--reinstall");
    if (m_needsLibraries)
        words << libraryToMark;  // small matrix products are 3 to 5 times slower without it
    const auto added = simulateInstall(words);
    if (!added)
        return tl::unexpected(added.error());
    for (const QString &name : *added) {
        if (name != QLatin1String("hearth-agent") && !m_record.newPackages.contains(name))
            m_record.newPackages << name;
    }
    if (auto saved = saveRecord(); !saved)
        return saved;
    if (isCancelled())
        return tl::unexpected(cancelledError());
    onUndo(InstallStep::Package, [this]() -> Result<void> {
        if (m_record.madePackage && !m_plan.isUpdate)
            return removePackage();
        note(sentence("hearth-agent %1 stays on %2: the version before it is not kept there.")
                 .arg(m_package.version, m_target.host));
        return {};
    });
    tell(InstallStep::Package, InstallProgress::State::Moving, sentence("installing it and what it needs"));
    const auto done = aptAsRoot(words);
    if (!done)
        return tl::unexpected(done.error());
    if (done->status != 0) {
        return fail(QStringLiteral("install.apt-failed"),
                    sentence("apt-get could not install hearth-agent on %1.").arg(m_target.host), endOfOutput(*done),
                    sentence("Repair what it names (\"apt-get -f install\", the list of mirrors), then try again."));
    }
    m_record.sha256 = QString::fromLatin1(m_package.sha256);
    // Named on the command line it would count as somebody's wish, and stay for ever.
    if (m_record.newPackages.contains(libraryToMark)) {
        const auto marked = m_there.asRoot({QStringLiteral("apt-mark"), QStringLiteral("auto"), libraryToMark});
        if (!marked)
            return tl::unexpected(marked.error());
    }
    return {};
}

Result<void> Installer::checkRemovable() {
    if (m_plan.package == PackageWay::HomeFolder || !m_record.madePackage)
        return {};
    const auto simulation = m_there.run({QStringLiteral("env"), QStringLiteral("LC_ALL=C"), QStringLiteral("apt-get"),
                                         QStringLiteral("-s"), QStringLiteral("-q"), QStringLiteral("remove"),
                                         QStringLiteral("--"), QStringLiteral("hearth-agent")});
    if (!simulation)
        return tl::unexpected(simulation.error());
    QStringList others = simulated(simulation->output, QStringLiteral("Remv|Purg"));
    others.removeIf([this](const QString &name) {
        return name == QLatin1String("hearth-agent") || m_record.newPackages.contains(name);
    });
    if (others.isEmpty())
        return {};
    return fail(QStringLiteral("install.still-needed"),
                sentence("The package hearth-agent is needed on %1.").arg(m_target.host),
                sentence("With it apt-get would remove %1.").arg(others.join(QStringLiteral(", "))),
                sentence("Remove that there first, if nobody uses it."));
}

Result<void> Installer::removePackage() {
    if (m_plan.package == PackageWay::HomeFolder)
        return {};  // it lies in the folder that goes anyway
    if (auto good = checkRemovable(); !good)
        return good;
    const QStringList query{QStringLiteral("dpkg-query"), QStringLiteral("-W"), QStringLiteral("-f"),
                            QStringLiteral("${db:Status-Abbrev}"), QStringLiteral("hearth-agent")};
    // Purging takes the state of the system's service along, which may have been there before.
    const auto removal = m_record.madeState ? QStringLiteral("purge") : QStringLiteral("remove");
    const auto remove = [&](const QStringList &names) -> Result<void> {
        m_mustFinish = true;
        const auto done =
            m_there.asRoot(QStringList{QStringLiteral("env"), QStringLiteral("DEBIAN_FRONTEND=noninteractive"),
                                       QStringLiteral("apt-get")} +
                               aptOptions() + QStringList{removal, QStringLiteral("-y"), QStringLiteral("--")} + names,
                           {}, packageDeadline);
        m_mustFinish = false;
        return succeeded(done, {QStringLiteral("install.not-removed"),
                                sentence("The package could not be removed from %1.").arg(m_target.host),
                                {},
                                sentence("Run \"apt-get purge hearth-agent\" there.")});
    };
    // apt-get does not know a package that was never there, as where the work broke off before it.
    const auto there = m_there.run(query);
    if (!there)
        return tl::unexpected(there.error());
    const bool isGone = there->status != 0 || there->output.startsWith("un") ||
                        (removal == QLatin1String("remove") && there->output.startsWith("rc"));
    if (!isGone) {
        if (auto removed = remove({QStringLiteral("hearth-agent")}); !removed)
            return removed;
    }
    // Of what came with it, what nobody has come to need since.
    const auto simulation = m_there.run({QStringLiteral("env"), QStringLiteral("LC_ALL=C"), QStringLiteral("apt-get"),
                                         QStringLiteral("-s"), QStringLiteral("-q"), QStringLiteral("autoremove")});
    if (!simulation)
        return tl::unexpected(simulation.error());
    QStringList names = simulated(simulation->output, QStringLiteral("Remv|Purg"));
    names.removeIf([this](const QString &name) { return !m_record.newPackages.contains(name); });
    return names.isEmpty() ? Result<void>() : remove(names);
}

}  // namespace hearth
