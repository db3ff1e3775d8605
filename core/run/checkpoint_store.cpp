#include "core/run/checkpoint_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/base/system_reason.h"
#include "core/model/safetensors.h"
#include "core/run/checkpoint_tensors.h"
#include "core/run/file_digest.h"
#include "core/run/recovery_choice.h"

namespace hearth {
namespace {

using detail::CheckpointPart;

constexpr int digits = 10;
constexpr qint64 mostManifestBytes = 1 << 20;
const QString partialSuffix = QStringLiteral(".partial");

QString folderName(quint64 version) {
    return QStringLiteral("%1").arg(version, digits, 10, QLatin1Char('0'));
}

Sentence nameOf(quint64 version) {
    return sentence("The checkpoint of version %1").arg(version);
}

tl::unexpected<Error> notWritten(quint64 version, const Sentence &cause) {
    return fail(QStringLiteral("checkpoint.not-written"), sentence("%1 could not be written.").arg(nameOf(version)),
                cause, sentence("Free some space in the folder of the run; older checkpoints are as they were."));
}

tl::unexpected<Error> damaged(quint64 version, const Sentence &cause) {
    return fail(QStringLiteral("checkpoint.damaged"), sentence("%1 cannot be used.").arg(nameOf(version)), cause,
                sentence("An older one takes its place."));
}

Result<void> sync(const QString &folder, quint64 version) {
    const auto synced = syncFolder(folder);
    return synced ? synced : notWritten(version, synced.error().cause);
}

/// Why the file is not what the manifest says; empty: it is. The size first, which costs nothing.
Sentence differenceOf(const QString &folder, const CheckpointManifest::File &expected) {
    const QFileInfo info(folder + QLatin1Char('/') + expected.name);
    if (!info.isFile())
        return sentence("%1 is missing.").arg(expected.name);
    if (info.size() != expected.bytes) {
        return sentence("%1 has %2 bytes instead of %3: it was cut short or altered.")
            .arg(expected.name)
            .arg(info.size())
            .arg(expected.bytes);
    }
    const auto found = digestOf(info.filePath());
    if (!found)
        return found.error().toSentence();
    if (found->sha256 != expected.sha256)
        return sentence("%1 was altered: its SHA-256 is another.").arg(expected.name);
    return {};
}

}  // namespace

CheckpointStore::CheckpointStore(const QString &runFolder, Subject subject, int keep)
    : m_folder(runFolder + QStringLiteral("/checkpoints")), m_subject(std::move(subject)), m_keep(std::max(1, keep)) {}

QString CheckpointStore::folderOf(quint64 version) const {
    return m_folder + QLatin1Char('/') + folderName(version);
}

std::vector<quint64> CheckpointStore::versions() const {
    std::vector<quint64> versions;
    for (const QString &name : QDir(m_folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks)) {
        bool isNumber = false;
        const quint64 version = name.toULongLong(&isNumber);
        if (isNumber && folderName(version) == name)
            versions.push_back(version);
    }
    std::sort(versions.rbegin(), versions.rend());
    return versions;
}

quint64 CheckpointStore::newestVersion() const {
    const std::vector<quint64> all = versions();
    const auto newest = std::ranges::find_if(all, [this](quint64 version) {
        if (m_origins.isEmpty())
            return true;
        const auto manifest = readManifest(version);
        return manifest && counts(*manifest);
    });
    return newest == all.end() ? 0 : *newest;
}

Result<CheckpointManifest> CheckpointStore::write(quint64 version, qint64 round, const LayerStates &states,
                                                  const BetweenPieces &between) const {
    const StateLayers expected = stateLayersOf(m_subject.model, dtypeOf(m_subject.precision), m_subject.optimizer);
    const bool fits =
        std::equal(states.begin(), states.end(), expected.begin(), expected.end(),
                   [](const auto &state, const StateLayer &layer) { return state && state->size() == layer.bytes; });
    if (!fits) {
        return fail(QStringLiteral("checkpoint.states"), sentence("%1 could not be put together.").arg(nameOf(version)),
                    sentence("The states do not have the sizes of the model's layers."),
                    sentence("Install the same version of Hearth on every device."));
    }
    if (auto made = makePrivateFolder(m_folder); !made)
        return notWritten(version, made.error().toSentence());
    removeLeftovers();
    const QString final = folderOf(version);
    if (QFileInfo::exists(final)) {
        if (auto there = read(version); there && counts(there->manifest))
            return there->manifest;
        if (!QDir(final).removeRecursively())
            return notWritten(version, sentence("A damaged one is there and could not be removed."));
    }
    const QString partial = m_folder + QStringLiteral("/.") + folderName(version) + partialSuffix;
    auto manifest = writeFiles(partial, version, round, states, between);
    if (manifest && ::rename(QFile::encodeName(partial).constData(), QFile::encodeName(final).constData()) != 0)
        manifest = notWritten(version, systemReason(errno));
    if (!manifest) {
        QDir(partial).removeRecursively();
        return manifest;
    }
    if (auto synced = sync(m_folder, version); !synced)
        return tl::unexpected(synced.error());
    removeOld(version);
    return manifest;
}

Result<CheckpointManifest> CheckpointStore::writeFiles(const QString &folder, quint64 version, qint64 round,
                                                       const LayerStates &states, const BetweenPieces &between) const {
    if (auto made = makePrivateFolder(folder); !made)
        return notWritten(version, made.error().toSentence());
    CheckpointManifest manifest{m_subject.run,
                                version,
                                round,
                                m_term,
                                m_subject.job,
                                m_subject.model.sha256(),
                                m_subject.precision,
                                m_subject.optimizer.buffers(),
                                {}};
    const auto add = [&](CheckpointPart part, const QString &name) -> Result<void> {
        const QString path = folder + QLatin1Char('/') + name;
        if (auto written =
                writeSafetensors(path, detail::checkpointTensors(m_subject, states, part, between), {}, between);
            !written)
            return notWritten(version, written.error().cause);
        auto digest = digestOf(path, between);
        if (!digest)
            return notWritten(version, digest.error().toSentence());
        manifest.files.push_back({name, digest->bytes, std::move(digest->sha256)});
        return {};
    };
    auto added = add(CheckpointPart::Weights, CheckpointManifest::weightsFile());
    if (added && m_subject.optimizer.buffers() > 0)
        added = add(CheckpointPart::Optimizer, CheckpointManifest::optimizerFile());
    if (added) {
        const QByteArray json = QJsonDocument(manifest.toJson()).toJson(QJsonDocument::Indented);
        if (auto saved = saveFile(folder + QLatin1Char('/') + CheckpointManifest::fileName(), json); !saved)
            added = notWritten(version, saved.error().cause);
    }
    if (!added)
        return tl::unexpected(added.error());
    return manifest;
}

Result<CheckpointManifest> CheckpointStore::readManifest(quint64 version) const {
    const QString path = folderOf(version) + QLatin1Char('/') + CheckpointManifest::fileName();
    const auto manifest = readJsonFile(path, mostManifestBytes).and_then([&](const QJsonObject &object) {
        return CheckpointManifest::fromJson(object, CheckpointManifest::fileName());
    });
    if (!manifest)
        return damaged(version, manifest.error().toSentence());
    const CheckpointManifest &found = *manifest;
    if (found.version != version)
        return damaged(version, sentence("Its manifest is of version %1.").arg(found.version));
    if (found.run != m_subject.run)
        return damaged(version, sentence("It is of another run (%1).").arg(found.run.left(80)));
    if (found.modelSha256 != m_subject.model.sha256())
        return damaged(version, sentence("It is of another model than %1.").arg(m_subject.model.name));
    if (found.precision != m_subject.precision || found.optimizerBuffers != m_subject.optimizer.buffers())
        return damaged(version, sentence("It was made with another precision or optimizer than the job's."));
    return manifest;
}

Result<Checkpoint> CheckpointStore::read(quint64 version) const {
    auto manifest = readManifest(version);
    if (!manifest)
        return tl::unexpected(manifest.error());
    auto states = detail::emptyStates(m_subject);
    for (const CheckpointManifest::File &file : manifest->files) {
        if (const QString difference = differenceOf(folderOf(version), file); !difference.isEmpty())
            return damaged(version, difference);
        const auto tensors = readSafetensors(folderOf(version) + QLatin1Char('/') + file.name);
        if (!tensors)
            return damaged(version, tensors.error().toSentence());
        const CheckpointPart part =
            file.name == CheckpointManifest::weightsFile() ? CheckpointPart::Weights : CheckpointPart::Optimizer;
        if (auto filled = detail::fillStates(m_subject, part, *tensors, file.name, &states); !filled)
            return damaged(version, Sentence::joined({filled.error().what, filled.error().cause}));
    }
    return Checkpoint{std::move(*manifest), LayerStates(states.begin(), states.end())};
}

CheckpointSearch CheckpointStore::readNewest() const {
    removeLeftovers();
    CheckpointSearch search;
    for (const quint64 version : versions()) {
        if (const auto manifest = readManifest(version); manifest && !counts(*manifest))
            continue;
        auto found = read(version);
        if (found) {
            search.checkpoint = std::move(*found);
            break;
        }
        search.skipped.push_back(found.error());
    }
    return search;
}

void CheckpointStore::removeLeftovers() const {
    const QDir folder(m_folder);
    for (const QString &name : folder.entryList({QStringLiteral(".*") + partialSuffix}, QDir::Dirs | QDir::Hidden))
        QDir(folder.filePath(name)).removeRecursively();
}

void CheckpointStore::removeOld(quint64 written) const {
    int others = m_keep - 1;
    for (const quint64 version : versions()) {
        if (version == written)
            continue;
        // Whether older files are still what they were is looked at when they are read; without a manifest they are no
        // checkpoint and take nobody's place.
        const auto manifest = readManifest(version);
        if (others > 0 && manifest && counts(*manifest))
            --others;
        else
            QDir(folderOf(version)).removeRecursively();
    }
}

}  // namespace hearth
