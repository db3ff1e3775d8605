#include "core/train/group_sum.h"

#include <algorithm>
#include <cstring>

#include "core/train/flat_math.h"

namespace hearth {

SumLayout SumLayout::make(qint64 elements, int members) {
    constexpr qint64 largest = 1 << 18;  // 1 MiB of float32: some milliseconds on a home link
    const qint64 even = (elements + members - 1) / std::max(1, members);
    return {elements, members, std::max<qint64>(1, std::min(largest, even))};
}

GroupSum::GroupSum(SumLayout layout, int self, DType dtype, Send send)
    : m_layout(layout), m_self(self), m_dtype(dtype), m_send(std::move(send)) {
    m_pieces.resize(static_cast<std::size_t>(layout.pieces()));
    for (Piece &piece : m_pieces)
        piece.contributions.resize(static_cast<std::size_t>(layout.members));
}

void GroupSum::start(std::byte *flat) {
    m_started = true;
    m_flat = flat;
    const qint64 width = byteSize(m_dtype);
    for (int i = 0; i < m_layout.pieces(); ++i) {
        const int owner = m_layout.owner(i);
        if (owner == m_self) {
            reduceIfComplete(i);
        } else {
            // Sent from the flat buffer itself: nobody writes there before the sum is back, which the owner only sends
            // after it has these bytes.
            m_send(owner, i, Phase::Contribution,
                   {flat + m_layout.first(i) * width, m_layout.count(i) * width, nullptr});
        }
    }
}

Result<void> GroupSum::deliver(int member, int index, Phase phase, std::shared_ptr<Buffer> values) {
    const auto refuse = [&](const QString &cause) {
        return fail(QStringLiteral("worker.bad-frame"), QStringLiteral("An AllReduce message does not fit the plan."),
                    cause);
    };
    if (index < 0 || index >= m_layout.pieces() || member < 0 || member >= m_layout.members || member == m_self)
        return refuse(QStringLiteral("There is no piece %1 of member %2.").arg(index).arg(member));
    if (values->size() != m_layout.count(index) * byteSize(m_dtype))
        return refuse(QStringLiteral("Piece %1 has %2 bytes.").arg(index).arg(values->size()));
    Piece &piece = m_pieces[static_cast<std::size_t>(index)];
    const int owner = m_layout.owner(index);
    if (phase == Phase::Contribution) {
        auto &place = piece.contributions[static_cast<std::size_t>(member)];
        if (owner != m_self || place)
            return refuse(QStringLiteral("Piece %1 came twice or to the wrong member.").arg(index));
        place = std::move(values);
        ++piece.arrived;
        if (m_started)
            reduceIfComplete(index);
        return {};
    }
    if (owner != member || piece.finished || !m_started)
        return refuse(QStringLiteral("The sum of piece %1 came twice, too early or from the wrong member.").arg(index));
    std::memcpy(m_flat + m_layout.first(index) * byteSize(m_dtype), values->data(),
                static_cast<std::size_t>(values->size()));
    piece.finished = true;
    ++m_finished;
    return {};
}

void GroupSum::reduceIfComplete(int index) {
    Piece &piece = m_pieces[static_cast<std::size_t>(index)];
    if (piece.arrived != m_layout.members - 1 || piece.finished)
        return;
    const qint64 elements = m_layout.count(index);
    const qint64 bytes = elements * byteSize(m_dtype);
    std::byte *own = m_flat + m_layout.first(index) * byteSize(m_dtype);
    // The sum goes out from memory of its own: the flat buffer is written again while the sockets still send.
    std::shared_ptr<Buffer> sum = Buffer::allocate(bytes);
    const auto term = [&](int member) -> const std::byte * {
        return member == m_self ? own : piece.contributions[static_cast<std::size_t>(member)]->data();
    };
    std::memcpy(sum->data(), term(0), static_cast<std::size_t>(bytes));
    for (int member = 1; member < m_layout.members; ++member)
        addInto(sum->data(), term(member), elements, m_dtype);
    std::memcpy(own, sum->data(), static_cast<std::size_t>(bytes));
    piece.contributions.clear();
    piece.finished = true;
    ++m_finished;
    for (int member = 0; member < m_layout.members; ++member) {
        if (member != m_self)
            m_send(member, index, Phase::Sum, Payload::of(sum));
    }
}

}  // namespace hearth
