#include "core/data/seen_rows.h"

#include <limits>

#include "core/data/row_labels.h"

namespace hearth {

void SeenRows::add(const Row &row, const QString &label) {
    constexpr std::size_t most = RowLabels::Limits::classes;
    Each each{row.place, row.line, 0, row.split};
    if (const auto known = m_labels.constFind(label); known != m_labels.constEnd()) {
        each.label = *known;
    } else if (m_texts.size() < most) {
        each.label = static_cast<quint32>(m_texts.size());
        m_labels.insert(label, each.label);
        m_texts.push_back(label);
    } else {
        each.label = static_cast<quint32>(most + m_numbers.size());
        m_numbers.push_back(numberOf(label).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    m_rows.push_back(each);
    ++m_counts[static_cast<std::size_t>(row.split)];
}

void SeenRows::end(std::shared_ptr<const RowFiles> files, BrokenRows broken) {
    m_files = std::move(files);
    m_broken = std::move(broken);
    m_labels.clear();
}

SeenRows::Each SeenRows::takeFirst() {
    const Each first = m_rows.front();
    m_rows.pop_front();
    return first;
}

}  // namespace hearth
