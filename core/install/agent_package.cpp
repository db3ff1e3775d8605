#include "core/install/agent_package.h"

#include <archive.h>
#include <archive_entry.h>
#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QSysInfo>
#include <algorithm>
#include <memory>

#include "core/base/sentence.h"
#include "core/install/target_facts.h"

namespace hearth {
namespace {

constexpr qint64 maximumControl = 4 << 20;  // a control archive has some kilobytes
constexpr qint64 maximumPackage = qint64(4) << 30;

struct EndReading {
    void operator()(archive *reader) const { archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, EndReading>;

Error badPackage(const QString &path, const Sentence &cause) {
    return {QStringLiteral("install.bad-package"), sentence("%1 is no package of hearth-agent.").arg(path), cause,
            sentence("Give the file hearth-agent_VERSION_ARCHITECTURE.deb that \"ninja package\" made, or a bundle.")};
}

/// The first member whose name passes `wanted`; empty where there is none or it is not readable.
QByteArray member(archive *reader, const std::function<bool(const QByteArray &)> &wanted) {
    archive_entry *entry = nullptr;
    while (archive_read_next_header(reader, &entry) == ARCHIVE_OK) {
        const char *name = archive_entry_pathname(entry);
        if (name == nullptr || !wanted(name))
            continue;
        QByteArray content;
        QByteArray piece(64 << 10, Qt::Uninitialized);
        for (;;) {
            const la_ssize_t got = archive_read_data(reader, piece.data(), static_cast<size_t>(piece.size()));
            if (got < 0 || content.size() + got > maximumControl)
                return {};
            if (got == 0)
                return content;
            content.append(piece.constData(), got);
        }
    }
    return {};
}

/// The control file inside the control archive inside the package.
QByteArray controlOf(const QString &path) {
    Reader package(archive_read_new());
    archive_read_support_format_ar(package.get());
    if (archive_read_open_filename(package.get(), QFile::encodeName(path).constData(), 64 << 10) != ARCHIVE_OK)
        return {};
    const QByteArray inner =
        member(package.get(), [](const QByteArray &name) { return name.startsWith("control.tar"); });
    Reader control(archive_read_new());
    archive_read_support_format_tar(control.get());
    archive_read_support_filter_all(control.get());
    if (inner.isEmpty() ||
        archive_read_open_memory(control.get(), inner.constData(), static_cast<size_t>(inner.size())) != ARCHIVE_OK)
        return {};
    return member(control.get(), [](const QByteArray &name) { return name == "control" || name == "./control"; });
}

/// The control file that a bundle begins with: what comes after it is not read.
QByteArray controlOfBundle(const QString &path) {
    Reader bundle(archive_read_new());
    archive_read_support_format_tar(bundle.get());
    archive_read_support_filter_gzip(bundle.get());
    if (archive_read_open_filename(bundle.get(), QFile::encodeName(path).constData(), 64 << 10) != ARCHIVE_OK)
        return {};
    bool isFirst = true;
    return member(bundle.get(),
                  [&](const QByteArray &name) { return std::exchange(isFirst, false) && name == "control"; });
}

int digitsAt(const QByteArray &text, qsizetype &at) {
    qsizetype end = at;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
        ++end;
    const int number = text.mid(at, std::min<qsizetype>(end - at, 9)).toInt();
    at = end;
    return number;
}

Sentence packageAdvice(const QString &architecture) {
    const QString here = QSysInfo::currentCpuArchitecture();  // "arm64", as Debian says, and "x86_64"
    if (architecture == here || architecture == debianArchitecture(here)) {
        return sentence(
            "Make it with \"ninja -C build/release package\" in the folder that Hearth was built in, then try again.");
    }
    return sentence(
        "Build Hearth on such a device (\"ninja package\"), for arm64 also here (resources/packages/build-arm64), and "
        "choose that package (--package).");
}

/// "~" before the end of a version before letters before the rest.
int orderOf(const QByteArray &text, qsizetype at) {
    const char c = at < text.size() ? text[at] : '\0';
    if (c == '~')
        return -1;
    if (c == '\0' || (c >= '0' && c <= '9'))
        return 0;
    const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return isLetter ? c : c + 256;
}

bool isDigitAt(const QByteArray &text, qsizetype at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

}  // namespace

QHash<QByteArray, QByteArray> parseControl(const QByteArray &text) {
    QHash<QByteArray, QByteArray> fields;
    QByteArray last;
    for (const QByteArray &line : text.split('\n')) {
        if (line.startsWith(' ') || line.startsWith('\t')) {
            if (!last.isEmpty())
                fields[last] += '\n' + line.trimmed();
            continue;
        }
        const qsizetype colon = line.indexOf(':');
        if (colon <= 0)
            continue;
        last = line.left(colon);
        fields[last] = line.mid(colon + 1).trimmed();
    }
    return fields;
}

std::vector<QStringList> parseDependencies(const QByteArray &field) {
    static const QRegularExpression name(QStringLiteral("^[a-z0-9][a-z0-9+.-]*"));
    std::vector<QStringList> all;
    for (const QByteArray &each : field.split(',')) {
        QStringList alternatives;
        for (const QByteArray &alternative : each.split('|')) {
            const auto match = name.match(QString::fromUtf8(alternative.trimmed()));
            if (match.hasMatch())
                alternatives << match.captured();
        }
        if (!alternatives.isEmpty())
            all.push_back(alternatives);
    }
    return all;
}

std::optional<std::pair<int, int>> minimumLibc(const QByteArray &dependsField) {
    static const QRegularExpression libc(QStringLiteral(R"(\blibc6 \(>= (\d{1,4})\.(\d{1,4}))"));
    const auto match = libc.match(QString::fromUtf8(dependsField));
    if (!match.hasMatch())
        return std::nullopt;
    return std::pair(match.captured(1).toInt(), match.captured(2).toInt());
}

bool isOlderVersion(const QString &a, const QString &b) {
    const QByteArray x = a.toUtf8(), y = b.toUtf8();
    qsizetype i = 0, j = 0;
    while (i < x.size() || j < y.size()) {
        while ((i < x.size() && !isDigitAt(x, i)) || (j < y.size() && !isDigitAt(y, j))) {
            if (orderOf(x, i) != orderOf(y, j))
                return orderOf(x, i) < orderOf(y, j);
            ++i;
            ++j;
        }
        const int left = digitsAt(x, i), right = digitsAt(y, j);
        if (left != right)
            return left < right;
    }
    return false;
}

Result<AgentPackage> readAgentPackage(const QString &path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(QStringLiteral("install.no-package"), sentence("The package %1 cannot be read.").arg(path),
                    file.errorString() + QLatin1Char('.'), sentence("Check its name."));
    }
    if (file.size() > maximumPackage)
        return tl::unexpected(badPackage(path, sentence("It is larger than any.")));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!hash.addData(&file))
        return tl::unexpected(badPackage(path, file.errorString() + QLatin1Char('.')));
    auto fields = parseControl(controlOf(path));
    const bool isBundle = fields.isEmpty();
    if (isBundle)
        fields = parseControl(controlOfBundle(path));
    if (fields.value("Package") != "hearth-agent") {
        return tl::unexpected(badPackage(
            path,
            fields.isEmpty()
                ? sentence("It is neither a Debian package nor a bundle, or a damaged one.")
                : sentence("It is the package \"%1\".").arg(QString::fromUtf8(fields.value("Package").left(80)))));
    }
    AgentPackage package;
    package.kind = isBundle ? PackageKind::Bundle : PackageKind::Debian;
    package.path = path;
    package.fileBytes = file.size();
    package.sha256 = hash.result().toHex();
    package.version = QString::fromUtf8(fields.value("Version"));
    package.architecture = QString::fromUtf8(fields.value("Architecture"));
    package.installedBytes = std::clamp<qint64>(fields.value("Installed-Size").toLongLong(), 0, qint64(1) << 32) * 1024;
    package.dependencies = parseDependencies(fields.value("Depends"));
    package.minimumLibc = minimumLibc(fields.value("Depends"));
    if (package.version.isEmpty() || package.architecture.isEmpty())
        return tl::unexpected(badPackage(path, sentence("It names no version, or no architecture.")));
    return package;
}

QStringList packageFolders() {
    const QDir own(QCoreApplication::applicationDirPath());
    QStringList folders{own.absoluteFilePath(QStringLiteral("../share/hearth/packages"))};
    if (own.exists(QStringLiteral("../CMakeCache.txt")))
        folders << own.absoluteFilePath(QStringLiteral("../packages"))
                << own.absoluteFilePath(QStringLiteral("../../arm64/packages"));
    return folders;
}

Result<AgentPackage> findAgentPackage(const QStringList &folders, const QString &architecture, PackageKind kind) {
    const bool isBundle = kind == PackageKind::Bundle;
    const QString pattern =
        isBundle ? QStringLiteral("hearth-agent-bundle_*.tar.gz") : QStringLiteral("hearth-agent_*.deb");
    const QString ending =
        QLatin1Char('_') + architecture + (isBundle ? QStringLiteral(".tar.gz") : QStringLiteral(".deb"));
    QStringList others;
    QStringList candidates;
    for (const QString &folder : folders) {
        const QDir dir(folder);
        for (const QString &name : dir.entryList({pattern}, QDir::Files, QDir::Name)) {
            if (name.endsWith(ending))
                candidates << dir.absoluteFilePath(name);
            else
                others << name;
        }
        if (!candidates.isEmpty())
            break;
    }
    std::optional<AgentPackage> best;
    for (const QString &path : candidates) {
        auto package = readAgentPackage(path);
        if (!package)
            return package;
        if (!best || isOlderVersion(best->version, package->version))
            best = std::move(*package);
    }
    if (best)
        return *best;
    QStringList clean;
    for (const QString &folder : folders)
        clean << QDir::cleanPath(folder);
    return fail(QStringLiteral("install.no-package"),
                sentence("There is no package of hearth-agent for processors of type %1.").arg(architecture),
                others.isEmpty() ? sentence("None lies in %1.").arg(clean.join(QLatin1String(", ")))
                                 : sentence("There is only %1.").arg(others.join(QStringLiteral(", "))),
                packageAdvice(architecture));
}

Sentence bundleAdvice() {
    return sentence(
        "Make a bundle, which brings its own libraries, with \"resources/packages/bundle build/release\" (for arm64: "
        "\"resources/packages/build-arm64\") in the folder that Hearth was built in, then try again.");
}

}  // namespace hearth
