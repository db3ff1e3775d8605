// AllReduce by sum inside a group, over any transport. No LibTorch: plain memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/dtype.h"
#include "core/base/error.h"

namespace hearth {

/// How a flat buffer is cut: piece i is summed by member i mod members.
struct SumLayout {
    qint64 elements = 0;
    int members = 1;
    qint64 pieceElements = 1;

    /// Small enough that pieces pipeline through the links, and at least one per member.
    static SumLayout make(qint64 elements, int members);
    int pieces() const { return static_cast<int>((elements + pieceElements - 1) / pieceElements); }
    qint64 first(int piece) const { return piece * pieceElements; }
    qint64 count(int piece) const { return std::min(pieceElements, elements - first(piece)); }
    int owner(int piece) const { return piece % members; }
};

/// One AllReduce. Every member sends each piece to its owner; the owner adds the contributions in the order of members,
/// its own included, and sends the sum to everyone: one reduction order, so all members hold the same bits. Each member
/// sends 2 (n-1)/n of the buffer, as a ring does, in two hops instead of 2 (n-1). Source: Asteroid Eq. 5 for the bytes.
/// One thread. Contributions of faster members may arrive before start().
class GroupSum {
  public:
    enum class Phase : quint16 { Contribution = 0, Sum = 1 };
    using Send = std::function<void(int member, int piece, Phase phase, Payload payload)>;

    GroupSum(SumLayout layout, int self, DType dtype, Send send);

    /// `flat` holds this member's values and takes the sums; it must stay where it is until done().
    void start(std::byte *flat);
    Result<void> deliver(int member, int piece, Phase phase, std::shared_ptr<Buffer> values);
    bool done() const { return m_started && m_finished == m_layout.pieces(); }

  private:
    struct Piece {
        std::vector<std::shared_ptr<Buffer>> contributions;  // by member
        int arrived = 0;
        bool finished = false;
    };
    void reduceIfComplete(int piece);

    SumLayout m_layout;
    int m_self;
    DType m_dtype;
    Send m_send;
    bool m_started = false;
    std::byte *m_flat = nullptr;  // null, too, where a stage has no parameters
    std::vector<Piece> m_pieces;
    int m_finished = 0;
};

}  // namespace hearth
