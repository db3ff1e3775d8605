// libssh's handles with owners. Included by ssh_*.cpp only.
#pragma once

#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <QString>
#include <functional>
#include <memory>

#include "core/install/ssh_host.h"

namespace hearth {

template <auto release>
struct Releases {
    template <class T>
    void operator()(T *handle) const {
        release(handle);
    }
};
template <class T, auto release>
using Handle = std::unique_ptr<T, Releases<release>>;

using SessionHandle = Handle<ssh_session_struct, &ssh_free>;
using ChannelHandle = Handle<ssh_channel_struct, &ssh_channel_free>;
using KeyHandle = Handle<ssh_key_struct, &ssh_key_free>;

struct SshHost::Private {
    SshTarget target;
    std::function<bool()> isCancelled;
    SessionHandle session;
    ssh_callbacks_struct callbacks{};
    AskPassphrase askPassphrase;
    bool gaveUp = false;  // at a passphrase

    /// A sentence of libssh, which has no full stop.
    Sentence lastError() const;
    Error lost(const QString &doing) const;
    /// An attempt to log in that may need several calls; then what it means.
    int login(const std::function<int()> &attempt) const;
    Result<bool> judge(int outcome) const;
};

}  // namespace hearth
