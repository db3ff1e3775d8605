// What must hold on a computer before Hearth is installed there, one line each.
#pragma once

#include <QStringList>
#include <vector>

#include "core/install/install_plan.h"

namespace hearth {

enum class CheckState { Ok, Warning, Failed };
QString toWord(CheckState state);  // "ok", "warning", "failed"

/// Plain value. `problem` is set where the state is not Ok; a warning does not stop an installation.
struct InstallCheck {
    QString id;     // "memory": stable, for programs and translations
    QString title;  // "Memory"
    CheckState state = CheckState::Ok;
    Sentence found;  // "7.6 GB"
    Error problem;

    QJsonObject toJson() const;
};

/// What any package of this kind must fit.
std::vector<InstallCheck> checkTarget(const TargetFacts &facts, const InstallPlan &plan, PackageKind kind,
                                      qint64 clockHere);
/// What this one asks for. `missing` are packages that it depends on and that are not there.
std::vector<InstallCheck> checkPackage(const TargetFacts &facts, const InstallOptions &options, const InstallPlan &plan,
                                       const AgentPackage &package, const QStringList &missing);

/// Of its dependencies those that `installed` ("name status" lines of dpkg-query) does not satisfy, by first
/// alternative.
QStringList missingDependencies(const std::vector<QStringList> &dependencies, const QByteArray &installed);

}  // namespace hearth
