// What people write on a run: name, note, tags, star.
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <optional>

#include "core/base/error.h"

namespace hearth {

/// label.json ("hearth-label/1") in the folder of a run, which nobody but people change: the run's own record stays as
/// it is. Plain value, any thread.
struct RunLabel {
    QString name;      // one line, at most 200 characters
    QString note;      // lines, at most 10,000 characters
    QStringList tags;  // sorted, none twice; without spaces and commas, at most 60 characters each, 50 in all
    bool starred = false;

    /// Errors: "label.bad" for what no label may hold, besides those of JsonReader.
    static Result<RunLabel> fromJson(const QJsonObject &json, const QString &source);
    QJsonObject toJson() const;
    /// Of the run in this folder; an empty one where there is none.
    static Result<RunLabel> load(const QString &runFolder);
    /// Atomic. Error "label.unsaved".
    Result<void> save(const QString &runFolder) const;
    bool hasTag(const QString &tag) const { return tags.contains(tag); }

    bool operator==(const RunLabel &) const = default;
};

/// What becomes of labels, of one run or of many; what is not named stays.
struct LabelChange {
    std::optional<QString> name, note;
    QStringList tags, untags;  // to be added; to be taken away
    std::optional<bool> starred;

    bool isEmpty() const { return *this == LabelChange(); }
    /// Error "label.bad".
    Result<RunLabel> appliedTo(RunLabel label) const;
    /// Reads, changes and writes the label of the run in this folder. Writes nothing where nothing changes.
    Result<void> applyTo(const QString &runFolder) const;

    bool operator==(const LabelChange &) const = default;
};

/// The words of "a, b c": tags as people type them.
QStringList tagsIn(const QString &text);
/// What makes the tags `before` those of `text`.
LabelChange tagsTyped(const QStringList &before, const QString &text);

}  // namespace hearth
