#include "core/data/split_files.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <cstring>

namespace hearth {
namespace {

constexpr double testShare = 0.2;

}  // namespace

std::optional<Split> splitOf(const QString &name) {
    const QString small = name.toLower();
    if (small == QLatin1String("train") || small == QLatin1String("training"))
        return Split::Train;
    if (small == QLatin1String("val") || small == QLatin1String("valid") || small == QLatin1String("validation") ||
        small == QLatin1String("dev") || small == QLatin1String("dev_matched"))
        return Split::Validation;
    if (small == QLatin1String("test") || small == QLatin1String("testing"))
        return Split::Test;
    return std::nullopt;
}

bool areJsonLines(const QString &path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == QLatin1String("jsonl") || suffix == QLatin1String("ndjson");
}

bool areRows(const QString &path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == QLatin1String("csv") || suffix == QLatin1String("tsv") || areJsonLines(path);
}

QString tableIn(const QString &folder, Split split) {
    for (const QString &name : QDir(folder).entryList(QDir::Files)) {
        if (areRows(name) && splitOf(QFileInfo(name).completeBaseName()) == split)
            return folder + QLatin1Char('/') + name;
    }
    return {};
}

quint64 contentHash(const QByteArray &content) {
    return hashOfDigest(QCryptographicHash::hash(content, QCryptographicHash::Sha256));
}

quint64 hashOfDigest(const QByteArray &digest) {
    quint64 hash = 0;
    std::memcpy(&hash, digest.constData(), sizeof hash);
    return hash;
}

bool isForTest(quint64 contentHash) {
    return static_cast<double>(contentHash) < testShare * 0x1p64;
}

QStringList classesOf(const std::set<QString> &names) {
    const bool areNumbers = std::ranges::all_of(names, [](const QString &name) {
        bool fine = false;
        name.toLongLong(&fine);
        return fine;
    });
    QStringList classes(names.begin(), names.end());
    if (areNumbers)
        std::ranges::sort(classes, {}, [](const QString &name) { return name.toLongLong(); });
    return classes;
}

qsizetype columnOf(const QStringList &header, const QStringList &words) {
    for (qsizetype i = 0; i < header.size(); ++i) {
        if (words.contains(header[i].trimmed().toLower()))
            return i;
    }
    return -1;
}

}  // namespace hearth
