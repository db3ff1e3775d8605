// Has the kernel leave connections unanswered.
#pragma once

#include <QHostAddress>
#include <QList>
#include <QtGlobal>

#include "core/base/error.h"

namespace hearth {

/// A filter on a listening TCP socket (socket(7), SO_ATTACH_FILTER; needs no rights): of packets that ask for a new
/// connection it drops those from `shutOut`, passes those from `passed` and from this machine, and of all others a
/// random `share`. Whoever is dropped gets no answer, so TCP asks again after a second; this process is not woken.
/// Replaces an earlier filter. Error "wire.no-sieve" where the kernel has none. Linux; any thread.
Result<void> sieveConnections(qintptr listener, const QList<QHostAddress> &passed, const QList<QHostAddress> &shutOut,
                              double share);
/// Takes the filter from a listening socket, or from one that was accepted from it, which has inherited it.
void removeSieve(qintptr socket);

}  // namespace hearth
