// Internal to core/run: one connection to a device that holds data, in the thread that has its socket.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/data_facts.h"
#include "core/run/holder_reads.h"
#include "core/run/links.h"
#include "core/wire/rpc.h"

namespace hearth {

/// How long what may take. Plain value.
struct HolderDeadlines {
    /// Its agent starts a process there.
    std::chrono::milliseconds start{60000};
    std::chrono::milliseconds dial{8000};
    /// Several of the holder's beats. Reading may take as long as it takes; only silence means that it is away.
    std::chrono::milliseconds silence{6000};
    /// Between two tries to have it back: growing, so that one that is off for the night is not asked all the time.
    std::chrono::milliseconds firstPause{1000}, longestPause{15000};
};

/// One of the sets of a run that one device holds. Plain value.
struct HeldSet {
    int place = 0;  // in the job's list
    QString name;   // as it is registered there
    std::optional<DataFacts> known = {};
    qint64 gone = 0;  // files, as the holder found them last

    bool operator==(const HeldSet &) const = default;
};

/// As one text.
QString namesOf(const std::vector<HeldSet> &sets);

/// What a holder is told of the run: JSON texts. Plain value.
struct HolderOrder {
    QByteArray job, model;
    QByteArray preparation = {};  // of the job's first set; empty: it is among these, or there is none
};

/// Opens all sets of the device whenever it is connected, in their order, and passes on what HolderReads are asked for.
class HolderLine : public QObject {
    Q_OBJECT
  public:
    HolderLine(QString deviceName, std::vector<HeldSet> sets, std::shared_ptr<HolderReads> reads,
               std::unique_ptr<WorkerConnector> connector, HolderDeadlines deadlines);
    ~HolderLine() override;

    void setOrder(const HolderOrder &order) { m_order = order; }
    /// Gives up the connection that there is.
    void connectTo(const WorkerAddress &holder);
    void drop(const Error &reason);

  Q_SIGNALS:
    /// All that it holds, with what is known of it: it can be read.
    void opened(const std::vector<hearth::HeldSet> &sets);
    /// Nobody was reached, the connection ended, or the holder cannot open its sets now.
    void lost(const hearth::Error &error);
    /// It holds other data than before, and is not read any more.
    void changed(const hearth::Error &error);

  private:
    void adopt(std::unique_ptr<Channel> channel);
    void openNext();
    void takeFacts(const QCborMap &answer);
    void ask(quint64 request, const HolderCall &call);
    void receive(const TensorFrame &frame);
    void listen();
    void letGo();

    const QString m_deviceName;
    std::vector<HeldSet> m_sets;
    const std::shared_ptr<HolderReads> m_reads;
    const std::unique_ptr<WorkerConnector> m_connector;
    const HolderDeadlines m_deadlines;
    HolderOrder m_order;
    quint64 m_attempt = 0;  // the last one; others do not count any more
    bool m_isDialling = false;
    std::unique_ptr<Channel> m_channel;
    std::unique_ptr<Rpc> m_rpc;
    std::size_t m_open = 0;  // of the sets, the first ones
    QTimer m_listening;
    quint64 m_heard = 0;
    int m_silentTurns = 0;
};

/// While it is away: what is tried again until it works.
Error holderAway(const QString &deviceName, const std::vector<HeldSet> &sets, const Sentence &cause);

}  // namespace hearth
