// Sums of a round's gradients while they are under way. Internal to core/train.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/train/group_fabric.h"
#include "core/train/group_sum.h"

namespace hearth {

/// What AllReduce frames of one sum are: below, the phases of GroupSum; these, what a trusted fabric needs beside it.
/// Their slots count on by SumGroup::slots from one sum to the next.
enum FabricSlot : quint16 { fabricSlots = 2, fabricEntry = 2, fabricOutcome = 3, fabricBegun = 4 };

/// The devices that sum a part of their gradients once a round, in their order: the members of this stage what is of
/// this stage alone, and for each tied tensor that layers of other stages have, too, the members of all these stages.
struct SumGroup {
    static constexpr int slots = 8;  // of frames
    struct Member {
        int stage = 0;
        QString device;
    };
    int number = 0;  // the same on all its devices: 0 is a stage's own, 1 + i is that of tie i of the model
    std::vector<Member> members;
    int self = 0;               // among them
    qint64 first = 0, end = 0;  // of the module's gradients
    QString fabric;
    const Codec *codec = &noCodec();  // of what members send each other, but over a trusted fabric

    // Of a trusted fabric.
    bool fabricInUse = false;  // false for good after a failure
    at::Tensor fabricValues;   // a copy of the gradients: they stay whole until every member has the sum
    std::vector<Rendezvous::Entry> earlyEntries;  // of members that were faster
    std::unique_ptr<GroupFabric> open;

    qint64 elements() const { return end - first; }
    int indexOf(const QString &device) const;  // -1: no member
};

/// What is known of one round's sum over the trusted fabric. It counts only where every member succeeded; each member
/// says once whether it did, so all of them judge alike.
struct FabricSum {
    bool asked = false;       // the fabric has this member's values
    bool failed = false;      // some member's failed: the built-in AllReduce sums this round
    std::vector<bool> begun;  // by member: its fabric has its values
    std::vector<bool> done;   // by member
};

/// One round's sum of one group.
struct RoundSum {
    std::optional<GroupSum> builtin;
    FabricSum fabric;
    bool cameLast = false;  // the others' gradients were here
    bool done = false;
};

}  // namespace hearth
