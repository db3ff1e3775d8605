// The agent's part in discovery: it announces its device, and knows who else does.
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <chrono>
#include <memory>

#include "core/discovery/computer_book.h"
#include "core/discovery/nearby_book.h"
#include "core/home/home_links.h"
#include "core/home/ignore_list.h"

namespace hearth {

/// What is announced makes nobody trusted and changes nothing about a trusted device: it only tells HomeLinks where
/// else to look for it. Main thread; `trust`, `ignored` and `links` outlive it.
class AgentNearby : public QObject {
    Q_OBJECT
  public:
    /// Changes are gathered: a home that comes back from a power cut is told of in a few notes, and a flood costs as
    /// little.
    static constexpr std::chrono::milliseconds gatherFor{100};
    static constexpr std::chrono::milliseconds shortestPause{250};
    /// In which those who are there have answered the first question, and this device stands announced.
    static constexpr std::chrono::milliseconds settling{1500};

    /// So long computers that offer SSH are looked for after somebody has asked: who shows them asks again and again.
    static constexpr std::chrono::milliseconds computersShownFor{15000};
    /// Between two looks for whom there was no room before; a flood that comes and goes costs no more.
    static constexpr std::chrono::milliseconds lookPause{10000};

    AgentNearby(std::unique_ptr<DiscoverySource> source, const TrustStore &trust, const IgnoreList &ignored,
                HomeLinks &links, Fingerprint own);
    ~AgentNearby() override;

    /// Announces the device where its agent listens; one that only this machine can reach is not announced.
    void start(const QString &name, const QHostAddress &listens, quint16 port);
    /// The same under another name: all who are there are looked for anew.
    void announceAs(const QString &name);
    const Nearby &nearby() const { return m_nearby; }
    /// By the digits of the keys: those announced addresses that lead nowhere but home, which may be tried.
    QHash<QString, QStringList> addresses() const;
    /// How long a list would still miss most of those who are there; 0 once the agent has run for a moment.
    std::chrono::milliseconds settlesIn() const { return settlesIn(m_started); }
    /// nearby() tells of computers, too, for computersShownFor. Returns how long it would still miss most of them.
    std::chrono::milliseconds lookForComputers();
    /// The list is made anew: who is trusted, or ignored, may have changed.
    void refresh();

  Q_SIGNALS:
    void changed();

  private:
    std::chrono::milliseconds settlesIn(std::chrono::steady_clock::time_point began) const;
    QSet<QString> placesWithHearth() const;
    void update();
    void tellAddresses();

    std::unique_ptr<DiscoverySource> m_source;
    const TrustStore &m_trust;
    const IgnoreList &m_ignored;
    HomeLinks &m_links;
    NearbyBook m_book;
    ComputerBook m_computers;
    DiscoveryStatus m_status;
    Nearby m_nearby;
    QSet<QString> m_hinted;  // prefixes of trusted devices whose announced addresses are known
    QString m_name;          // of this device
    QHostAddress m_listens;
    quint16 m_port = 0;
    QTimer m_gather;
    QTimer m_look;
    QTimer m_computersShown;
    std::chrono::steady_clock::time_point m_computersSince{};  // they are looked for
    std::chrono::steady_clock::time_point m_looked{};
    std::chrono::steady_clock::time_point m_started{};
    std::chrono::steady_clock::time_point m_updated{};
};

}  // namespace hearth
