// The registry of `hearth COMMAND`, and the few helpers that make all commands behave alike.
//
// One file per command in app/cli; dropping a .cpp there is enough to build it in. It registers itself:
//
//     int runPlan(const QStringList &arguments) { … }
//     const CommandRegistration registration({QStringLiteral("plan"), QStringLiteral("PROBLEM | --job JOB"),
//                                             QStringLiteral("compute who computes what"), runPlan});
#pragma once

#include <QCommandLineParser>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// What a command tells the shell; Interrupted is what shells expect after Ctrl-C.
enum ExitStatus : int { Done = 0, Failed = 1, WrongUsage = 2, Interrupted = 130 };

/// `run` gets the words after the command's name and returns an ExitStatus. A QCoreApplication exists (never a
/// QApplication) and its event loop is not running; a command that needs one runs it itself. Main thread.
struct CommandSpec {
    QString name;
    QString synopsis;  // what follows the name in the usage line
    QString summary;   // a phrase in lower case for the list of commands
    int (*run)(const QStringList &arguments);
};

/// All registered commands in order of name.
const std::vector<CommandSpec> &commands();
const CommandSpec *findCommand(const QString &name);
QStringList commandNames();

struct CommandRegistration {
    explicit CommandRegistration(CommandSpec spec);
};

/// Strict parsing of one command's words by QCommandLineParser, with answers in Hearth's manner: unknown options name
/// the nearest valid one, `--help` tells what there is. `--json` and `--state DIR` are declared like any other.
class CommandArguments {
  public:
    explicit CommandArguments(QString command);

    void flag(const QString &name, const QString &help);
    /// A value that is empty is wrong usage, so that a shell's empty variable never means another thing.
    void value(const QString &name, const QString &valueName, const QString &help);
    /// One that may be empty: it is a text of its own, and names nothing.
    void textValue(const QString &name, const QString &valueName, const QString &help);
    /// Positional words are named in order; optional ones come last. A last one whose label ends in "…" may be several.
    void positional(const QString &label, const QString &help, bool required = true);

    /// nullopt: go on. Else the command ends now with this status (help was printed, or the usage was wrong).
    std::optional<int> parse(const QStringList &arguments);

    bool isSet(const QString &name) const;
    QString get(const QString &name, const QString &fallback = {}) const;
    /// All that were given, of an option that may be given several times.
    QStringList all(const QString &name) const;
    /// Names with a comma between, without the spaces around them; none where it was not given.
    Result<QStringList> list(const QString &name) const;
    /// Unset = fallback; an error names the option, the range, and what was given. Return `wrongUsage(error)` then.
    Result<qint64> integer(const QString &name, qint64 minimum, qint64 maximum, qint64 fallback) const;
    /// The same for numbers above 0.
    Result<double> positive(const QString &name, double maximum, double fallback) const;
    QString word(int index) const;  // empty where not given
    /// From this one on.
    QStringList wordsFrom(int index) const { return m_words.mid(index); }
    int wordCount() const { return static_cast<int>(m_words.size()); }

    QString usage() const;
    int wrongUsage(const Error &error) const;

  private:
    struct Positional {
        QString label;  // as the usage line calls it
        QString help;
        bool required;
    };

    /// The first option or word that is empty and may not be.
    std::optional<Error> emptyValue() const;

    QString m_command;
    QCommandLineParser m_parser;
    std::vector<QCommandLineOption> m_options;  // in order, for the usage text
    std::vector<Positional> m_positionals;
    QStringList m_texts;  // options that may be empty
    QStringList m_words;
};

/// One line of compact JSON on standard output, flushed.
void printJson(const QJsonObject &object);
/// Text for people: `printLine` on standard output (a command's result), `printNote` on standard error. A line end is
/// added; line ends within become spaces (terminalText()), except in lines of this program's own.
void printLine(const QString &text);
void printOwnLines(const QString &text);
void printNote(const QString &text);
/// "hearth: what cause advice" on standard error; returns Failed.
int printError(const Error &error);

}  // namespace hearth
