#include "core/base/terminal.h"

#include <QDebug>

namespace hearth {
namespace {

constexpr char32_t nonJoiner = 0x200c, joiner = 0x200d;  // scripts and pictures need them

enum class Fate { Stays, Space, Goes };

Fate fateOf(char32_t character) {
    switch (QChar::category(character)) {
        case QChar::Other_Control:
        case QChar::Separator_Line:
        case QChar::Separator_Paragraph:
            return Fate::Space;
        case QChar::Other_Format:
            return character == nonJoiner || character == joiner ? Fate::Stays : Fate::Goes;
        default:
            return Fate::Stays;
    }
}

void write(std::FILE *file, const QByteArray &line) {
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), file);
    std::fputc('\n', file);
    std::fflush(file);
}

QtMessageHandler handlerBefore = nullptr;

void logCleaned(QtMsgType type, const QMessageLogContext &context, const QString &message) {
    handlerBefore(type, context, terminalText(message));
}

}  // namespace

QString terminalText(const QString &text) {
    QString clean;
    clean.reserve(text.size());
    for (const char32_t character : text.toUcs4()) {
        const Fate fate = fateOf(character);
        if (fate == Fate::Stays)
            clean += QChar::fromUcs4(character);
        else if (fate == Fate::Space)
            clean += QLatin1Char(' ');
    }
    return clean;
}

QByteArray terminalJson(const QByteArray &json) {
    QByteArray clean;
    clean.reserve(json.size());
    for (const char32_t character : QString::fromUtf8(json).toUcs4()) {
        const auto units = QChar::fromUcs4(character);
        if (fateOf(character) == Fate::Stays) {
            clean += QStringView(units).toUtf8();
            continue;
        }
        for (const QChar unit : QStringView(units))
            clean += "\\u" + QByteArray::number(unit.unicode(), 16).rightJustified(4, '0');
    }
    return clean;
}

void writeLine(std::FILE *file, const QString &text) {
    write(file, terminalText(text).toUtf8());
}

void writeJson(std::FILE *file, const QByteArray &json) {
    write(file, terminalJson(json));
}

void writeJsonPart(std::FILE *file, const QByteArray &part) {
    const QByteArray clean = terminalJson(part);
    std::fwrite(clean.constData(), 1, static_cast<std::size_t>(clean.size()), file);
}

void writeOwnLines(std::FILE *file, const QString &text) {
    for (const QString &line : text.split(QLatin1Char('\n')))
        writeLine(file, line);
}

void writeOver(std::FILE *file, const QString &text) {
    const QByteArray line = "\r\033[K" + terminalText(text).toUtf8();
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), file);
    std::fflush(file);
}

void cleanLog() {
    handlerBefore = qInstallMessageHandler(logCleaned);
}

}  // namespace hearth
