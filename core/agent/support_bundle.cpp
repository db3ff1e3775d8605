#include "core/agent/support_bundle.h"
#include "core/agent/agent_log.h"
#include "core/agent/host_resources.h"

#include <archive.h>
#include <archive_entry.h>
#include <QDir>
#include <QFile>
#include <QIODevice>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSysInfo>
#include <memory>

#include "core/base/files.h"
#include "core/run/files/event_file.h"

namespace hearth {
namespace {

constexpr int newestRuns = 3;
// Some thousand rounds from the beginning, and the last hours: what a report is about is at one of the ends.
constexpr qint64 headBytes = 1 << 20;
constexpr qint64 tailBytes = 7 << 20;

class Collector {
  public:
    explicit Collector(const SupportSources &sources) : m_sources(sources) {
        QStringList names{QSysInfo::machineHostName()};
        for (const DeviceInfo &device : sources.devices)
            names << device.name;
        names.removeDuplicates();
        for (const QString &name : std::as_const(names)) {
            const QString without =
                QString(name).replace(sources.userName, QStringLiteral("user"), Qt::CaseInsensitive);
            if (!sources.userName.isEmpty() && without != name)
                m_named.emplace_back(name.toUtf8(), without.toUtf8());
        }
    }

    void addText(const QString &name, QByteArray text) {
        // A system names a computer for its user: "annas-laptop".
        for (const auto &[device, without] : m_named)
            text.replace(device, without);
        m_files.push_back({name, withoutSecrets(text, m_sources.homeFolder, m_sources.userName), false});
    }

    void addFile(const QString &path, const QString &name) {
        const QFileInfo info(path);
        QFile file(path);
        if (info.isSymLink() || !openPlainFile(file))
            return;
        const bool shortened = file.size() > headBytes + tailBytes;
        QByteArray text = shortened ? wholeLines(file.read(headBytes), false) : file.read(headBytes + tailBytes);
        if (shortened && file.seek(file.size() - tailBytes))
            text += wholeLines(file.read(tailBytes), true);
        addText(name, text);
        m_files.back().shortened = shortened;
    }

    std::vector<SupportFile> take() { return std::move(m_files); }

  private:
    /// Half a line could hide half a secret from whoever looks for whole ones.
    static QByteArray wholeLines(const QByteArray &text, bool end) {
        if (end)
            return text.mid(text.indexOf('\n') + 1);
        return text.left(text.lastIndexOf('\n') + 1);
    }

    const SupportSources &m_sources;
    std::vector<std::pair<QByteArray, QByteArray>> m_named;  // devices that bear the user's name, and what is told
    std::vector<SupportFile> m_files;
};

QByteArray hostFacts() {
    const HostResources host = hostResources();
    QJsonObject json;
    json[QStringLiteral("system")] = QSysInfo::prettyProductName();
    json[QStringLiteral("kernel")] = QSysInfo::kernelType() + QLatin1Char(' ') + QSysInfo::kernelVersion();
    json[QStringLiteral("architecture")] = QSysInfo::currentCpuArchitecture();
    json[QStringLiteral("processor")] = host.processor;
    json[QStringLiteral("cores")] = host.cores;
    json[QStringLiteral("memory_bytes")] = host.memoryBytes;
    return QJsonDocument(json).toJson();
}

QByteArray devicesJson(const std::vector<DeviceInfo> &devices) {
    QJsonArray list;
    for (const DeviceInfo &device : devices)
        list.append(device.toJson());
    return QJsonDocument(list).toJson();
}

Error notWritten(const QString &cause) {
    return {QStringLiteral("support.not-saved"), sentence("The support bundle could not be written."),
            cause + QLatin1Char('.'), sentence("Choose another folder, or free some space.")};
}

la_ssize_t writeTo(archive *, void *device, const void *bytes, size_t count) {
    return static_cast<QIODevice *>(device)->write(static_cast<const char *>(bytes), static_cast<qint64>(count));
}

Result<void> writeArchive(QIODevice &device, const std::vector<SupportFile> &files) {
    const std::unique_ptr<archive, decltype(&archive_write_free)> out(archive_write_new(), &archive_write_free);
    const auto failed = [&out] {
        return tl::unexpected(notWritten(QString::fromLocal8Bit(archive_error_string(out.get()))));
    };
    if (archive_write_add_filter_gzip(out.get()) != ARCHIVE_OK ||
        archive_write_set_format_pax_restricted(out.get()) != ARCHIVE_OK ||
        archive_write_open(out.get(), &device, nullptr, &writeTo, nullptr) != ARCHIVE_OK)
        return failed();
    for (const SupportFile &file : files) {
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                                  &archive_entry_free);
        archive_entry_set_pathname_utf8(entry.get(), ("hearth-support/" + file.name.toUtf8()).constData());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0600);
        archive_entry_set_size(entry.get(), file.content.size());
        if (archive_write_header(out.get(), entry.get()) != ARCHIVE_OK ||
            archive_write_data(out.get(), file.content.constData(), static_cast<size_t>(file.content.size())) !=
                file.content.size())
            return failed();
    }
    if (archive_write_close(out.get()) != ARCHIVE_OK)
        return failed();
    return {};
}

}  // namespace

