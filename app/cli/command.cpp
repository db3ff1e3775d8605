#include "app/cli/command.h"

#include <QJsonDocument>
#include <algorithm>
#include <cstdio>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

std::vector<CommandSpec> &registry() {
    static std::vector<CommandSpec> list;
    return list;
}

void write(std::FILE *file, const QByteArray &line) {
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), file);
    std::fputc('\n', file);
    std::fflush(file);
}

Error usageError(const QString &what, const QString &advice = {}) {
    return {QStringLiteral("usage.wrong"), what, QString(), advice};
}

}  // namespace

const std::vector<CommandSpec> &commands() {
    return registry();
}

const CommandSpec *findCommand(const QString &name) {
    for (const CommandSpec &spec : registry()) {
        if (spec.name == name)
            return &spec;
    }
    return nullptr;
}

QStringList commandNames() {
    QStringList names;
    for (const CommandSpec &spec : registry())
        names << spec.name;
    return names;
}

CommandRegistration::CommandRegistration(CommandSpec spec) {
    auto &list = registry();
    const auto place = std::lower_bound(list.begin(), list.end(), spec.name,
                                        [](const CommandSpec &each, const QString &name) { return each.name < name; });
    list.insert(place, std::move(spec));
}

CommandArguments::CommandArguments(QString command) : m_command(std::move(command)) {}

void CommandArguments::flag(const QString &name, const QString &help) {
    m_options.push_back({name, QString(), help});
}

void CommandArguments::value(const QString &name, const QString &placeholder, const QString &help) {
    m_options.push_back({name, placeholder, help});
}

void CommandArguments::positional(const QString &placeholder, const QString &help, bool required) {
    m_positionals.push_back({placeholder, help, required});
}

const CommandArguments::Option *CommandArguments::find(const QString &name) const {
    for (const Option &option : m_options) {
        if (option.name == name)
            return &option;
    }
    return nullptr;
}

QStringList CommandArguments::optionNames() const {
    QStringList names;
    for (const Option &option : m_options)
        names << QStringLiteral("--") + option.name;
    return names << QStringLiteral("--help");
}

std::optional<int> CommandArguments::parse(const QStringList &arguments) {
    bool onlyWords = false;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString &argument = arguments[i];
        if (onlyWords || !argument.startsWith(QLatin1Char('-')) || argument == QLatin1String("-")) {
            m_words << argument;
            continue;
        }
        if (argument == QLatin1String("--")) {
            onlyWords = true;
            continue;
        }
        if (argument == QLatin1String("--help") || argument == QLatin1String("-h")) {
            printLine(usage());
            return Done;
        }
        const qsizetype equals = argument.indexOf(QLatin1Char('='));
        const QString name = argument.left(equals);
        const Option *option = name.startsWith(QLatin1String("--")) ? find(name.mid(2)) : nullptr;
        if (!option) {
            return wrongUsage(usageError(QStringLiteral("The option \"%1\" is unknown here.").arg(name),
                                         didYouMean(name, optionNames())));
        }
        if (option->placeholder.isEmpty()) {
            if (equals >= 0)
                return wrongUsage(usageError(QStringLiteral("The option %1 takes no value.").arg(name)));
            m_given.emplace_back(option->name, QString());
        } else if (equals >= 0) {
            m_given.emplace_back(option->name, argument.mid(equals + 1));
        } else if (i + 1 < arguments.size()) {
            m_given.emplace_back(option->name, arguments[++i]);
        } else {
            return wrongUsage(usageError(QStringLiteral("The option %1 needs a value.").arg(name),
                                         QStringLiteral("Write %1 %2.").arg(name, option->placeholder)));
        }
    }
    if (m_words.size() > static_cast<qsizetype>(m_positionals.size())) {
        return wrongUsage(usageError(QStringLiteral("The word \"%1\" is one too many.")
                                         .arg(m_words[static_cast<qsizetype>(m_positionals.size())])));
    }
    for (std::size_t i = static_cast<std::size_t>(m_words.size()); i < m_positionals.size(); ++i) {
        if (m_positionals[i].required)
            return wrongUsage(usageError(QStringLiteral("%1 is missing.").arg(m_positionals[i].placeholder)));
    }
    return std::nullopt;
}

bool CommandArguments::isSet(const QString &name) const {
    return std::any_of(m_given.begin(), m_given.end(), [&name](const auto &each) { return each.first == name; });
}

QString CommandArguments::get(const QString &name, const QString &fallback) const {
    for (auto each = m_given.rbegin(); each != m_given.rend(); ++each) {
        if (each->first == name)
            return each->second;
    }
    return fallback;
}

Result<qint64> CommandArguments::integer(const QString &name, qint64 minimum, qint64 maximum, qint64 fallback) const {
    if (!isSet(name))
        return fallback;
    bool ok = false;
    const qint64 number = get(name).toLongLong(&ok);
    if (!ok || number < minimum || number > maximum) {
        return tl::unexpected(
            usageError(QStringLiteral("The option --%1 does not take \"%2\".").arg(name, get(name)),
                       QStringLiteral("Give a whole number from %1 to %2.").arg(minimum).arg(maximum)));
    }
    return number;
}

QString CommandArguments::word(int index) const {
    return m_words.value(index);
}

QString CommandArguments::usage() const {
    const CommandSpec *spec = findCommand(m_command);
    QString text = QStringLiteral("Usage: hearth %1 %2\n").arg(m_command, spec ? spec->synopsis : QString());
    if (spec)
        text += QStringLiteral("\n%1%2.\n").arg(spec->summary.left(1).toUpper(), spec->summary.mid(1));
    std::vector<std::pair<QString, QString>> rows;
    for (const Positional &each : m_positionals)
        rows.emplace_back(each.placeholder, each.help);
    for (const Option &each : m_options)
        rows.emplace_back((QStringLiteral("--") + each.name + QLatin1Char(' ') + each.placeholder).trimmed(),
                          each.help);
    rows.emplace_back(QStringLiteral("--help"), QStringLiteral("print this"));
    qsizetype width = 0;
    for (const auto &row : rows)
        width = std::max(width, row.first.size());
    for (const auto &row : rows)
        text += QStringLiteral("\n  ") + row.first.leftJustified(width + 2) + row.second;
    return text;
}

int CommandArguments::wrongUsage(const Error &error) const {
    printError(error);
    printNote(QStringLiteral("\"hearth %1 --help\" tells how to use it.").arg(m_command));
    return WrongUsage;
}

void printJson(const QJsonObject &object) {
    write(stdout, QJsonDocument(object).toJson(QJsonDocument::Compact));
}

void printLine(const QString &text) {
    write(stdout, text.toUtf8());
}

void printNote(const QString &text) {
    write(stderr, text.toUtf8());
}

int printError(const Error &error) {
    printNote(QStringLiteral("hearth: ") + error.toString());
    return Failed;
}

}  // namespace hearth
