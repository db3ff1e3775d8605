// The page for a phone, served by HTTP to whoever knows its address.
#pragma once

#include <QHostAddress>
#include <QTcpServer>
#include <chrono>
#include <functional>

#include "core/home/announcement.h"

class QTcpSocket;

namespace hearth {

/// Those below the agent's, so that a firewall can know them.
struct PhonePorts {
    quint16 first = 47590, last = 47599;
};

/// Whether a request may come from there: from this computer, from private and link-local addresses, and from the
/// networks that this computer is in.
bool mayAskPhonePage(const QHostAddress &peer, const QList<Subnet> &subnets);

/// Answers GET of two paths below a random one, each request on a connection of its own, and knows nothing else of
/// HTTP: no header of a request counts. So little of it is needed that a connection can be bounded before anything is
/// read. The address is void when this ends. GUI thread; nothing here blocks.
class PhoneServer : public QTcpServer {
    Q_OBJECT
  public:
    enum class Part { Page, State };
    using Content = std::function<QByteArray(Part)>;

    static constexpr int mostConnections = 16;
    static constexpr int mostOfOneAddress = 4;    // of them: no device locks the others out
    static constexpr qsizetype mostBytes = 8192;  // of a request

    explicit PhoneServer(QObject *parent = nullptr);
    /// What is served from now on; called for each request.
    void setContent(Content content) { m_content = std::move(content); }
    /// From the first byte of a connection to the last; for tests.
    void setConnectionTime(std::chrono::milliseconds time) { m_connectionTime = time; }
    /// On the first of these ports that is free, at all addresses of this computer. Error "phone.no-port".
    Result<void> begin(PhonePorts ports = {});
    /// What a browser opens: "http://192.168.1.7:47590/…/".
    QString addressAt(const QHostAddress &host) const;

  protected:
    void incomingConnection(qintptr handle) override;

  private:
    bool hasRoomFor(const QTcpSocket &socket) const;
    void read(QTcpSocket &socket) const;
    QByteArray answer(const QByteArray &requestLine) const;
    bool isSecret(const QByteArray &given) const;

    QByteArray m_secret;  // 128 random bits, as characters of a path
    Content m_content;
    // A page and its state are small, and the network is that of a home.
    std::chrono::milliseconds m_connectionTime{10'000};
};

}  // namespace hearth
