#include "core/wire/control_budget.h"

#include <limits>
#include <vector>

#include "core/base/sentence.h"

namespace hearth {
namespace {

enum Major : quint8 { Unsigned, Negative, Bytes, Text, List, Map, Tag, Simple };
constexpr quint8 openEnd = 31;  // a length that is not told: it ends with a break

struct Head {
    Major major = Unsigned;
    quint64 argument = 0;
    bool isOpen = false;
};

/// A list, a map or a text in pieces that has begun.
struct Level {
    Major major;
    bool isOpen;
    quint64 left;  // values that are to come, where it is not open
    quint64 seen;
};

class Scan {
  public:
    Scan(const ControlBudget &budget, QByteArrayView cbor) : m_budget(budget), m_rest(cbor) {
        m_levels.reserve(static_cast<std::size_t>(budget.depth) + 1);
    }

    /// Empty: it is one value within the budget. Else a sentence.
    Sentence run() {
        do {
            if (const Sentence wrong = step(); !wrong.isEmpty())
                return wrong;
            while (!m_levels.empty() && !m_levels.back().isOpen && m_levels.back().left == 0)
                m_levels.pop_back();
        } while (!m_levels.empty());
        return m_rest.isEmpty() ? Sentence() : malformed();
    }

  private:
    static Sentence malformed() { return sentence("It is not exactly one CBOR map."); }

    bool readHead(Head &head) {
        if (m_rest.isEmpty())
            return false;
        const auto first = static_cast<quint8>(m_rest.front());
        const quint8 info = first & 0x1f;
        m_rest = m_rest.sliced(1);
        head.major = static_cast<Major>(first >> 5);
        head.argument = info;
        if (info < 24)
            return true;
        head.isOpen = info == openEnd;
        if (head.isOpen)
            return head.major != Unsigned && head.major != Negative && head.major != Tag;
        const qsizetype bytes = info < 28 ? qsizetype(1) << (info - 24) : std::numeric_limits<qsizetype>::max();
        if (bytes > m_rest.size())
            return false;
        head.argument = 0;
        for (const char byte : m_rest.first(bytes))
            head.argument = head.argument << 8 | static_cast<quint8>(byte);
        m_rest = m_rest.sliced(bytes);
        return true;
    }

    Sentence step() {
        Head head;
        if (!readHead(head))
            return malformed();
        if (++m_items > m_budget.items)
            return sentence("It has more than %1 values.").arg(m_budget.items);
        if (head.major == Simple && head.isOpen) {
            if (m_levels.empty() || !m_levels.back().isOpen)
                return malformed();
            m_levels.pop_back();
            return {};
        }
        if (!m_levels.empty()) {
            Level &level = m_levels.back();
            const bool isPiece = level.major == Text || level.major == Bytes;
            if (isPiece && (head.major != level.major || head.isOpen))
                return malformed();
            ++level.seen;
            if (!level.isOpen)
                --level.left;
            if (level.major == Map && level.seen > 2 * static_cast<quint64>(m_budget.keys))
                return sentence("A map in it has more than %1 keys.").arg(m_budget.keys);
        }
        switch (head.major) {
            case Unsigned:
            case Negative:
            case Simple:
                return {};
            case Tag:
                return sentence("It has a tag.");
            case Bytes:
            case Text:
                if (head.isOpen)
                    break;
                if (head.argument > static_cast<quint64>(m_rest.size()))
                    return malformed();
                m_rest = m_rest.sliced(static_cast<qsizetype>(head.argument));
                return {};
            case List:
            case Map:
                // Each value takes a byte at least.
                if (!head.isOpen && head.argument > static_cast<quint64>(m_rest.size()))
                    return malformed();
                break;
        }
        if (m_levels.size() >= static_cast<std::size_t>(m_budget.depth))
            return sentence("Its lists are nested more than %1 deep.").arg(m_budget.depth);
        m_levels.push_back({head.major, head.isOpen, head.major == Map ? 2 * head.argument : head.argument, 0});
        return {};
    }

    const ControlBudget &m_budget;
    QByteArrayView m_rest;
    std::vector<Level> m_levels;
    int m_items = 0;
};

}  // namespace

Result<void> mustBeWithin(const ControlBudget &budget, QByteArrayView cbor) {
    const Sentence wrong = Scan(budget, cbor).run();
    if (wrong.isEmpty())
        return {};
    return fail(QStringLiteral("wire.bad-control"), sentence("A control message could not be read."), wrong);
}

}  // namespace hearth
