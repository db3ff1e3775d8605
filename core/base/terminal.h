// The one way by which text gets to a terminal: much of it was written by other devices, files and programs.
#pragma once

#include <QByteArray>
#include <QString>
#include <cstdio>

namespace hearth {

/// One line that steers nothing: control characters (line ends and escapes among them) are spaces, and characters that
/// turn the direction of text or hide are gone. Any thread, as all here.
QString terminalText(const QString &text);
/// The same JSON; what terminalText() would change is escaped, so that programs read what was there.
QByteArray terminalJson(const QByteArray &json);

/// Cleaned, with a line end, and flushed.
void writeLine(std::FILE *file, const QString &text);
void writeJson(std::FILE *file, const QByteArray &json);
/// The same of a line that comes in parts: without its end.
void writeJsonPart(std::FILE *file, const QByteArray &part);
/// Several lines of this program's own: nothing foreign in them.
void writeOwnLines(std::FILE *file, const QString &text);
/// In place of what the terminal's last line shows, without a line end.
void writeOver(std::FILE *file, const QString &text);

/// All log messages of this process are cleaned from now on. Once, in main().
void cleanLog();

}  // namespace hearth
