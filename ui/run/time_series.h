// One measured quantity over the time of a run, in memory that never grows.
#pragma once

#include <QtGlobal>
#include <optional>
#include <vector>

namespace hearth {

/// The newest values are held one by one; the same values and older ones in buckets of 4, 16, 64, … values, each level
/// in a ring of its own: the further back, the coarser. A bucket keeps its least, greatest and mean value, so that
/// peaks survive. All memory is taken by the first value. Plain value, any thread.
class TimeSeries {
  public:
    /// Values held one by one, and buckets of each level. With the defaults a value per second is seen one by one for
    /// 18 hours; fifty per second reach back more than a week.
    struct Size {
        int values = 65536;
        int buckets = 2048;
    };
    /// What is known of some time: a single value, or several that follow each other.
    struct Piece {
        double from = 0, to = 0;  // seconds; of the first and the last value
        double least = 0, most = 0, mean = 0;
        quint32 count = 0;
        bool breakBefore = false;  // silence between the piece before and this one
    };

    explicit TimeSeries(Size size);
    TimeSeries() : TimeSeries(Size{}) {}

    /// O(1) on average. `t` (from 0) must not lie before the last one; a value that is no number is left out.
    void append(double t, double value);
    /// Whatever comes next is not connected with what was: silence lies between.
    void breakHere() { m_breakNext = !isEmpty(); }
    /// Takes back what lies behind `t`. Where single values do not reach back to `t`, up to one bucket before `t` goes
    /// as well.
    void dropAfter(double t);
    void clear();

    bool isEmpty() const { return m_end == 0; }
    /// Values that were appended and not taken back.
    qint64 count() const { return m_end; }
    double lastT() const;
    /// Ascending: what covers `from` to `to`, and one piece on either side so that lines run to the edges. About `most`
    /// pieces, never more than twice as many; silence too short to be seen among so many is left out. Which values form
    /// a piece does not change while new ones come.
    std::vector<Piece> read(double from, double to, int most) const;
    /// All that is known, ascending, each time in the finest detail that there is of it.
    std::vector<Piece> all() const;
    /// The piece that holds `t`, else the last before it; nothing in silence, before the first and after the last.
    std::optional<Piece> at(double t) const;
    /// Bytes that this series takes.
    std::size_t memory() const;

  private:
    struct Value {
        // A break before it is kept in its sign: a flag would cost eight bytes.
        double signedT;
        double value;
    };
    /// 32 bytes: there are many.
    struct Bucket {
        double from, to;
        float least, most, mean;
        quint32 count : 31;
        quint32 breakBefore : 1;
    };
    template <class Item>
    class Ring {
      public:
        explicit Ring(int capacity) : m_capacity(static_cast<std::size_t>(capacity)) {}
        void takeMemory() { m_items.resize(m_capacity); }
        void push(const Item &item) {
            m_items[index(m_size)] = item;
            if (m_size < m_capacity) {
                ++m_size;
                return;
            }
            m_first = index(1);
            m_forgot = true;
        }
        void pop() { --m_size; }
        void clear() {
            m_first = m_size = 0;
            m_forgot = false;
        }
        std::size_t size() const { return m_size; }
        bool isEmpty() const { return m_size == 0; }
        /// Whether what was pushed once has been overwritten.
        bool forgot() const { return m_forgot; }
        const Item &operator[](std::size_t at) const { return m_items[index(at)]; }
        const Item &front() const { return m_items[m_first]; }
        const Item &back() const { return m_items[index(m_size - 1)]; }
        std::size_t memory() const { return m_items.capacity() * sizeof(Item); }

      private:
        std::size_t index(std::size_t at) const { return (m_first + at) % m_capacity; }
        std::size_t m_capacity;
        std::vector<Item> m_items;
        std::size_t m_first = 0, m_size = 0;
        bool m_forgot = false;
    };
    struct Level {
        explicit Level(int capacity) : closed(capacity) {}
        Ring<Bucket> closed;
        qint64 end = 0;        // values in closed buckets since the beginning
        Bucket open{};         // meaningful with children
        quint32 children = 0;  // of the open bucket
    };

    static Bucket bucketOf(const Value &value);
    static Piece pieceOf(const Value &value);
    static Piece pieceOf(const Bucket &bucket);
    static void merge(Bucket &bucket, const Bucket &next);
    static void merge(Piece &piece, const Piece &next);
    void takeMemory();
    void give(std::size_t level, const Bucket &bucket);
    void close(std::size_t level);
    void refill(std::size_t level);
    bool reachesBackTo(std::size_t level, double t) const;
    std::vector<Piece> collect(std::size_t level, double from, double to, std::size_t enough,
                               qint64 &firstOrdinal) const;

    Ring<Value> m_values;
    qint64 m_end = 0;
    bool m_breakNext = false;  // before the next value
    std::vector<Level> m_levels;
};

}  // namespace hearth
