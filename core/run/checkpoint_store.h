// The states of a run on disk: versioned folders, whole or not there at all.
#pragma once

#include <QJsonObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/model/model.h"
#include "core/model/optimizer_state.h"
#include "core/protocol/term_origins.h"
#include "core/run/checkpoint_manifest.h"

namespace hearth {

/// One state per layer of the model, see LayerStateLayout; equal on every device.
using LayerStates = std::vector<std::shared_ptr<const Buffer>>;

struct Checkpoint {
    CheckpointManifest manifest;
    LayerStates states;
};

/// What a look for the newest whole checkpoint found.
struct CheckpointSearch {
    std::optional<Checkpoint> checkpoint;  // none: there is no whole one
    std::vector<Error> skipped;            // newer ones that are damaged: which and why, newest first
};

/// <run folder>/checkpoints/<version, 10 digits>/ with weights.safetensors, optimizer.safetensors (where the optimizer
/// has buffers) and manifest.json. A folder gets its name when everything in it is on the disk, so that a crash at any
/// moment leaves the checkpoints of before. One of a course of weights that was given up (TermOrigins) does not count:
/// it is as if it were not there, and goes when one is written. Plain value; reading and writing block for as long as
/// the disk takes, and one of them at a time may work on a folder. See CheckpointTask for a thread of their own.
class CheckpointStore {
  public:
    struct Subject {
        QString run;
        QJsonObject job;
        Model model;
        Precision precision = Precision::Float32;
        OptimizerState optimizer;
    };
    static constexpr int defaultKeep = 3;

    CheckpointStore(const QString &runFolder, Subject subject, int keep = defaultKeep);

    /// States are of the deployment of `term` from now on, and `origins` say which checkpoints count. Until then all
    /// do.
    void setCourse(quint32 term, TermOrigins origins) {
        m_term = term;
        m_origins = std::move(origins);
    }
    bool counts(const CheckpointManifest &manifest) const {
        return manifest.version <= m_origins.newestAfter(manifest.term);
    }

    /// Writes the states of that version, then removes all but the newest `keep` checkpoints; the one just written is
    /// always among those that stay. `between` follows every few megabytes of work. A whole checkpoint of the version
    /// that is there already stays as it is. Takes up to as much memory again as the states. Errors:
    /// "checkpoint.states" (they do not fit the model), and "checkpoint.not-written" (disk full, no permission): then
    /// nothing is left behind and older ones are as they were.
    Result<CheckpointManifest> write(quint64 version, qint64 round, const LayerStates &states,
                                     const BetweenPieces &between = {}) const;

    /// The newest checkpoint that counts, of which sizes, checksums and every tensor's name, shape and type are right.
    /// Leftovers of a crash are removed first; damaged checkpoints stay where they are, to be looked at.
    CheckpointSearch readNewest() const;

    /// Of all folders, whole or not; newest first.
    std::vector<quint64> versions() const;
    /// Of those that count, by their manifests alone; 0: there is none.
    quint64 newestVersion() const;
    QString folder() const { return m_folder; }
    QString folderOf(quint64 version) const;

  private:
    Result<CheckpointManifest> writeFiles(const QString &folder, quint64 version, qint64 round,
                                          const LayerStates &states, const BetweenPieces &between) const;
    Result<CheckpointManifest> readManifest(quint64 version) const;
    Result<Checkpoint> read(quint64 version) const;
    void removeLeftovers() const;
    void removeOld(quint64 written) const;

    QString m_folder;
    Subject m_subject;
    int m_keep;
    quint32 m_term = 0;
    TermOrigins m_origins;
};

}  // namespace hearth
