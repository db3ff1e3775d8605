// Run directories for tests of History: events appended as a coordinator writes them.
#pragma once

#include <QDir>
#include <QFile>
#include <QTest>
#include <functional>

#include "core/run/job.h"
#include "core/run/run_event.h"

namespace hearth {

/// One run below `folder`; every event gets the next seq, and half a second.
class RunWriter {
  public:
    RunWriter(const QString &folder, const QString &id, const Job &job = Job()) : m_id(id), m_job(job) {
        QDir().mkpath(folder + QLatin1Char('/') + id);
        m_file.setFileName(folder + QLatin1Char('/') + id + QStringLiteral("/events.jsonl"));
        if (!m_file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
            qFatal("cannot write %s", qPrintable(m_file.fileName()));
    }
    QString path() const { return m_file.fileName(); }

    void begin(const QString &started = QStringLiteral("2026-11-20T09:00:00Z")) {
        add(event::Run{m_id, started, m_job.toJson(), {}});
        add(event::Device{QString(64, QLatin1Char('a')), QStringLiteral("laptop"), QStringLiteral("ready"), {}});
        add(event::Device{QString(64, QLatin1Char('b')), QStringLiteral("nano"), QStringLiteral("ready"), {}});
        add(event::Plan{1, 1, {}, QStringLiteral("first")});
        add(event::State{QStringLiteral("training")});
    }
    void add(const RunEventBody &body) {
        ++m_seq;
        raw(eventLine(m_seq, static_cast<double>(m_seq) * 0.5, body) + '\n');
    }
    void round(qint64 round, double loss, quint32 term = 1, double speed = 100) {
        event::Round one;
        one.round = round;
        one.term = term;
        one.version = static_cast<quint64>(round);
        one.loss = loss;
        one.roundS = 1.28;
        one.samplesPerS = speed;
        add(one);
    }
    /// Rounds 1 to `count` at once, as `shape` makes them.
    void rounds(int count, const std::function<void(event::Round &)> &shape = {}) {
        QByteArray lines;
        for (int i = 1; i <= count; ++i) {
            event::Round round;
            round.round = i;
            if (shape)
                shape(round);
            ++m_seq;
            lines += eventLine(m_seq, static_cast<double>(m_seq) * 0.5, round) + '\n';
        }
        raw(lines);
    }
    void raw(const QByteArray &bytes) { m_file.write(bytes); }
    quint64 seq() const { return m_seq; }

  private:
    QString m_id;
    Job m_job;
    QFile m_file;
    quint64 m_seq = 0;
};

}  // namespace hearth
