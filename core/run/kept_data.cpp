#include "core/run/kept_data.h"

#include <QFileInfo>
#include <QSet>

#include "core/data/joined_dataset.h"
#include "core/data/told_preparation.h"
#include "core/protocol/run_data.h"

namespace hearth {
namespace {

/// Those of `names` that `others` lack, in one sentence; empty where there are none.
Sentence lackedBy(const QStringList &others, const QStringList &names, const Sentence &what) {
    constexpr qsizetype most = 8;
    const QSet<QString> known(others.begin(), others.end());
    QStringList missing;
    for (const QString &name : names) {
        if (!known.contains(name))
            missing << QStringLiteral("\"%1\"").arg(name.left(80));
    }
    if (missing.isEmpty())
        return {};
    const QString first = missing.mid(0, most).join(QStringLiteral(", "));
    return what.arg(missing.size() > most ? sentence("%1 and %2 more").arg(first).arg(missing.size() - most)
                                          : Sentence(first));
}

}  // namespace

Result<KeptData> KeptData::load(const QString &runFolder) {
    KeptData kept;
    if (runFolder.isEmpty())
        return kept;
    auto table = keptTable(runFolder);
    if (!table)
        return tl::unexpected(table.error());
    kept.table = std::move(*table);
    if (!QFileInfo::exists(runFolder + QLatin1Char('/') + RunData::fileName()))
        return kept;
    return RunData::load(runFolder).map([&kept](const RunData &data) {
        kept.classes = data.classes;
        return kept;
    });
}

Result<std::shared_ptr<const Dataset>> numberedAs(const QStringList &classes, std::shared_ptr<const Dataset> data) {
    const QStringList &names = data->labelNames();
    if (classes.isEmpty() || names == classes)
        return data;
    const Sentence added = lackedBy(classes, names, sentence("New are: %1."));
    const Sentence gone = lackedBy(names, classes, sentence("Gone are: %1."));
    if (added.isEmpty() && gone.isEmpty())
        return withClasses(std::move(data), classes);
    return fail(QStringLiteral("data.changed"),
                sentence("The classes of the data %1 are not those that the network learnt.").arg(data->name()),
                Sentence::joined({gone, added}),
                sentence("Give folders and labels the names that they had, or start a new run."));
}

}  // namespace hearth
