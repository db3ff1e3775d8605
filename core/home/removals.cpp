#include "core/home/removals.h"

#include <QCborArray>
#include <QJsonArray>
#include <QtEndian>
#include <algorithm>
#include <iterator>

#include "core/base/cbor.h"
#include "core/base/json_reader.h"
#include "core/base/private_file.h"
#include "core/base/sentence.h"

namespace hearth {
namespace {

const QByteArray domain = QByteArrayLiteral("hearth-removals/1");
constexpr qint64 mostRemovalsBytes = 4 << 20;

tl::unexpected<Error> invalidRemoval(const Sentence &cause) {
    return fail(QStringLiteral("roster.invalid"), sentence("A list of removed devices is not valid."), cause,
                QString());
}

QByteArray rawOf(const Fingerprint &fingerprint) {
    return {reinterpret_cast<const char *>(fingerprint.bytes.data()), static_cast<qsizetype>(fingerprint.bytes.size())};
}

/// Null where it is none.
Fingerprint fingerprintFrom(const QCborValue &value) {
    Fingerprint fingerprint;
    const QByteArray bytes = value.toByteArray();
    if (bytes.size() == static_cast<qsizetype>(fingerprint.bytes.size()))
        std::ranges::copy(bytes, fingerprint.bytes.begin());
    return fingerprint;
}

}  // namespace

QByteArray RemovalRoster::statement() const {
    QByteArray bytes = rawOf(signer);
    QByteArray number(sizeof(quint64), Qt::Uninitialized);
    qToBigEndian(epoch, number.data());
    bytes += number;
    for (const Fingerprint &device : removed)
        bytes += rawOf(device);
    return bytes;
}

bool RemovalRoster::isGenuine() const {
    return hasSigned(signer, signature, domain, statement());
}

QCborMap RemovalRoster::toCbor() const {
    QCborArray list;
    for (const Fingerprint &device : removed)
        list.append(QCborValue(rawOf(device)));
    return {{QStringLiteral("signer"), QCborValue(rawOf(signer))},
            {QStringLiteral("epoch"), static_cast<qint64>(epoch)},
            {QStringLiteral("removed"), list},
            {QStringLiteral("key"), QCborValue(signature.key)},
            {QStringLiteral("signature"), QCborValue(signature.bytes)}};
}

Result<RemovalRoster> RemovalRoster::fromCbor(const QCborMap &map) {
    RemovalRoster word;
    word.signer = fingerprintFrom(map[QStringLiteral("signer")]);
    const qint64 epoch = integerOf(map[QStringLiteral("epoch")]);
    const QCborArray list = map[QStringLiteral("removed")].toArray();
    if (word.signer.isNull() || epoch <= 0)
        return invalidRemoval(sentence("It has no signer or no number."));
    if (static_cast<std::size_t>(list.size()) > maximumRemoved)
        return invalidRemoval(sentence("It lists more than %1 devices.").arg(maximumRemoved));
    word.epoch = static_cast<quint64>(epoch);
    for (const QCborValue &each : list) {
        const Fingerprint device = fingerprintFrom(each);
        if (device.isNull() || !word.removed.insert(device).second)
            return invalidRemoval(sentence("It lists something that is no device, or a device twice."));
    }
    word.signature = {map[QStringLiteral("key")].toByteArray(), map[QStringLiteral("signature")].toByteArray()};
    if (!word.isGenuine())
        return invalidRemoval(sentence("Its signature is not that of its signer."));
    return word;
}

Result<Removals> Removals::load(const QString &path, const Identity &identity) {
    Removals removals(path, identity);
    removals.m_state.own.signer = identity.fingerprint();
    const auto unusable = [](Error error) {
        error.advice = sentence(
            "Restore the file from a backup, or remove it: the other devices of the home tell what it said. Devices that "
            "were paired again since then may have to be paired once more.");
        return tl::unexpected(error);
    };
    const auto object = readPrivateJson(path, mostRemovalsBytes);
    if (!object)
        return unusable(object.error());
    if (!*object)
        return removals;
    JsonReader reader(**object, path);
    reader.choice("format", {QStringLiteral("hearth-removals/1")});
    const QJsonArray words = reader.array("words");
    if (static_cast<std::size_t>(words.size()) > maximumSigners + 1)
        reader.reject(QStringLiteral("words"), sentence("There are more than %1.").arg(maximumSigners + 1));
    for (qsizetype i = 0; i < words.size() && reader.ok(); ++i) {
        const QByteArray bytes = QByteArray::fromBase64(words[i].toString().toLatin1());
        const auto word = RemovalRoster::fromCbor(QCborValue::fromCbor(bytes).toMap());
        if (!word)
            reader.reject(QStringLiteral("words"), word.error().cause);
        else if (word->signer == identity.fingerprint())
            removals.m_state.own = *word;
        else
            removals.m_state.others[word->signer] = *word;
    }
    const QJsonArray overruled = reader.array("overruled", false);
    for (qsizetype i = 0; i < overruled.size() && reader.ok(); ++i) {
        const QJsonArray pair = overruled[i].toArray();
        const auto signer = Fingerprint::fromHex(pair[0].toString());
        const auto device = Fingerprint::fromHex(pair[1].toString());
        const auto word = signer ? removals.m_state.others.find(*signer) : removals.m_state.others.end();
        if (!device || word == removals.m_state.others.end() || !word->second.removed.contains(*device))
            reader.reject(QStringLiteral("overruled"), sentence("It names something that no word says."));
        else
            removals.m_state.overruled.emplace(*signer, *device);
    }
    if (auto ok = reader.finish(); !ok)
        return unusable(ok.error());
    return removals;
}

Result<RemovalRoster> Removals::signedWord(std::set<Fingerprint> removed, quint64 epoch) const {
    RemovalRoster word{m_identity.fingerprint(), epoch, std::move(removed), {}};
    auto signature = signWith(m_identity, domain, word.statement());
    if (!signature)
        return tl::unexpected(signature.error());
    word.signature = std::move(*signature);
    return word;
}

Result<void> Removals::remove(const Fingerprint &device) {
    auto removed = m_state.own.removed;
    if (!removed.insert(device).second)
        return {};
    for (auto lowest = removed.begin(); removed.size() > RemovalRoster::maximumRemoved;)
        lowest = *lowest == device ? std::next(lowest) : removed.erase(lowest);
    const auto word = signedWord(std::move(removed), m_state.own.epoch + 1);
    if (!word)
        return tl::unexpected(word.error());
    State state = m_state;
    state.own = *word;
    return change(std::move(state));
}

Result<void> Removals::readmit(const Fingerprint &device) {
    auto overruled = m_state.overruled;
    for (const auto &[signer, word] : m_state.others) {
        for (const Fingerprint &removed : word.removed) {
            if (removed == device || signer == device)
                overruled.emplace(signer, removed);
        }
    }
    RemovalRoster own = m_state.own;
    if (own.removed.erase(device) > 0) {
        const auto word = signedWord(std::move(own.removed), m_state.own.epoch + 1);
        if (!word)
            return tl::unexpected(word.error());
        own = *word;
    } else if (overruled == m_state.overruled) {
        return {};
    }
    return change({std::move(own), m_state.others, std::move(overruled)});
}

bool Removals::isNews(const RemovalRoster &word) const {
    return isNewsFor(m_state, word);
}

bool Removals::isNewsFor(const State &state, const RemovalRoster &word) const {
    if (word.signer == m_identity.fingerprint())
        return word.epoch > state.own.epoch || (word.epoch == state.own.epoch && word.removed != state.own.removed);
    const auto known = state.others.find(word.signer);
    return known == state.others.end() || word.epoch > known->second.epoch;
}

Result<bool> Removals::take(const RemovalRoster &word, const std::optional<Fingerprint> &paired) {
    const Taken taken = takeAll({Told{word, paired}});
    if (taken.trouble)
        return tl::unexpected(*taken.trouble);
    return !taken.news.empty();
}

Removals::Taken Removals::takeAll(const std::vector<Told> &words) {
    Taken taken;
    State state = m_state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!isNewsFor(state, words[i].word))
            continue;
        const bool isOwn = words[i].word.signer == m_identity.fingerprint();
        if (const auto joined = isOwn ? joinOwn(state, words[i]) : join(state, words[i]); joined)
            taken.news.push_back(i);
        else if (!taken.trouble)
            taken.trouble = joined.error();
    }
    if (taken.news.empty())
        return taken;
    if (const auto saved = change(std::move(state)); !saved)
        return {{}, saved.error()};
    return taken;
}

