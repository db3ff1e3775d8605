// An installation that a test plays by hand: what it is told, and what it tells.
#pragma once

#include "core/install/installation.h"
#include "tests/core/install/sample_target.h"
#include "tests/ui/fake_home.h"

namespace hearth {

class FakeInstallation : public Installation {
    Q_OBJECT
  public:
    using Installation::Installation;

    void start() override { calls << QStringLiteral("start"); }
    void cancel() override { calls << QStringLiteral("cancel"); }
    void answer(bool yes) override { calls << (yes ? QStringLiteral("yes") : QStringLiteral("no")); }
    void answer(Secret password) override {
        calls << QStringLiteral("password %1").arg(QString::fromUtf8(password.isEmpty() ? "-" : password.data()));
    }

    void step(InstallStep step, InstallProgress::State state, const QString &text = {}, double fraction = -1) {
        Q_EMIT progressed({step, state, text, fraction, std::nullopt});
    }
    void done(InstallStep which) {
        step(which, InstallProgress::State::Started);
        step(which, InstallProgress::State::Done);
    }
    /// What a look at a device without rights and without systemd finds.
    void look(const QStringList &missing = {}) {
        TargetFacts facts = sampleTarget();
        facts.memoryBytes = qint64(4) << 30;
        facts.clock = 0;
        AgentPackage package;
        package.version = QStringLiteral("0.1.0");
        package.architecture = facts.architecture;
        const InstallPlan plan = planInstall(facts, {});
        step(InstallStep::Inspect, InstallProgress::State::Started);
        for (const auto &checks :
             {checkTarget(facts, plan, PackageKind::Debian, 0), checkPackage(facts, {}, plan, package, missing)}) {
            for (const InstallCheck &check : checks)
                Q_EMIT progressed({InstallStep::Inspect, InstallProgress::State::Moving, {}, -1, check});
        }
        changes = plan.changes(facts, package);
    }

    QStringList calls;
    QList<Sentence> changes;
};

/// A home whose devices can be installed; the last installation can be reached.
class InstallingHome : public FakeHomeSource {
    Q_OBJECT
  public:
    Installation *makeInstallation(const InstallRequest &wanted, QObject *owner) override {
        if (demo)
            return nullptr;
        request = wanted;
        installation = new FakeInstallation(owner);
        return installation;
    }

    InstallRequest request;
    FakeInstallation *installation = nullptr;
};

}  // namespace hearth
