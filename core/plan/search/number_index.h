// A hash table for the one thing that searches look up in every step: a number by another.
#pragma once

#include <QtGlobal>
#include <vector>

namespace hearth {

/// From any number but the largest to a number. One array, searched from the key's place on.
class NumberIndex {
  public:
    NumberIndex() { clear(); }

    /// The place of the key's value: `missing` at first. Valid until the next call.
    int &operator[](quint64 key) {
        std::size_t place = placeOf(key);
        if (m_entries[place].key == key)
            return m_entries[place].value;
        if (2 * ++m_size > m_entries.size()) {
            grow();
            place = placeOf(key);
        }
        m_entries[place].key = key;
        return m_entries[place].value;
    }
    std::size_t size() const { return m_size; }
    void clear() {
        m_entries.assign(smallest, Entry{});
        m_size = 0;
    }

    static constexpr int missing = -1;

  private:
    static constexpr quint64 empty = ~quint64{0};
    static constexpr std::size_t smallest = 1024;  // sizes are powers of two
    struct Entry {
        quint64 key = empty;
        int value = missing;
    };

    std::size_t placeOf(quint64 key) const {
        const quint64 mixed = (key ^ key >> 32) * 0x9e3779b97f4a7c15ULL;
        std::size_t place = static_cast<std::size_t>(mixed >> 20) & (m_entries.size() - 1);
        while (m_entries[place].key != key && m_entries[place].key != empty)
            place = (place + 1) & (m_entries.size() - 1);
        return place;
    }
    void grow() {
        std::vector<Entry> old(2 * m_entries.size());
        old.swap(m_entries);
        for (const Entry &entry : old) {
            if (entry.key != empty)
                m_entries[placeOf(entry.key)] = entry;
        }
    }

    std::vector<Entry> m_entries;
    std::size_t m_size = 0;
};

}  // namespace hearth
