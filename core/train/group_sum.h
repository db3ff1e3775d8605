// AllReduce by sum inside a group, over any transport. No LibTorch: plain memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/codec.h"
#include "core/base/dtype.h"
#include "core/base/error.h"

namespace hearth {

/// How a flat buffer is cut, and how its pieces travel.
struct SumLayout {
    /// TwoHops: piece i is summed by member i mod members, who sends the sum to everyone; each member sends 2 (n-1)/n
    /// of the buffer, as a ring does, in two hops instead of 2 (n-1). OneHop: every member sends every piece to
    /// everyone and sums for itself: n-1 times the buffer, one latency less. For two members the bytes are the same.
    enum class Route { OneHop, TwoHops };

    qint64 elements = 0;
    int members = 1;
    qint64 pieceElements = 1;
    Route route = Route::TwoHops;
    const Codec *codec = &noCodec();  // of contributions in one hop; pieces end where its blocks do

    /// Pieces small enough to pipeline through the links, and at least one per member; one hop where its additional
    /// bytes take no longer than the latency that it saves, and the copies that it sends are few, or where the group is
    /// small enough for `codec` (GradientCodec).
    static SumLayout make(qint64 elements, int members, DType dtype, const Codec &codec = noCodec());
    int pieces() const { return static_cast<int>((elements + pieceElements - 1) / pieceElements); }
    qint64 first(int piece) const { return piece * pieceElements; }
    qint64 count(int piece) const { return std::min(pieceElements, elements - first(piece)); }
    int owner(int piece) const { return piece % members; }
};

/// One AllReduce, in buckets: a piece travels as soon as this member's values of it are final, while others are still
/// being computed. Whoever sums a piece adds the contributions in the order of members, its own included: one reduction
/// order, so all members hold the same bits. Source: Asteroid Eq. 5 for the bytes. One thread. Contributions of faster
/// members may arrive before start().
///
/// With a codec a member adds what its earlier values lost to those of now, rounds them once, and keeps what that
/// loses; everybody, itself included, sums what was sent. A member may send some as they are, with all that is owed.
class GroupSum {
  public:
    enum class Phase : quint16 { Contribution = 0, Sum = 1 };
    using Send = std::function<void(int member, int piece, Phase phase, Encoded values)>;
    /// What rounding took from this member's values so far, as many as they are; null where there is no codec.
    struct Owed {
        std::byte *values = nullptr;
        bool isPaid = true;  // all of it goes along, and nothing is rounded
    };

    GroupSum(SumLayout layout, int self, DType dtype, Send send);

    /// `flat` will hold this member's values and takes the sums; it must stay where it is until done().
    void start(std::byte *flat, Owed owed);
    bool started() const { return m_started; }
    /// This member's elements [first, end) are final; each element is said once.
    void ready(qint64 first, qint64 end);
    /// `codec` is what the values were written by.
    Result<void> deliver(int member, int piece, Phase phase, std::shared_ptr<Buffer> values,
                         const Codec &codec = noCodec());
    /// Some other member has not given all that is summed here.
    bool awaitsMembers() const;
    bool done() const { return m_started && m_finished == m_layout.pieces(); }
    /// Some member's values were rounded: it owes what that took. All members say the same once it is done.
    bool isOwed() const { return m_isOwed; }

  private:
    struct Piece {
        std::vector<std::shared_ptr<Buffer>> contributions;  // by member
        int arrived = 0;
        qint64 awaited = 0;  // elements that are not final here
        bool finished = false;
    };
    bool sumsHere(int piece) const;
    void contribute(int piece);
    Encoded contribution(int piece);
    void reduceIfComplete(int piece);

    SumLayout m_layout;
    int m_self;
    DType m_dtype;
    Send m_send;
    bool m_started = false;
    std::byte *m_flat = nullptr;  // null, too, where a stage has no parameters
    Owed m_owed;
    bool m_isOwed = false;
    std::vector<Piece> m_pieces;
    int m_finished = 0;
};

}  // namespace hearth