Result<void> Removals::join(State &state, const Told &told) const {
    const auto &[word, paired] = told;
    if (!state.others.contains(word.signer) && state.others.size() >= maximumSigners) {
        return fail(QStringLiteral("roster.full"), sentence("More devices have removed others than can be kept."),
                    sentence("There are %1.").arg(state.others.size()), QString());
    }
    std::erase_if(state.overruled, [&signer = word.signer, &removed = word.removed](const auto &each) {
        return each.first == signer && !removed.contains(each.second);
    });
    for (const Fingerprint &device : word.removed) {
        if (paired && (*paired == device || *paired == word.signer))
            state.overruled.emplace(word.signer, device);
    }
    state.others[word.signer] = word;
    return {};
}

Result<void> Removals::joinOwn(State &state, const Told &told) const {
    const auto &[word, paired] = told;
    std::set<Fingerprint> joined = word.removed;
    if (paired)
        joined.erase(*paired);
    joined.insert(state.own.removed.begin(), state.own.removed.end());
    while (joined.size() > RemovalRoster::maximumRemoved)
        joined.erase(joined.begin());
    // Of two processes with one key, each would else outdo the other for ever.
    const bool saysAll = word.epoch > state.own.epoch && joined == word.removed;
    const auto next = saysAll ? Result<RemovalRoster>(word) : signedWord(joined, word.epoch + 1);
    if (!next)
        return tl::unexpected(next.error());
    state.own = *next;
    return {};
}

