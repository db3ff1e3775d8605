// Looking at this computer and its network, each look bounded in time. Nothing here blocks.
#pragma once

#include <QHostAddress>
#include <QObject>
#include <QStringList>
#include <chrono>
#include <functional>

#include "core/discovery/checks.h"

namespace hearth {

/// Each calls back once, in the calling thread, later; and not at all once `context` is gone, with which it ends.

/// Whether a TCP connection comes about. Not a byte is sent.
void probeTcp(const QString &host, quint16 port, std::chrono::milliseconds deadline, QObject *context,
              std::function<void(Reach)> answer);

/// Runs a program without a shell, found in the usual folders and those of root, and takes what it says, up to 1 MiB.
void runTool(const QString &program, const QStringList &arguments, std::chrono::milliseconds deadline, QObject *context,
             std::function<void(ToolOutput)> answer);

/// Asks all responders for their services, on every interface, from a port of its own (RFC 6762, section 5.1), and
/// counts who answers within `wait`. Of an answer only the header is read.
void probeMulticast(std::chrono::milliseconds wait, QObject *context, std::function<void(EchoFacts)> answer);

QList<InterfaceFacts> interfaceFacts();
/// The first address of an interface that devices in the network could reach; null where there is none.
QHostAddress ownAddress(const QList<InterfaceFacts> &interfaces);

}  // namespace hearth
