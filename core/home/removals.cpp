#include "core/home/removals.h"

#include <QCborArray>
#include <QJsonArray>
#include <QtEndian>
#include <algorithm>
#include <iterator>

#include "core/base/cbor.h"
#include "core/base/json_reader.h"
#include "core/base/private_file.h"

namespace hearth {
namespace {

const QByteArray domain = QByteArrayLiteral("hearth-removals/1");
constexpr qint64 maximumBytes = 4 << 20;

tl::unexpected<Error> invalid(const QString &cause) {
    return fail(QStringLiteral("roster.invalid"), QStringLiteral("A list of removed devices is not valid."), cause,
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
        return invalid(QStringLiteral("It has no signer or no number."));
    if (static_cast<std::size_t>(list.size()) > maximumRemoved)
        return invalid(QStringLiteral("It lists more than %1 devices.").arg(maximumRemoved));
    word.epoch = static_cast<quint64>(epoch);
    for (const QCborValue &each : list) {
        const Fingerprint device = fingerprintFrom(each);
        if (device.isNull() || !word.removed.insert(device).second)
            return invalid(QStringLiteral("It lists something that is no device, or a device twice."));
    }
    word.signature = {map[QStringLiteral("key")].toByteArray(), map[QStringLiteral("signature")].toByteArray()};
    if (!word.isGenuine())
        return invalid(QStringLiteral("Its signature is not that of its signer."));
    return word;
}

Result<Removals> Removals::load(const QString &path, const Identity &identity) {
    Removals removals(path, identity);
    removals.m_own.signer = identity.fingerprint();
    const auto object = readPrivateJson(path, maximumBytes);
    if (!object)
        return tl::unexpected(object.error());
    if (!*object)
        return removals;
    JsonReader reader(**object, path);
    reader.choice("format", {QStringLiteral("hearth-removals/1")});
    const QJsonArray words = reader.array("words");
    if (static_cast<std::size_t>(words.size()) > maximumSigners + 1)
        reader.reject(QStringLiteral("words"), QStringLiteral("There are more than %1.").arg(maximumSigners + 1));
    for (qsizetype i = 0; i < words.size() && reader.ok(); ++i) {
        const QByteArray bytes = QByteArray::fromBase64(words[i].toString().toLatin1());
        const auto word = RemovalRoster::fromCbor(QCborValue::fromCbor(bytes).toMap());
        if (!word)
            reader.reject(QStringLiteral("words"), word.error().cause);
        else if (word->signer == identity.fingerprint())
            removals.m_own = *word;
        else
            removals.m_others[word->signer] = *word;
    }
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    return removals;
}

Result<void> Removals::say(std::set<Fingerprint> removed) {
    RemovalRoster word{m_identity.fingerprint(), m_own.epoch + 1, std::move(removed), {}};
    auto signature = signWith(m_identity, domain, word.statement());
    if (!signature)
        return tl::unexpected(signature.error());
    word.signature = std::move(*signature);
    if (auto saved = save(word, m_others); !saved)
        return saved;
    m_own = std::move(word);
    return {};
}

Result<void> Removals::remove(const Fingerprint &device) {
    auto removed = m_own.removed;
    if (!removed.insert(device).second)
        return {};
    for (auto lowest = removed.begin(); removed.size() > RemovalRoster::maximumRemoved;)
        lowest = *lowest == device ? std::next(lowest) : removed.erase(lowest);
    return say(std::move(removed));
}

Result<void> Removals::readmit(const Fingerprint &device) {
    auto removed = m_own.removed;
    if (removed.erase(device) == 0)
        return {};
    return say(std::move(removed));
}

std::optional<std::vector<Fingerprint>> Removals::news(const RemovalRoster &word) const {
    const auto known = m_others.find(word.signer);
    if (word.signer == m_identity.fingerprint() || (known != m_others.end() && word.epoch <= known->second.epoch))
        return std::nullopt;
    std::vector<Fingerprint> added;
    std::ranges::copy_if(word.removed, std::back_inserter(added), [&](const Fingerprint &device) {
        return known == m_others.end() || !known->second.removed.contains(device);
    });
    return added;
}

Result<void> Removals::take(const RemovalRoster &word) {
    if (!news(word))
        return {};
    if (!m_others.contains(word.signer) && m_others.size() >= maximumSigners) {
        return fail(QStringLiteral("roster.full"), QStringLiteral("More devices have removed others than can be kept."),
                    QStringLiteral("There are %1.").arg(m_others.size()), QString());
    }
    auto others = m_others;
    others[word.signer] = word;
    if (auto saved = save(m_own, others); !saved)
        return saved;
    m_others = std::move(others);
    return {};
}

std::vector<RemovalRoster> Removals::words() const {
    std::vector<RemovalRoster> words;
    if (m_own.epoch > 0)
        words.push_back(m_own);
    for (const auto &[signer, word] : m_others)
        words.push_back(word);
    return words;
}

Result<void> Removals::save(const RemovalRoster &own, const std::map<Fingerprint, RemovalRoster> &others) const {
    QJsonArray words;
    const auto add = [&words](const RemovalRoster &word) {
        words << QString::fromLatin1(QCborValue(word.toCbor()).toCbor().toBase64());
    };
    if (own.epoch > 0)
        add(own);
    for (const auto &[signer, word] : others)
        add(word);
    return savePrivateJson(
        m_path, {{QStringLiteral("format"), QStringLiteral("hearth-removals/1")}, {QStringLiteral("words"), words}});
}

}  // namespace hearth
