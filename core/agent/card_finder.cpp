#include "core/agent/card_finder.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QLoggingCategory>

#include "core/agent/child_end.h"
#include "core/agent/programs.h"
#include "core/base/json_reader.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(cardFinderLog, "hearth.home.card")

const QString format = QStringLiteral("hearth-cards/1");
constexpr qint64 mostMemory = qint64{1} << 50;
constexpr int mostCards = 1024;

Sentence role() {
    return sentence("Hearth's program for graphics cards");
}

tl::unexpected<Error> unreadable(const Sentence &cause) {
    return fail(QStringLiteral("card.unreadable"), sentence("What %1 said cannot be read.").arg(role()), cause,
                sentence("Install the same version of Hearth completely."));
}

}  // namespace

Result<FoundCard> readCards(const QByteArray &line) {
    const auto object = parseJsonObject(line, format);
    if (!object)
        return unreadable(object.error().what);
    JsonReader reader(*object, format);
    reader.choice("format", {format});
    reader.ignore("cause");
    reader.ignore("sentences");
    std::optional<FoundCard> best;
    for (const QJsonValue value : reader.array("cards")) {
        JsonReader fields(value, format, QStringLiteral("/cards"));
        FoundCard card;
        card.index = static_cast<int>(fields.integer("index", 0, mostCards));
        card.name = fields.string("name").left(120);
        card.uuid = fields.string("uuid", QString()).left(120);
        card.memoryBytes = fields.integer("memory", 1, mostMemory);
        fields.ignore("capability");
        if (auto ok = fields.finish(); !ok)
            return unreadable(ok.error().cause);
        if (!best || card.memoryBytes > best->memoryBytes)
            best = card;
    }
    if (auto ok = reader.finish(); !ok)
        return unreadable(ok.error().cause);
    if (best)
        return *best;
    return fail(QStringLiteral("card.none"), sentence("There is no graphics card to compute on."),
                sentenceAt(QCborMap::fromJsonObject(*object), QLatin1String("cause")));
}

CardFinder::CardFinder(std::chrono::milliseconds deadline, QObject *parent) : QObject(parent) {
    m_deadline.setSingleShot(true);
    m_deadline.setInterval(deadline);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        finish(fail(QStringLiteral("card.silent"), sentence("%1 did not answer in time.").arg(role())));
    });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        if (status == QProcess::NormalExit && code == 0)
            return finish(readCards(m_process.readAllStandardOutput()));
        ChildEnd end;
        end.kind = status == QProcess::CrashExit ? ChildEnd::Kind::Signalled : ChildEnd::Kind::Exited;
        end.code = code;
        end.lastOutput = m_process.readAllStandardError();
        failToStart(describeEnd(role(), end));
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            failToStart({{}, {}, m_process.errorString() + QLatin1Char('.'), {}});
    });
}

CardFinder::~CardFinder() {
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(1000);
}

void CardFinder::ask() {
    const auto program = findProgram(QStringLiteral("hearth-worker-cuda"));
    if (!program) {
        m_known = true;
        return;
    }
    m_deadline.start();
    m_process.setProgram(*program);
    m_process.setArguments({QStringLiteral("--cards")});
    m_process.start(QIODevice::ReadOnly);
}

/// A driver or library that is not as it should be: this shows what the system said.
void CardFinder::failToStart(const Error &error) {
    finish(fail(QStringLiteral("card.no-start"), sentence("%1 does not start here.").arg(role()),
                Sentence::joined({error.what, error.cause})));
}

void CardFinder::finish(const Result<FoundCard> &found) {
    if (m_known)
        return;
    m_known = true;
    m_deadline.stop();
    if (found) {
        m_card = *found;
        m_card->program = m_process.program();
        qCInfo(cardFinderLog, "Training computes on %s.", qUtf8Printable(m_card->name));
    } else {
        const Error &error = found.error();
        // The program's own cause says it all.
        const bool knows = error.code == QLatin1String("card.none") && !error.cause.isEmpty();
        m_cause = knows ? error.cause : error.toSentence();
        qCInfo(cardFinderLog, "Training computes on the processor. %s", qUtf8Printable(m_cause.english()));
    }
    if (m_process.state() != QProcess::NotRunning)
        m_process.kill();
    Q_EMIT known();
}

}  // namespace hearth
