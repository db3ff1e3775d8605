// Puts what the devices took down together: one clock, one track per device and per directed link.
#pragma once

#include <QMap>
#include <QString>
#include <map>
#include <vector>

#include "core/plan/plan.h"
#include "core/protocol/round_trace.h"
#include "core/run/clock_offset.h"
#include "core/run/trace_file.h"

namespace hearth {

/// A device of the run and its worker.
struct TracedDevice {
    QString id;
    QString name;
    QString worker;  // its fingerprint in hex, by which traces name it
    bool hasSeveralStages = false;
};

/// One round as the coordinator saw it, and as its members did. Nanoseconds of the coordinator's steady clock, but in
/// `members`, which have their own.
struct TracedRound {
    qint64 round = 0;
    qint64 start = 0;
    qint64 end = 0;
    QJsonObject args;
    std::map<QString, RoundTrace> members;              // by worker
    std::map<QString, std::vector<TraceFrame>> served;  // by the coordinator, to each worker
    std::map<QString, ClockOffset> clocks;              // by worker; those that are unknown are left out
};

/// Writes rounds into a trace file. Bars of one track never overlap: a tensor on a link begins when it was handed over
/// or when the one before it was there, whichever is later, and a better guess of a clock never moves a bar into the
/// one before. Where a device has several stages a bar is named by stage and micro-batch ("forward 2.0"), else by its
/// micro-batch. One thread. `file` must outlive it.
class RunTimeline {
  public:
    /// `origin`: the moment of the coordinator's clock that is zero in the file.
    RunTimeline(TraceFile &file, qint64 origin, const std::vector<TracedDevice> &devices);

    /// Under another plan: a device keeps its track, whatever its worker is now; others get the next ones.
    void setDevices(const std::vector<TracedDevice> &devices);
    /// False once the file is full; the round may then be there in part, and a mark says so.
    bool add(const TracedRound &round);
    /// The schedule that the plan predicts for a round, beside the measured one; `start` is where it begins.
    bool addPrediction(const std::vector<ScheduledTask> &schedule, qint64 start);

  private:
    struct Track {
        int tid = 0;
        qint64 end = 0;  // of its last bar
    };
    Track &link(const QString &from, const QString &to);
    QString nameOf(const QString &worker) const;
    bool hasSeveralStages(const QString &worker) const;
    void addSpans(const TracedRound &round, std::vector<TraceEvent> &events);
    void addFrames(const TracedRound &round, std::vector<TraceEvent> &events);
    void addLink(const TracedRound &round, const QString &sender, const QString &receiver,
                 std::vector<TraceEvent> &events);
    bool write(std::vector<TraceEvent> events);

    TraceFile &m_file;
    qint64 m_origin;
    std::vector<TracedDevice> m_devices;
    std::map<QString, Track> m_members;                    // by worker
    std::map<std::pair<QString, QString>, Track> m_links;  // by workers, from and to
};

}  // namespace hearth