bool Removals::hasRemoved(const Fingerprint &signer, const Fingerprint &device) const {
    if (signer == m_identity.fingerprint())
        return m_state.own.removed.contains(device);
    const auto word = m_state.others.find(signer);
    return signer != device && word != m_state.others.end() && word->second.removed.contains(device) &&
           !m_state.overruled.contains({signer, device});
}

std::optional<Fingerprint> Removals::removedFrom(const TrustStore &trust) const {
    for (const TrustedDevice &each : trust.devices()) {
        if (hasRemoved(m_identity.fingerprint(), each.fingerprint))
            return each.fingerprint;
        for (const auto &[signer, word] : m_state.others) {
            if (trust.trusts(signer) && hasRemoved(signer, each.fingerprint))
                return each.fingerprint;
        }
    }
    return std::nullopt;
}

std::vector<RemovalRoster> Removals::words() const {
    std::vector<RemovalRoster> words;
    if (m_state.own.epoch > 0)
        words.push_back(m_state.own);
    for (const auto &[signer, word] : m_state.others)
        words.push_back(word);
    return words;
}

Result<void> Removals::change(State state) {
    QJsonArray words;
    const auto add = [&words](const RemovalRoster &word) {
        words << QString::fromLatin1(QCborValue(word.toCbor()).toCbor().toBase64());
    };
    if (state.own.epoch > 0)
        add(state.own);
    for (const auto &[signer, word] : state.others)
        add(word);
    QJsonArray pairs;
    for (const auto &[signer, device] : state.overruled)
        pairs << QJsonArray{signer.toHex(), device.toHex()};
    const auto saved = savePrivateJson(m_path, {{QStringLiteral("format"), QStringLiteral("hearth-removals/1")},
                                                {QStringLiteral("words"), words},
                                                {QStringLiteral("overruled"), pairs}});
    if (!saved)
        return saved;
    m_state = std::move(state);
    return {};
}

}  // namespace hearth
