// How far another device's clock is from this one's, from questions and answers.
#pragma once

#include <QtGlobal>
#include <optional>

namespace hearth {

/// Cristian's algorithm, as NTP uses it: the far clock was read somewhere between question and answer, so taking the
/// middle is wrong by half of the round trip at most, however unevenly the two ways share it. The answer with the
/// smallest bound wins; bounds grow with age, since clocks drift apart. Nanoseconds of steady clocks. Plain value.
class ClockOffset {
  public:
    /// Two crystals of 50 millionths each, a usual limit of a computer's.
    static constexpr double drift = 1e-4;
    /// No clock is further from its beginning, either way: 73 years. Sums and differences of such times are numbers.
    static constexpr qint64 furthest = qint64{1} << 61;

    /// A question left at `asked` and its answer came at `answered` by this clock; the far one then said `told`, which
    /// counts for nothing beyond `furthest`.
    void add(qint64 asked, qint64 told, qint64 answered);
    bool isKnown() const { return m_best.has_value(); }
    /// A moment of the far clock by this one's. Only when known.
    qint64 toLocal(qint64 far) const { return far - m_best->offset; }
    /// How far toLocal() may be off for a moment near `now` by this clock. Only when known.
    qint64 errorAt(qint64 now) const;

  private:
    struct Answer {
        qint64 offset;  // far minus local
        qint64 error;
        qint64 at;  // local
    };
    std::optional<Answer> m_best;
};

}  // namespace hearth
