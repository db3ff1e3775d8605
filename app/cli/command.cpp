#include "app/cli/command.h"

#include <QJsonDocument>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/base/terminal.h"

namespace hearth {
namespace {

std::vector<CommandSpec> &registry() {
    static std::vector<CommandSpec> list;
    return list;
}

Error usageError(const Sentence &what, const Sentence &advice = {}) {
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

CommandArguments::CommandArguments(QString command) : m_command(std::move(command)) {
    m_parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    m_parser.addOption({{QStringLiteral("help"), QStringLiteral("h")}, QStringLiteral("print this")});
}

void CommandArguments::flag(const QString &name, const QString &help) {
    m_options.emplace_back(name, help);
    m_parser.addOption(m_options.back());
}

void CommandArguments::value(const QString &name, const QString &valueName, const QString &help) {
    m_options.emplace_back(name, help, valueName);
    m_parser.addOption(m_options.back());
}

void CommandArguments::textValue(const QString &name, const QString &valueName, const QString &help) {
    value(name, valueName, help);
    m_texts << name;
}

void CommandArguments::positional(const QString &label, const QString &help, bool required) {
    m_positionals.push_back({label, help, required});
}

std::optional<int> CommandArguments::parse(const QStringList &arguments) {
    const bool understood = m_parser.parse(QStringList{m_command} + arguments);
    if (m_parser.isSet(QStringLiteral("help"))) {
        printOwnLines(usage());
        return Done;
    }
    if (const QStringList unknown = m_parser.unknownOptionNames(); !unknown.isEmpty()) {
        QStringList valid;
        for (const QCommandLineOption &option : m_options)
            valid << QStringLiteral("--") + option.names().first();
        const QString given = QStringLiteral("--") + unknown.first();
        return wrongUsage(usageError(sentence("The option \"%1\" is unknown here.").arg(given),
                                     didYouMean(given, valid << QStringLiteral("--help"))));
    }
    if (!understood)
        return wrongUsage(usageError(m_parser.errorText()));
    m_words = m_parser.positionalArguments();
    const auto allowed = static_cast<qsizetype>(m_positionals.size());
    const bool repeats = allowed > 0 && m_positionals.back().label.endsWith(QStringLiteral("…"));
    if (m_words.size() > allowed && !repeats)
        return wrongUsage(usageError(sentence("The argument \"%1\" is one too many.").arg(m_words[allowed])));
    for (auto i = static_cast<std::size_t>(m_words.size()); i < m_positionals.size(); ++i) {
        if (m_positionals[i].required)
            return wrongUsage(usageError(sentence("%1 is missing.").arg(m_positionals[i].label)));
    }
    if (const auto empty = emptyValue())
        return wrongUsage(*empty);
    return std::nullopt;
}

std::optional<Error> CommandArguments::emptyValue() const {
    for (const QCommandLineOption &option : m_options) {
        const QString name = option.names().constFirst();
        const bool mayBeEmpty = option.valueName().isEmpty() || m_texts.contains(name);
        if (!mayBeEmpty && m_parser.values(name).contains(QString())) {
            return usageError(sentence("The option --%1 is empty.").arg(name),
                              sentence("Give it a value, or leave it out."));
        }
    }
    const qsizetype empty = m_words.indexOf(QString());
    if (empty < 0)
        return std::nullopt;
    const auto place = std::min(static_cast<std::size_t>(empty), m_positionals.size() - 1);
    return usageError(sentence("The argument %1 is empty.").arg(m_positionals[place].label),
                      sentence("Give it a value, or leave it out."));
}

bool CommandArguments::isSet(const QString &name) const {
    return m_parser.isSet(name);
}

QString CommandArguments::get(const QString &name, const QString &fallback) const {
    return m_parser.isSet(name) ? m_parser.value(name) : fallback;
}

QStringList CommandArguments::all(const QString &name) const {
    return m_parser.values(name);
}

Result<QStringList> CommandArguments::list(const QString &name) const {
    QStringList names;
    for (const QString &part : get(name).split(QLatin1Char(','))) {
        if (const QString trimmed = part.trimmed(); !trimmed.isEmpty())
            names << trimmed;
    }
    if (isSet(name) && names.isEmpty()) {
        return tl::unexpected(
            usageError(sentence("The option --%1 does not take \"%2\".").arg(name, get(name).left(60)),
                       sentence("Give names, separated by commas.")));
    }
    return names;
}

Result<qint64> CommandArguments::integer(const QString &name, qint64 minimum, qint64 maximum, qint64 fallback) const {
    if (!isSet(name))
        return fallback;
    bool ok = false;
    const qint64 number = get(name).toLongLong(&ok);
    if (!ok || number < minimum || number > maximum) {
        return tl::unexpected(usageError(sentence("The option --%1 does not take \"%2\".").arg(name, get(name)),
                                         sentence("Give a whole number from %1 to %2.").arg(minimum).arg(maximum)));
    }
    return number;
}

Result<double> CommandArguments::positive(const QString &name, double maximum, double fallback) const {
    if (!isSet(name))
        return fallback;
    bool understood = false;
    const double number = get(name).toDouble(&understood);
    if (!understood || !(number > 0 && number <= maximum)) {
        return tl::unexpected(usageError(
            sentence("The option --%1 does not take \"%2\".").arg(name, get(name).left(60)),
            sentence("Give a number above 0, at most %1.").arg(Sentence::quantity(QString::number(maximum, 'g', 10)))));
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
        rows.emplace_back(each.label, each.help);
    for (const QCommandLineOption &each : m_options) {
        const QString name = QStringLiteral("--%1 %2").arg(each.names().first(), each.valueName());
        rows.emplace_back(name.trimmed(), each.description());
    }
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
    const QString program = m_command.isEmpty() ? QStringLiteral("hearth") : QStringLiteral("hearth ") + m_command;
    printNote(QStringLiteral("\"%1 --help\" tells how to use it.").arg(program));
    return WrongUsage;
}

void printJson(const QJsonObject &object) {
    writeJson(stdout, QJsonDocument(object).toJson(QJsonDocument::Compact));
}

void printLine(const QString &text) {
    writeLine(stdout, text);
}

void printOwnLines(const QString &text) {
    writeOwnLines(stdout, text);
}

void printNote(const QString &text) {
    writeLine(stderr, text);
}

int printError(const Error &error) {
    printNote(QStringLiteral("hearth: ") + error.toString());
    return Failed;
}

}  // namespace hearth
