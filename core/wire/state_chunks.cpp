#include "core/wire/state_chunks.h"

#include <algorithm>
#include <utility>

#include "core/base/sentence.h"
#include "core/wire/byte_planes.h"

namespace hearth {
namespace {

constexpr quint16 packedSlot = 2;
static_assert(stateChunkBytes <= mostPlaneBytes);

}  // namespace

tl::unexpected<Error> badState(const Sentence &cause) {
    return fail(QStringLiteral("wire.bad-state"), sentence("A part of a layer's state does not fit."), cause,
                sentence("Install the same version of Hearth on every device."));
}

int stateChunkCount(qint64 bytes) {
    return static_cast<int>((bytes + stateChunkBytes - 1) / stateChunkBytes);
}

bool isStateChunk(const TensorHeader &header) {
    return header.kind == TensorKind::Replica && header.dtype == DType::UInt8;
}

qint64 stateChunkOffset(int index) {
    return index * stateChunkBytes;
}

qint64 stateChunkSize(qint64 stateBytes, int index) {
    return std::min(stateChunkBytes, stateBytes - stateChunkOffset(index));
}

TensorHeader stateChunkHeader(const StateChunk &chunk, qint64 stateBytes, quint32 term) {
    TensorHeader header;
    header.kind = TensorKind::Replica;
    header.dtype = DType::UInt8;
    header.dims = {static_cast<quint32>(stateChunkSize(stateBytes, chunk.index))};
    header.term = term;
    header.version = chunk.version;
    header.stage = static_cast<quint16>(chunk.layer);
    header.firstSample = static_cast<quint32>(chunk.index);
    header.sampleCount = static_cast<quint32>(chunk.count);
    return header;
}

Payload stateChunkPayload(const std::shared_ptr<const Buffer> &state, int index) {
    return {state->data() + stateChunkOffset(index), static_cast<qsizetype>(stateChunkSize(state->size(), index)),
            state};
}

bool packStateChunk(TensorHeader &header, Payload &payload) {
    auto packed = packPlanes({payload.data, static_cast<std::size_t>(payload.size)});
    if (!packed)
        return false;
    header.slot = packedSlot;
    header.dims = {static_cast<quint32>(packed->size())};
    payload = Payload::of(std::move(packed));
    return true;
}

StateAssembly::StateAssembly(int layer, quint64 version, qint64 bytes)
    : StateAssembly(layer, version, Buffer::allocate(bytes)) {}

StateAssembly::StateAssembly(int layer, quint64 version, std::shared_ptr<Buffer> memory)
    : m_layer(layer),
      m_version(version),
      m_state(std::move(memory)),
      m_arrived(static_cast<std::size_t>(stateChunkCount(m_state->size()))),
      m_missing(stateChunkCount(m_state->size())) {}

Result<void> StateAssembly::add(const TensorFrame &frame) {
    const TensorHeader &header = frame.header;
    if (!isStateChunk(header) || header.stage != m_layer || header.version != m_version)
        return badState(sentence("It is of layer %1 at version %2; layer %3 at version %4 is awaited.")
                            .arg(header.stage)
                            .arg(header.version)
                            .arg(m_layer)
                            .arg(m_version));
    const std::size_t index = header.firstSample;
    const bool isPacked = header.slot == packedSlot;
    if (header.sampleCount != m_arrived.size() || index >= m_arrived.size() ||
        (!isPacked && frame.payload->size() != stateChunkSize(m_state->size(), static_cast<int>(index))))
        return badState(sentence("Chunk %1 of %2 with %3 bytes; the state has %4 bytes in %5 chunks.")
                            .arg(index)
                            .arg(header.sampleCount)
                            .arg(frame.payload->size())
                            .arg(m_state->size())
                            .arg(m_arrived.size()));
    if (m_arrived[index])
        return badState(sentence("Chunk %1 came twice.").arg(index));
    const auto place =
        m_state->bytes().subspan(static_cast<std::size_t>(stateChunkOffset(static_cast<int>(index))),
                                 static_cast<std::size_t>(stateChunkSize(m_state->size(), static_cast<int>(index))));
    const std::span<const std::byte> payload = std::as_const(*frame.payload).bytes();
    if (!isPacked)
        std::ranges::copy(payload, place.begin());
    else if (!unpackPlanes(payload, place))
        return badState(sentence("Chunk %1 is damaged: its %2 bytes do not unpack to %3.")
                            .arg(index)
                            .arg(payload.size())
                            .arg(place.size()));
    m_arrived[index] = true;
    --m_missing;
    return {};
}

}  // namespace hearth
