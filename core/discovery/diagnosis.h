// Finds out why a device cannot be seen: all looks at once, and what each of them found.
#pragma once

#include <QObject>
#include <QPointer>
#include <chrono>
#include <functional>
#include <vector>

#include "core/discovery/checks.h"

namespace hearth {

/// What the agent knows when it begins to look.
struct DiagnosisOrder {
    struct Device {
        QString id;  // digits of its key
        QString name;
        bool isPaired = false;
        bool isLinked = false;
        QStringList addresses;  // "host:port"; of a linked one that of the link
    };
    /// What a linked device says of the way back; nothing where it does not answer.
    struct Back {
        QString seenAt;
        bool reached = false;
        qint64 aheadMs = 0;  // of its clock
    };
    using AskBack = std::function<void(const QString &id, QObject *context, std::function<void(std::optional<Back>)>)>;

    DiscoveryStatus status;
    QString listenHost;
    quint16 port = 0;
    quint16 lastPort = 0;  // of its workers, behind its own; 0: they have the usual ones
    std::vector<Device> devices;
    AskBack askBack;
};

/// Begins in the next turn of the event loop and ends within `longest`. First all findings that will come are told as
/// pending. One thread.
class Diagnosis : public QObject {
    Q_OBJECT
  public:
    static constexpr std::chrono::milliseconds tcpDeadline{2500};
    static constexpr std::chrono::milliseconds toolDeadline{3000};
    static constexpr std::chrono::milliseconds multicastWait{1500};
    static constexpr std::chrono::milliseconds longest{8000};
    static constexpr std::size_t maximumDevices = 16;  // that are looked for

    /// `tcp`: for a connection to an address that is tried.
    explicit Diagnosis(DiagnosisOrder order, QObject *parent = nullptr, std::chrono::milliseconds deadline = longest,
                       std::chrono::milliseconds tcp = tcpDeadline);
    /// In the order in which they were told first.
    const std::vector<Finding> &findings() const { return m_findings; }

  Q_SIGNALS:
    void found(const hearth::Finding &finding);
    void finished();

  private:
    void start();
    void expect(const QString &id, const Sentence &subject);
    void tell(const Finding &finding);
    void lookAtHost();
    void lookAtFirewall();
    void lookForDevice(const DiagnosisOrder::Device &device);
    void tryAddresses(const DiagnosisOrder::Device &device, const QStringList &addresses);
    void askBack(const DiagnosisOrder::Device &device);
    void giveUp();

    DiagnosisOrder m_order;
    std::chrono::milliseconds m_tcpDeadline;
    std::vector<Finding> m_findings;
    FirewallFacts m_firewall;
    int m_tools = 0;
    bool m_isOver = false;
};

}  // namespace hearth
