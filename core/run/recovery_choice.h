// Which version training goes on from after devices were lost or the plan changed, and what must move for it
// (Asteroid, pipeline replay; FTPipeHD, recovery from several failures).
#pragma once

#include <QMap>
#include <QString>
#include <optional>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/error.h"
#include "core/model/model.h"
#include "core/model/optimizer_state.h"
#include "core/plan/replay/state_holders.h"
#include "core/protocol/deployment.h"

namespace hearth {

/// Pure functions over values, any thread. A layer without state is whole everywhere, at every version, and never
/// moves.
struct StateLayer {
    QString name;
    qint64 bytes = 0;  // of its whole state, see LayerStateLayout
    bool operator==(const StateLayer &) const = default;
};
using StateLayers = std::vector<StateLayer>;
StateLayers stateLayersOf(const Model &model, DType dtype, const OptimizerState &optimizer);

/// Notes one state more, once.
void addHeld(HeldByDevice *held, const QString &device, const HeldState &state);

struct RecoveryVersion {
    quint64 version = 0;
    bool fromDisk = false;  // some layer is held by no survivor at that version
    bool operator==(const RecoveryVersion &) const = default;
};

/// The newest version of which every layer is held by a survivor, or which the coordinator has: `disk` is the version
/// of the whole model that it can send. Initial weights count as version 0 there, since they can be made again. Of the
/// disk's version, too, survivors give what they hold. Error "recovery.no-state": names the layers without a state at
/// the version that lacks fewest, and who of `lost` (what the lost devices were known to hold) had them at which
/// version.
Result<RecoveryVersion> newestCompleteVersion(const StateLayers &layers, const HeldByDevice &held,
                                              std::optional<quint64> disk, const HeldByDevice &lost = {});

struct StateMoves {
    std::vector<Deployment::Move> moves;  // by layer, then receiver; an empty `from` is the coordinator's disk
    qint64 bytes = 0;                     // of all moves
    bool operator==(const StateMoves &) const = default;
};

/// What every member of every stage lacks of `version`, given out by a StateMover. `disk`: the version of all layers
/// that the coordinator has. `sending`: bytes that devices send anyhow. Errors: "recovery.no-state" and
/// "recovery.unreachable" name the layer and who wants it.
Result<StateMoves> movesFor(const StateLayers &layers, quint64 version, const std::vector<Deployment::Stage> &stages,
                            const HeldByDevice &held, std::optional<quint64> disk, const LinkRate &rate = {},
                            QMap<QString, qint64> sending = {});

}  // namespace hearth
