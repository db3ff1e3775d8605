#include "core/history/run_record.h"

#include <QJsonDocument>
#include <tuple>

#include "core/history/index_database.h"

namespace hearth {
namespace {

QVariant stored(const QString &value) {
    // A null string would become NULL, and NULL is no key.
    return value.isNull() ? QStringLiteral("") : value;
}
QVariant stored(const QByteArray &value) {
    return value;
}
QVariant stored(double value) {
    return storedReal(value);
}
QVariant stored(qint64 value) {
    return value;
}
QVariant stored(int value) {
    return value;
}
QVariant stored(quint64 value) {
    return static_cast<qint64>(value);
}
// Neither ids nor names of devices hold line ends.
QVariant stored(const QStringList &value) {
    return value.join(QLatin1Char('\n'));
}

QVariant stored(const QJsonObject &value) {
    return QString::fromUtf8(QJsonDocument(value).toJson(QJsonDocument::Compact));
}

void read(const QVariant &value, QString &into) {
    into = value.toString();
}
void read(const QVariant &value, QByteArray &into) {
    into = value.toByteArray();
}
void read(const QVariant &value, QJsonObject &into) {
    into = QJsonDocument::fromJson(value.toString().toUtf8()).object();
}
void read(const QVariant &value, double &into) {
    into = realOf(value);
}
void read(const QVariant &value, qint64 &into) {
    into = value.toLongLong();
}
void read(const QVariant &value, int &into) {
    into = value.toInt();
}
void read(const QVariant &value, quint64 &into) {
    into = static_cast<quint64>(value.toLongLong());
}
void read(const QVariant &value, QStringList &into) {
    into = value.toString().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

/// Calls `visit` with the name of each column and the member it holds.
template <class Record, class Visitor>
void eachColumn(Record &record, const Visitor &visit) {
    auto &s = record.summary;
    visit("folder", s.folder);
    visit("id", s.id);
    visit("size", record.size);
    visit("modified", s.modified);
    visit("bytes", s.bytes);
    visit("offset", record.offset);
    visit("head", record.head);
    visit("state", s.state);
    visit("started", s.started);
    visit("model", s.model);
    visit("data", s.data);
    visit("job", s.job);
    visit("only", s.only);
    visit("optimizer", s.optimizer);
    visit("learning_rate", s.learningRate);
    visit("batch", s.batch);
    visit("wanted_rounds", s.wantedRounds);
    visit("wanted_epochs", s.wantedEpochs);
    visit("device_ids", record.deviceIds);
    visit("device_names", record.deviceNames);
    visit("worked_ids", record.workedIds);
    visit("devices", s.devices);
    visit("rounds", s.rounds);
    visit("seconds", s.seconds);
    visit("first_loss", s.firstLoss);
    visit("loss", s.loss);
    visit("lowest_loss", s.lowestLoss);
    visit("accuracy", s.accuracy);
    visit("best_accuracy", s.bestAccuracy);
    visit("samples_per_s", s.samplesPerSecond);
    visit("told_samples_per_s", record.toldSamplesPerSecond);
    visit("joules", s.joules);
    visit("plans", s.plans);
    visit("losses", s.losses);
    visit("recoveries", s.recoveries);
    visit("replayed_rounds", s.replayedRounds);
    visit("moved_bytes", s.movedBytes);
    visit("warnings", s.warnings);
    visit("errors", s.errors);
    visit("bad_lines", s.badLines);
    visit("last_seq", s.lastSeq);
}

}  // namespace

QStringList RunRecord::columns() {
    QStringList names;
    const RunRecord any;
    eachColumn(any, [&names](const char *name, const auto &) { names << QLatin1String(name); });
    return names;
}

QVariantList RunRecord::values() const {
    QVariantList list;
    eachColumn(*this, [&list](const char *, const auto &member) { list << stored(member); });
    return list;
}

RunRecord RunRecord::fromRow(const QSqlQuery &query) {
    RunRecord record;
    record.key = query.value(0).toLongLong();
    int column = 1;
    eachColumn(record, [&](const char *, auto &member) { read(query.value(column++), member); });
    return record;
}

}  // namespace hearth
