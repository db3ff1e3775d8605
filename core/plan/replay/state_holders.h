// Who holds the state of which layer, and from whom it goes to those who lack it.
#pragma once

#include <QMap>
#include <QSet>
#include <QStringList>
#include <functional>
#include <vector>

#include "core/plan/held_states.h"
#include "core/plan/plan.h"

namespace hearth {

/// All that devices hold, of all versions, as they tell it. Ranges that reach beyond the model are cut where they are
/// read. Devices are ids of the caller's choice, the same ones everywhere.
using HeldByDevice = QMap<QString, std::vector<HeldState>>;

/// The devices that hold each layer's whole state at one version, or copies of it. Plain value, any thread.
class StateHolders {
  public:
    StateHolders() = default;
    /// Of that version.
    StateHolders(const HeldByDevice &held, quint64 version, int layers);
    /// Those that compute the layers.
    explicit StateHolders(const Plan &plan);

    void add(int layer, const QString &device);
    void add(const StateHolders &others);
    void remove(const QSet<QString> &devices);
    bool holds(const QString &device, int layer) const { return of(layer).contains(device); }
    /// By id; nobody of a layer that is not known.
    const QStringList &of(int layer) const;
    bool isEmpty() const;
    /// Layers that have a state and nobody who holds it; `bytes` of each.
    std::vector<int> lacking(const std::vector<qint64> &bytes) const;
    bool operator==(const StateHolders &) const = default;

  private:
    std::vector<QStringList> m_devices;  // by layer
};

/// Bytes per second from one device to another; 0: unreachable. An empty function: all pairs alike.
using LinkRate = std::function<double(const QString &from, const QString &to)>;

struct LayerMove {
    int layer = 0;
    QString from;  // empty: the disk of whoever asks
    QString to;
    qint64 bytes = 0;
    bool operator==(const LayerMove &) const = default;
};
qint64 movedBytes(const std::vector<LayerMove> &moves);

/// Gives layers to senders: one that several devices hold comes from the one that is done with it soonest, given what
/// it sends already (bytes over the rate of the pair); equal ones by id. Layers with one source are given out first,
/// then the largest. A layer without state never moves. One use.
class StateMover {
  public:
    /// `bytes` of each layer's state. `isOnDisk`: whoever asks has all of them, too, and is the last to be asked.
    StateMover(StateHolders holders, std::vector<qint64> bytes, LinkRate rate, bool isOnDisk = false)
        : m_holders(std::move(holders)), m_bytes(std::move(bytes)), m_rate(std::move(rate)), m_isOnDisk(isOnDisk) {}
    /// Bytes that devices send anyhow.
    void setSending(QMap<QString, qint64> bytes) { m_sending = std::move(bytes); }

    /// That device is to have this layer; nothing where it has it. False: nobody who has it reaches that device.
    bool need(int layer, const QString &device);
    /// By layer, then receiver.
    std::vector<LayerMove> moves();

  private:
    struct Need {
        int layer = 0;
        QString to;
        QStringList from;  // by id; empty: the disk alone
    };
    QString soonest(const Need &need) const;
    double rate(const QString &from, const QString &to) const { return m_rate ? m_rate(from, to) : 1; }

    StateHolders m_holders;
    std::vector<qint64> m_bytes;
    LinkRate m_rate;
    bool m_isOnDisk;
    QMap<QString, qint64> m_sending;
    std::vector<Need> m_needs;
};

}  // namespace hearth
