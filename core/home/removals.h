// Who was removed from the home, in words that a device signs and all others can check: removals.json.
#pragma once

#include <QCborMap>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/home/trust_store.h"
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

/// The own roster, the newest of every other signer, and which of what they say was overruled by a pairing here. An
/// epoch never goes back: an older word of a signer, however often it is repeated, says nothing. Words only ever
/// remove; nobody becomes trusted by one.
///
/// What counts: a word that a trusted signer stands for removes every device in it, now and at every later start,
/// except where a pairing here came after it. No clock decides what came after, for those of a home may be wrong, but
/// who knew what: a word that was known here when a device was paired, or that the device itself brings along when it
/// links for the first time after that, does not count against this device; and of the newly paired device's own words
/// those do not count, for they were not said to this home. Whatever cannot be shown to have come before the pairing
/// removes: a person can pair again, and a stolen device must not stay. A word of its signer that does not name the
/// device any more ends the exception.
///
/// An own word that others have and this device does not (its folder came back from a backup) is joined with what was
/// said since, under a higher epoch. Every change is saved before it counts. One thread.
class Removals {
  public:
    static constexpr std::size_t maximumSigners = 64;

    /// `path` need not exist; a damaged file is an error, for epochs must not begin anew unnoticed.
    static Result<Removals> load(const QString &path, const Identity &identity);

    /// Adds to the own word, with the next epoch. When it is full, the lowest keys of the list go.
    Result<void> remove(const Fingerprint &device);
    /// A person here has paired it, for the first time or again.
    Result<void> readmit(const Fingerprint &device);
    /// Whether a genuine word is newer than the one known of its signer.
    bool isNews(const RemovalRoster &word) const;
    /// Keeps a genuine word, of a signer whom the caller trusts or of this device, that is newer than the one known;
    /// false: it is not. `paired`: a device that a person here has just paired and that brings the word along. Error
    /// "roster.full".
    Result<bool> take(const RemovalRoster &word, const std::optional<Fingerprint> &paired = {});
    /// A word and `paired`, as for take().
    struct Told {
        RemovalRoster word;
        std::optional<Fingerprint> paired;
    };
    struct Taken {
        std::vector<std::size_t> news;  // places in the list
        std::optional<Error> trouble;   // the first
    };
    /// The same with several in their order, and one save for all of them.
    Taken takeAll(const std::vector<Told> &words);
    /// Whether the word of that signer names the device and counts here; whether the signer is trusted is not asked.
    bool hasRemoved(const Fingerprint &signer, const Fingerprint &device) const;
    /// A device of `trust` that this one or another device of it has removed; nobody is left out for its own word. Ask
    /// again when it is gone: whom it has removed stays then.
    std::optional<Fingerprint> removedFrom(const TrustStore &trust) const;

    const RemovalRoster &own() const { return m_state.own; }
    /// The own word, where there is one, and the newest of all others.
    std::vector<RemovalRoster> words() const;

  private:
    Removals(QString path, Identity identity) : m_path(std::move(path)), m_identity(std::move(identity)) {}
    using Words = std::map<Fingerprint, RemovalRoster>;
    using Overruled = std::set<std::pair<Fingerprint, Fingerprint>>;  // signer and device

    /// What is kept.
    struct State {
        RemovalRoster own;
        Words others;
        Overruled overruled;  // only what the words of `others` say
    };

    Result<RemovalRoster> signedWord(std::set<Fingerprint> removed, quint64 epoch) const;
    bool isNewsFor(const State &state, const RemovalRoster &word) const;
    /// What is news.
    Result<void> join(State &state, const Told &told) const;
    Result<void> joinOwn(State &state, const Told &told) const;
    Result<void> change(State state);

    QString m_path;
    Identity m_identity;
    State m_state;
};

}  // namespace hearth
