#include "core/protocol/deployment.h"

#include <QSet>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/plan/plan.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

constexpr int fingerprintLength = 64;

tl::unexpected<Error> invalid(const QString &where, const Sentence &cause) {
    return fail(QStringLiteral("deployment.invalid"), sentence("The deployment is not valid: \"%1\".").arg(where),
                cause);
}

/// Also what a SHA-256 looks like.
bool isFingerprint(const QString &text) {
    if (text.size() != fingerprintLength)
        return false;
    return std::all_of(text.begin(), text.end(), [](QChar c) {
        return (c >= QLatin1Char('0') && c <= QLatin1Char('9')) || (c >= QLatin1Char('a') && c <= QLatin1Char('f'));
    });
}

Result<void> checkFabric(const QString &name, const QString &where) {
    if (name != Deployment::builtinFabric() && name != QLatin1String("gloo"))
        return invalid(where, sentence("The fabric \"%1\" is unknown.").arg(name.left(60)));
    return {};
}

/// Intervals must lie side by side and cover the micro-batch.
/// `returning`: whether a device may have another stage, too.
Result<void> checkMembers(const Deployment::Stage &stage, int microBatch, QSet<QString> &used, bool returning,
                          const QString &where) {
    int next = 0;
    for (const Deployment::Member &member : stage.members) {
        if (!isFingerprint(member.device))
            return invalid(where, sentence("\"%1\" is no fingerprint.").arg(member.device.left(80)));
        if (used.contains(member.device) && !returning)
            return invalid(where, sentence("%1 is used twice.").arg(member.device));
        if (member.samples < 1 || member.firstSample != next || member.samples > microBatch - next)
            return invalid(where, sentence("The sample intervals do not lie side by side."));
        used.insert(member.device);
        next += member.samples;
    }
    if (next != microBatch)
        return invalid(where, sentence("The members take %1 of %2 {2|sample|samples}.").arg(next).arg(microBatch));
    return {};
}

}  // namespace

Result<void> Deployment::validate() const {
    if (run.isEmpty() || run.size() > ProfileLimits::idLength)
        return invalid(QStringLiteral("/run"), sentence("It is empty or too long."));
    if (firstRound < 1)
        return invalid(QStringLiteral("/first_round"), sentence("Rounds count from 1."));
    if (batch < 1 || microBatch < 1 || microBatches < 1 || qint64{microBatch} * microBatches != batch)
        return invalid(QStringLiteral("/batch"), sentence("The micro-batches do not make up the batch."));
    if (!Schedule::byName(schedule))
        return invalid(QStringLiteral("/schedule"), sentence("\"%1\" is unknown.").arg(schedule.left(60)));
    if (!isFingerprint(coordinator))
        return invalid(QStringLiteral("/coordinator"), sentence("It is no fingerprint."));
    if (stages.empty() || model.isEmpty())
        return invalid(QStringLiteral("/stages"), sentence("There are no stages, or there is no model."));
    if (fabricDeadlineMs < 1 || fabricDeadlineMs > longestFabricDeadlineMs)
        return invalid(QStringLiteral("/fabric_deadline_ms"), sentence("It is not within one hour."));
    if (auto ok = checkFabric(tiedFabric, QStringLiteral("/tied_fabric")); !ok)
        return ok;
    if (training.localSteps && (stages.size() != 1 || schedule != Schedule::OneForwardOneBackward.name() ||
                                microBatches != training.localSteps->every)) {
        return invalid(
            QStringLiteral("/training/local_steps"),
            sentence("Its devices need one stage, and %1 {1|micro-batch|micro-batches, one after the other}.")
                .arg(training.localSteps->every));
    }
    // Interleaved: see Plan::validate().
    const bool returning = !training.asynchronous &&
                           std::ranges::all_of(stages, [](const Stage &stage) { return stage.members.size() == 1; });
    QSet<QString> used;
    int next = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const QString where = jsonPointer(QStringLiteral("/stages"), i);
        if (stages[i].firstLayer != next || stages[i].lastLayer <= next)
            return invalid(where, sentence("The layers are not contiguous."));
        if (stages[i].inFlight < 1)
            return invalid(where, sentence("The in-flight limit is less than 1."));
        if (auto ok = checkFabric(stages[i].fabric, where); !ok)
            return ok;
        next = stages[i].lastLayer;
        if (auto ok = checkMembers(stages[i], microBatch, used, returning, where); !ok)
            return ok;
        if (i > 0 && returning && stages[i].members.front().device == stages[i - 1].members.front().device)
            return invalid(where, sentence("The stage before it is of the same device."));
    }
    QSet<QString> listed;
    for (const Peer &peer : peers) {
        if (!isFingerprint(peer.device) || listed.contains(peer.device))
            return invalid(QStringLiteral("/peers"), sentence("A peer is listed twice or has no fingerprint."));
        listed.insert(peer.device);
    }
    if (!listed.contains(used))
        return invalid(QStringLiteral("/peers"), sentence("A member of a stage is not among the peers."));
    if (auto ok = checkCodecChanges(codecChanges, firstRound, stages.size() - 1, QStringLiteral("The deployment")); !ok)
        return ok;
    if (auto ok = checkFrozen(); !ok)
        return ok;
    return checkStates(listed);
}

