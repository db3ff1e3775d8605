#include "core/train/group_sum.h"

#include <algorithm>
#include <cstring>

#include "core/plan/gradient_codec.h"
#include "core/train/flat_math.h"

namespace hearth {

SumLayout SumLayout::make(qint64 elements, int members, DType dtype, const Codec &codec) {
    constexpr qint64 largest = 1 << 16;          // 256 KiB of float32: 20 ms at 100 Mbit/s
    constexpr qint64 bytesOfALatency = 1 << 12;  // 0.3 ms at 100 Mbit/s
    const qint64 even = (elements + members - 1) / std::max(1, members);
    constexpr qint64 mostCopied = 32 << 20;  // one hop sends copies, all of which may wait for a slow link at once
    if (GradientCodec::isUsed(codec, static_cast<std::size_t>(members)))
        return {elements, members, largest, Route::OneHop, &codec};
    const qint64 bytes = elements * byteSize(dtype);
    const qint64 additional = (members - 1) * (members - 2) * bytes / std::max(1, members);
    return {elements, members, std::max<qint64>(1, std::min(largest, even)),
            additional <= bytesOfALatency && bytes <= mostCopied ? Route::OneHop : Route::TwoHops};
}

GroupSum::GroupSum(SumLayout layout, int self, DType dtype, Send send)
    : m_layout(layout), m_self(self), m_dtype(dtype), m_send(std::move(send)) {
    m_pieces.resize(static_cast<std::size_t>(layout.pieces()));
    for (int i = 0; i < layout.pieces(); ++i) {
        Piece &piece = m_pieces[static_cast<std::size_t>(i)];
        piece.contributions.resize(static_cast<std::size_t>(layout.members));
        piece.awaited = layout.count(i);
    }
}

void GroupSum::start(std::byte *flat, Owed owed) {
    m_started = true;
    m_flat = flat;
    m_owed = owed;
}

void GroupSum::ready(qint64 first, qint64 end) {
    while (first < end) {
        const auto index = static_cast<int>(first / m_layout.pieceElements);
        Piece &piece = m_pieces[static_cast<std::size_t>(index)];
        const qint64 here = std::min(end, m_layout.first(index) + m_layout.count(index)) - first;
        piece.awaited -= here;
        first += here;
        if (piece.awaited == 0)
            contribute(index);
    }
}

bool GroupSum::sumsHere(int piece) const {
    return m_layout.route == SumLayout::Route::OneHop || m_layout.owner(piece) == m_self;
}

bool GroupSum::awaitsMembers() const {
    for (int i = 0; i < m_layout.pieces(); ++i) {
        const Piece &piece = m_pieces[static_cast<std::size_t>(i)];
        if (sumsHere(i) && !piece.finished && piece.arrived < m_layout.members - 1)
            return true;
    }
    return false;
}

void GroupSum::contribute(int piece) {
    if (m_layout.route == SumLayout::Route::OneHop) {
        const Encoded sent = contribution(piece);
        for (int member = 0; member < m_layout.members; ++member) {
            if (member != m_self)
                m_send(member, piece, Phase::Contribution, sent);
        }
    } else if (!sumsHere(piece)) {
        // Sent from the flat buffer itself: nobody writes there before the sum is back, which the owner only sends
        // after it has these bytes.
        const qint64 width = byteSize(m_dtype);
        m_send(m_layout.owner(piece), piece, Phase::Contribution,
               {&noCodec(), {m_flat + m_layout.first(piece) * width, m_layout.count(piece) * width, nullptr}});
    }
    if (sumsHere(piece))
        reduceIfComplete(piece);
}

/// Of one hop, in memory of its own: the sum may come to stand in the flat buffer while slower members are still being
/// sent these. What is summed here is what the others get.
Encoded GroupSum::contribution(int piece) {
    const qint64 elements = m_layout.count(piece), bytes = elements * byteSize(m_dtype);
    std::byte *values = m_flat + m_layout.first(piece) * byteSize(m_dtype);
    std::byte *owed = m_owed.values ? m_owed.values + m_layout.first(piece) * byteSize(m_dtype) : nullptr;
    if (owed)
        addInto(values, owed, elements, m_dtype);
    if (owed && !m_owed.isPaid) {
        // It cannot write an infinity or a NaN.
        Encoded sent = encoded(*m_layout.codec, m_dtype, {values, bytes, nullptr}, 1, Rounding::Nearest);
        if (sent.codec == m_layout.codec) {
            const std::shared_ptr<Buffer> rounded = Buffer::allocate(bytes);
            m_layout.codec->decode(m_dtype, {sent.payload.data, static_cast<std::size_t>(sent.payload.size)},
                                   rounded->bytes());
            takeRounded(values, owed, rounded->data(), elements, m_dtype);
            m_isOwed = true;
            return sent;
        }
    }
    if (owed)
        std::memset(owed, 0, static_cast<std::size_t>(bytes));
    const std::shared_ptr<Buffer> copy = Buffer::allocate(bytes);
    std::memcpy(copy->data(), values, static_cast<std::size_t>(bytes));
    return {&noCodec(), Payload::of(copy)};
}

Result<void> GroupSum::deliver(int member, int index, Phase phase, std::shared_ptr<Buffer> values, const Codec &codec) {
    const auto refuse = [&](const Sentence &cause) {
        return fail(QStringLiteral("worker.bad-frame"), sentence("An AllReduce message does not fit the plan."), cause);
    };
    if (index < 0 || index >= m_layout.pieces() || member < 0 || member >= m_layout.members || member == m_self)
        return refuse(sentence("There is no piece %1 of member %2.").arg(index).arg(member));
    const auto rawBytes = static_cast<quint64>(m_layout.count(index) * byteSize(m_dtype));
    if (&codec != &noCodec() && (&codec != m_layout.codec || phase != Phase::Contribution))
        return refuse(sentence("Nobody writes piece %1 by \"%2\".").arg(index).arg(QString::fromLatin1(codec.name)));
    if (static_cast<quint64>(values->size()) != encodedBytes(codec, m_dtype, rawBytes, 1))
        return refuse(sentence("Piece %1 has %2 bytes.").arg(index).arg(values->size()));
    Piece &piece = m_pieces[static_cast<std::size_t>(index)];
    if (phase == Phase::Contribution) {
        auto &place = piece.contributions[static_cast<std::size_t>(member)];
        if (!sumsHere(index) || piece.finished || place)
            return refuse(sentence("Piece %1 came twice or to the wrong member.").arg(index));
        place = decoded(codec, m_dtype, std::move(values), rawBytes, 1);
        m_isOwed = m_isOwed || &codec != &noCodec();
        ++piece.arrived;
        reduceIfComplete(index);
        return {};
    }
    if (sumsHere(index) || m_layout.owner(index) != member || piece.finished || piece.awaited > 0)
        return refuse(sentence("The sum of piece %1 came twice, too early or from the wrong member.").arg(index));
    std::memcpy(m_flat + m_layout.first(index) * byteSize(m_dtype), values->data(),
                static_cast<std::size_t>(values->size()));
    piece.finished = true;
    ++m_finished;
    return {};
}

void GroupSum::reduceIfComplete(int index) {
    Piece &piece = m_pieces[static_cast<std::size_t>(index)];
    if (!m_started || piece.awaited > 0 || piece.arrived != m_layout.members - 1 || piece.finished)
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
    for (int member = 0; m_layout.route == SumLayout::Route::TwoHops && member < m_layout.members; ++member) {
        if (member != m_self)
            m_send(member, index, Phase::Sum, {&noCodec(), Payload::of(sum)});
    }
}

}  // namespace hearth
