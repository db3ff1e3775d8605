// The state of a layer on its way between devices: cut into chunks that other tensors can pass between.
#pragma once

#include <memory>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/wire/tensor_frame.h"

namespace hearth {

/// Small enough that an activation never waits long behind one: 5 ms at 100 Mbit/s.
constexpr qint64 stateChunkBytes = 64 << 10;

/// The version of a layer's frozen tensors, which travel like a state that never changes.
constexpr quint64 frozenVersion = ~quint64{0};

/// Which state, and which chunk of it. In a frame of kind Replica and type UInt8: `stage` is the layer, `version` the
/// state's, `firstSample` the chunk, `sampleCount` how many there are; `slot` is 2 where packPlanes() has written it.
struct StateChunk {
    int layer = 0;
    quint64 version = 0;
    int index = 0;
    int count = 1;
};

/// "wire.bad-state", of a chunk that does not fit.
tl::unexpected<Error> badState(const Sentence &cause);

/// Chunks of a state of that many bytes; a state of none takes none.
int stateChunkCount(qint64 bytes);
bool isStateChunk(const TensorHeader &header);
/// The chunk's place in the state.
qint64 stateChunkOffset(int index);
qint64 stateChunkSize(qint64 stateBytes, int index);
TensorHeader stateChunkHeader(const StateChunk &chunk, qint64 stateBytes, quint32 term);
/// The bytes of one chunk; the payload keeps the state alive.
Payload stateChunkPayload(const std::shared_ptr<const Buffer> &state, int index);
/// The same chunk with fewer bytes; false, and nothing changes, where there are none to save.
bool packStateChunk(TensorHeader &header, Payload &payload);

/// Puts the chunks of one state together, in any order, each once. One thread.
class StateAssembly {
  public:
    StateAssembly(int layer, quint64 version, qint64 bytes);
    /// Into memory of the state's size that nobody else writes or reads until it is complete().
    StateAssembly(int layer, quint64 version, std::shared_ptr<Buffer> memory);

    /// Errors ("wire.bad-state"): another layer, version or count, a chunk that came before or has a wrong size.
    Result<void> add(const TensorFrame &frame);
    bool complete() const { return m_missing == 0; }
    /// That chunk came before; false for one that does not exist.
    bool has(quint32 index) const { return index < m_arrived.size() && m_arrived[index]; }
    /// Once complete().
    std::shared_ptr<const Buffer> state() const { return m_state; }
    quint64 version() const { return m_version; }

  private:
    int m_layer;
    quint64 m_version;
    std::shared_ptr<Buffer> m_state;
    std::vector<bool> m_arrived;
    int m_missing;
};

}  // namespace hearth
