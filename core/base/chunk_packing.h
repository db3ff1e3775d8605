// Whether packing chunks of states, or what crosses a cut, makes them arrive earlier.
#pragma once

#include <QtGlobal>
#include <chrono>

namespace hearth {

/// As values alone: the owner packs, reads threadTime() and says what came of it. What packing costs and saves is
/// measured on the chunks themselves, old ones counting less and less. One thread.
class ChunkPacking {
  public:
    /// What packing is compared with: nobody waits for a chunk of a state, a round waits for what crosses its cuts.
    enum class Against { Sending, SavedSending };
    explicit ChunkPacking(Against against = Against::Sending) : m_against(against) {}

    /// A chunk is packed while the one before is being sent: this must take so many times less at least, for the same
    /// processor encrypts, and computes rounds; what is compared with savings alone is also unpacked.
    static constexpr double faster = 2;
    static constexpr double leastSaved = 0.02;  // of the bytes: less is not worth the work
    /// While packing does not pay, so many chunks go as they are at first before some are tried again, which may be
    /// others.
    static constexpr int pause = 64;
    static constexpr int longestPause = 4096;            // it doubles while packing goes on not to pay
    static constexpr double fastLink = 1e9;              // bytes a second: nothing is packed as fast, and none is tried
    static constexpr qint64 leastBytes = 4 << 10;        // of a tensor: there is little to save of smaller ones
    static constexpr int tried = 4;                      // the first of them finds cold memory
    static constexpr double usualSecondsPerByte = 4e-9;  // beside computing, where nobody has measured it

    /// Of what crosses cuts: slower links than this, in bytes per second, have packing pay that leaves `part` of the
    /// bytes.
    static double paysBelow(double part, double secondsPerByte = usualSecondsPerByte);

    /// By what is known; false while nothing is, also of the link (0).
    bool pays(double linkBytesPerSecond) const;
    /// The next one may be packed.
    bool mayPack(double linkBytesPerSecond) const;
    /// Asked once for every chunk that is sent.
    bool packsNext(double linkBytesPerSecond);
    /// A chunk of `raw` bytes took so long, and has `packed` bytes now: as many as before where there were none to
    /// save.
    void packed(qint64 raw, qint64 packed, std::chrono::nanoseconds took);

  private:
    Against m_against;
    double m_secondsPerByte = 0;  // 0: nothing is known
    double m_savedPart = 0;
    int m_tries = tried;  // that are left
    int m_untried = 0;    // chunks since then
    int m_pause = pause;  // until the next ones
};

}  // namespace hearth
