// Who was removed from the home, in words that a device signs and all others can check: removals.json.
#pragma once

#include <QCborMap>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/wire/identity.h"
#include "core/wire/signature.h"

namespace hearth {

/// "I, this signer, have removed these devices; this is my word number `epoch`." The whole list each time: whoever
/// missed earlier words needs only the newest. Plain value.
struct RemovalRoster {
    static constexpr std::size_t maximumRemoved = 256;

    Fingerprint signer;
    quint64 epoch = 0;
    std::set<Fingerprint> removed;
    Signature signature;

    bool operator==(const RemovalRoster &) const = default;
    /// What is signed.
    QByteArray statement() const;
    bool isGenuine() const;
    QCborMap toCbor() const;
    /// Checks every field and the signature; error "roster.invalid".
    static Result<RemovalRoster> fromCbor(const QCborMap &map);
};

/// The own roster and the newest of every other signer. An epoch never goes back: an older word of a signer, however
/// often it is repeated, says nothing. Only what a word adds to the one before it counts as news, so that a device that
/// was paired again here is not thrown out by a word that is known already. Words only ever remove; nobody becomes
/// trusted by one. Every change is saved before it counts. One thread.
class Removals {
  public:
    static constexpr std::size_t maximumSigners = 64;

    /// `path` need not exist; a damaged file is an error, for epochs must not begin anew.
    static Result<Removals> load(const QString &path, const Identity &identity);

    /// Adds to the own word, with the next epoch. When it is full, the lowest keys of the list go.
    Result<void> remove(const Fingerprint &device);
    /// A person here has paired it again.
    Result<void> readmit(const Fingerprint &device);
    /// The devices that this word of a signer whom the caller trusts newly removes; nothing where it is not new.
    std::optional<std::vector<Fingerprint>> news(const RemovalRoster &word) const;
    /// Keeps a word that is new; call it when its news have been followed. Error "roster.full".
    Result<void> take(const RemovalRoster &word);

    const RemovalRoster &own() const { return m_own; }
    /// The own word, where there is one, and the newest of all others.
    std::vector<RemovalRoster> words() const;

  private:
    Removals(QString path, Identity identity) : m_path(std::move(path)), m_identity(std::move(identity)) {}
    Result<void> say(std::set<Fingerprint> removed);
    Result<void> save(const RemovalRoster &own, const std::map<Fingerprint, RemovalRoster> &others) const;

    QString m_path;
    Identity m_identity;
    RemovalRoster m_own;
    std::map<Fingerprint, RemovalRoster> m_others;
};

}  // namespace hearth
