// A run as a row of History's index.
#pragma once

#include <QSqlQuery>
#include <QVariant>

#include "core/history/run_summary.h"

namespace hearth {

/// The summary, and how far the run's events were read. Plain value.
struct RunRecord {
    qint64 key = 0;  // of the row; 0: not stored yet
    RunSummary summary;
    qint64 size = -1;   // of events.jsonl when all of it was read last
    qint64 offset = 0;  // bytes of events.jsonl that were read; negative: all of it is to be read again
    QByteArray head;    // digest of its first bytes: whether it is the same file still
    QStringList deviceIds, deviceNames;                 // of all that were told, in that order
    QStringList workedIds;                              // of those that did a part of any round
    double toldSamplesPerSecond = RunSummary::unknown;  // by the run itself, at its end

    /// The names of all columns but the key; each has a place in `values()`.
    static QStringList columns();
    QVariantList values() const;
    /// Of a query for the key and `columns()`.
    static RunRecord fromRow(const QSqlQuery &query);
};

}  // namespace hearth