QByteArray withoutSecrets(const QByteArray &text, const QString &homeFolder, const QString &userName) {
    QString clean = QString::fromUtf8(text);
    if (homeFolder.size() > 1)
        clean.replace(homeFolder, QStringLiteral("~"));
    static const QRegularExpression homes(QStringLiteral("/(home|Users)/[^/\\s\"':]+"));
    clean.replace(homes, QStringLiteral("~"));
    // "root" is nobody's name. What stands before a colon in JSON is a word of ours.
    if (!userName.isEmpty() && userName != QLatin1String("root")) {
        const QRegularExpression name(
            QStringLiteral("(?<![^\\W_])%1(?![^\\W_])(?!\\\\?\"\\s*:)").arg(QRegularExpression::escape(userName)),
            QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
        clean.replace(name, QStringLiteral("user"));
    }
    // In JSON the line ends of a block are two characters.
    static const QRegularExpression blocks(QStringLiteral("-----BEGIN [^-]*-----.*?(-----END [^-]*-----|$)"),
                                           QRegularExpression::DotMatchesEverythingOption);
    clean.replace(blocks, QStringLiteral("[removed]"));
    static const QRegularExpression values(
        QStringLiteral(
            "((?<![\\w-])[\\w-]{0,40}(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|private[_-]?key)[\\w-]{0,40}\\\\?\"?"
            "\\s*[:=]\\s*)(\\\\?\"[^\"]*\"|[^\\s,;}]+)"),
        QRegularExpression::CaseInsensitiveOption);
    clean.replace(values, QStringLiteral("\\1\"[removed]\""));
    return clean.toUtf8();
}

std::vector<SupportFile> collectSupport(const SupportSources &sources, const std::function<bool()> &cancelled) {
    Collector collector(sources);
    collector.addText(QStringLiteral("versions.txt"), sources.versions.toUtf8());
    collector.addText(QStringLiteral("host.json"), hostFacts());
    collector.addText(QStringLiteral("devices.json"), devicesJson(sources.devices));
    collector.addFile(agentLogPath(sources.stateDir), QStringLiteral("agent.log"));
    const QString runs = sources.stateDir + QStringLiteral("/runs/");
    const QStringList story{QStringLiteral("job.json"), QStringLiteral("model.json"), QStringLiteral("plan-*.json"),
                            QStringLiteral("problem-*.json"), QStringLiteral("events.jsonl")};
    for (const QString &run : listRuns(runs).mid(0, newestRuns)) {
        for (const QString &name : QDir(runs + run).entryList(story, QDir::Files | QDir::NoSymLinks)) {
            if (cancelled && cancelled())
                return {};
            collector.addFile(runs + run + QLatin1Char('/') + name, QStringLiteral("runs/%1/%2").arg(run, name));
        }
    }
    return collector.take();
}

Result<void> saveSupport(const QString &path, const std::vector<SupportFile> &files) {
    return saveFile(path, [&files](QIODevice &device) { return writeArchive(device, files); });
}

}  // namespace hearth