/// Each layer once, and whoever has it is a peer.
Result<void> Deployment::checkFrozen() const {
    int next = 0;
    for (const Frozen &each : frozen) {
        if (each.layer < next || each.layer >= stages.back().lastLayer || !isFingerprint(each.sha256))
            return invalid(QStringLiteral("/frozen"), sentence("A layer is listed twice or has no hash."));
        next = each.layer + 1;
        std::vector<int> holders = each.holders;
        std::sort(holders.begin(), holders.end());
        if (std::adjacent_find(holders.begin(), holders.end()) != holders.end() ||
            (!holders.empty() && (holders.front() < 0 || holders.back() >= static_cast<int>(peers.size()))))
            return invalid(QStringLiteral("/frozen"), sentence("A holder is listed twice or is no peer."));
    }
    return {};
}

/// Whoever moves or keeps a state is known, and the layers exist.
Result<void> Deployment::checkStates(const QSet<QString> &known) const {
    const int layers = stages.back().lastLayer;
    for (const Move &move : moves) {
        const bool owner = hasLayers(move.to);
        if (!statesHeld || move.layer < 0 || move.layer >= layers || !owner || move.from == move.to ||
            (!move.from.isEmpty() && !known.contains(move.from)))
            return invalid(QStringLiteral("/moves"), sentence("A layer moves from or to nobody."));
    }
    for (const Backup &backup : backups) {
        if (backup.firstLayer < 0 || backup.lastLayer <= backup.firstLayer || backup.lastLayer > layers ||
            backup.from == backup.to || !known.contains(backup.from) || !known.contains(backup.to))
            return invalid(QStringLiteral("/backups"), sentence("A copy goes from or to nobody."));
    }
    if (snapshotEvery < 0)
        return invalid(QStringLiteral("/snapshot_every"), sentence("It is negative."));
    if (statesHeld && weightsStreamed)
        return invalid(QStringLiteral("/weights_streamed"), sentence("The states are held already."));
    return {};
}

std::vector<int> Deployment::stagesOf(const QString &device) const {
    std::vector<int> own;
    for (int s = 0; s < static_cast<int>(stages.size()); ++s) {
        if (memberOf(s, device) >= 0)
            own.push_back(s);
    }
    return own;
}

int Deployment::memberOf(int stage, const QString &device) const {
    const auto &members = stages[static_cast<std::size_t>(stage)].members;
    const auto found = std::ranges::find(members, device, &Member::device);
    return found == members.end() ? -1 : static_cast<int>(found - members.begin());
}

const CutCodec &Deployment::codecAfter(std::size_t stage, quint32 round) const {
    const CutCodec *codec = &stages[stage].codec;
    for (const CodecChange &change : codecChanges) {
        if (change.round > round)
            break;
        codec = &change.cuts[stage];
    }
    return *codec;
}

bool Deployment::isChecked(quint32 round) const {
    bool isLossy = false;
    for (std::size_t s = 0; s + 1 < stages.size() && !isLossy; ++s)
        isLossy = codecAfter(s, round) != CutCodec();
    return isLossy && isCheckedRound(round);
}

const Deployment::Frozen *Deployment::frozenOf(int layer) const {
    const auto found = std::ranges::lower_bound(frozen, layer, {}, &Frozen::layer);
    return found == frozen.end() || found->layer != layer ? nullptr : &*found;
}

std::vector<Deployment::Stage> deploymentStages(const Plan &plan) {
    std::vector<Deployment::Stage> stages;
    for (const PlanStage &from : plan.stages) {
        Deployment::Stage stage{from.firstLayer, from.lastLayer, {}, from.inFlight, from.recompute, from.codec};
        int next = 0;
        for (const Share &share : from.shares) {
            stage.members.push_back({share.device, next, share.samples});
            next += share.samples;
        }
        stages.push_back(std::move(stage));
    }
    return stages;
}

}  // namespace hearth
