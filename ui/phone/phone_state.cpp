#include "ui/phone/phone_state.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/base/home_source.h"
#include "ui/run/event_sentences.h"
#include "ui/run/run_model.h"
#include "ui/train/run_texts.h"
#include "ui/train/train_devices.h"
#include "ui/train/train_figures.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

struct PhoneWords {
    Q_DECLARE_TR_FUNCTIONS(PhoneWords)
};

constexpr int curvePieces = 100;  // read() gives twice as many at most
constexpr double curveWidth = 1000, curveHeight = 400;
constexpr std::ptrdiff_t newestEvents = 5;

/// As the page's lang attribute wants it.
QString phoneLanguage() {
    return QLocale().bcp47Name();
}

/// The class of its colour in the page.
QString phoneTone(ThemeColour colour) {
    for (const auto &[each, name] : {std::pair{&Theme::good, "good"}, {&Theme::slow, "slow"}, {&Theme::bad, "bad"}}) {
        if (colour == each)
            return QLatin1String(name);
    }
    return {};
}

QString phoneTone(Tone tone) {
    switch (tone) {
        case Tone::Good:
            return QStringLiteral("good");
        case Tone::Slow:
            return QStringLiteral("slow");
        case Tone::Bad:
            return QStringLiteral("bad");
        case Tone::Plain:
            break;
    }
    return {};
}

QJsonArray phoneFigures(const RunModel &run) {
    QJsonArray list;
    for (const auto &[caption, value, note] : figuresOf(run)) {
        list.append(QJsonObject{
            {QStringLiteral("caption"), caption}, {QStringLiteral("value"), value}, {QStringLiteral("note"), note}});
    }
    return list;
}

/// Empty where it is not known how many rounds there are.
QJsonObject phoneProgress(const RunModel &run) {
    const qint64 total = run.totalRounds();
    if (total <= 0)
        return {};
    const double part = static_cast<double>(run.completedRounds()) / static_cast<double>(total);
    QString text = PhoneWords::tr("%1 done").arg(formatPercent(part));
    if (const double epochs = run.epochsPerRound() * static_cast<double>(run.completedRounds()); epochs > 0)
        text = PhoneWords::tr("%1 · %2 epochs").arg(text, formatNumber(epochs));
    return {{QStringLiteral("part"), part}, {QStringLiteral("text"), text}};
}

/// The strong line of Train's plot, in a box of 1000 × 400 with y downwards; empty before there are two points.
QJsonObject phoneCurve(const RunModel &run) {
    const std::vector<TimeSeries::Piece> pieces = run.series().smoothedLoss().read(0, run.lastT(), curvePieces);
    if (pieces.size() < 2)
        return {};
    const auto bounds = std::ranges::minmax(pieces, {}, &TimeSeries::Piece::mean);
    const double least = bounds.min.mean, height = bounds.max.mean - least;
    const double begin = pieces.front().from, length = pieces.back().to - begin;
    QJsonArray lines;
    QStringList line;
    for (const TimeSeries::Piece &piece : pieces) {
        if (piece.breakBefore && !line.isEmpty())
            lines.append(std::exchange(line, {}).join(QLatin1Char(' ')));
        const double x = length > 0 ? ((piece.from + piece.to) / 2 - begin) / length : 0;
        const double y = height > 0 ? (piece.mean - least) / height : 0;
        line << QStringLiteral("%1,%2").arg(qRound(x * curveWidth)).arg(qRound((1 - y) * curveHeight));
    }
    lines.append(line.join(QLatin1Char(' ')));
    const int smoothing = run.series().lossSmoothing();
    return {
        {QStringLiteral("title"), smoothing > 1 ? PhoneWords::tr("Loss, smoothed over %n round(s)", nullptr, smoothing)
                                                : PhoneWords::tr("Loss")},
        {QStringLiteral("lines"), lines},
        {QStringLiteral("most"), formatLoss(bounds.max.mean)},
        {QStringLiteral("least"), formatLoss(least)},
        {QStringLiteral("from"), formatClock(begin)},
        {QStringLiteral("to"), formatClock(begin + length)}};
}

QJsonArray phoneDevices(const HomeSource &home, const RunModel &run) {
    QJsonArray list;
    for (const ShownDevice &shown : shownDevices(home, run)) {
        const DeviceLook look = deviceInRun(shown, run).look;
        list.append(QJsonObject{{QStringLiteral("name"), shown.device.name},
                                {QStringLiteral("word"), look.word},
                                {QStringLiteral("tone"), phoneTone(look.colour)}});
    }
    return list;
}

/// The newest first.
QJsonArray phoneEvents(const RunModel &run) {
    const std::vector<EventSentence> &all = run.log().sentences();
    QJsonArray list;
    const auto many = std::min(newestEvents, std::ssize(all));
    for (auto sentence = all.rbegin(); sentence != all.rbegin() + many; ++sentence) {
        list.append(QJsonObject{{QStringLiteral("at"), formatClock(sentence->t)},
                                {QStringLiteral("text"), sentence->text},
                                {QStringLiteral("tone"), phoneTone(sentence->tone)}});
    }
    return list;
}

}  // namespace

QJsonObject phoneState(const HomeSource &home, const RunModel &run, bool isRecording, qint64 silence) {
    return {
        {QStringLiteral("language"), phoneLanguage()},
        {QStringLiteral("title"), run.isEmpty() ? PhoneWords::tr("Nothing is training") : titleText(run, isRecording)},
        {QStringLiteral("state"), run.isEmpty() ? QString() : stateText(run.state())},
        {QStringLiteral("doing"), doingText(home, run)},
        {QStringLiteral("silence"), isSilenceExpected(run) ? 0 : silence},
        {QStringLiteral("progress"), phoneProgress(run)},
        {QStringLiteral("figures"), phoneFigures(run)},
        {QStringLiteral("curve"), phoneCurve(run)},
        {QStringLiteral("devices"), phoneDevices(home, run)},
        {QStringLiteral("events"), phoneEvents(run)}};
}

QByteArray phonePage() {
    QFile file(QStringLiteral(":/hearth/phone/index.html"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the page for phones is not compiled in");
    QByteArray page = file.readAll();
    const std::pair<const char *, QString> words[] = {
        {"{{language}}", phoneLanguage()},
        {"{{devices}}", PhoneWords::tr("Devices")},
        {"{{events}}", PhoneWords::tr("What happened")},
        {"{{progress}}", PhoneWords::tr("Progress")},
        {"{{seconds}}", PhoneWords::tr("Last data %1 s ago")},
        {"{{minutes}}", PhoneWords::tr("Last data %1 min ago")},
        {"{{gone}}", PhoneWords::tr("The computer does not answer. It shows the run no longer, or this phone is in "
                                    "another network.")},
        {"{{stopped}}", PhoneWords::tr("This page was stopped.")},
        {"{{scripts}}", PhoneWords::tr("This page needs JavaScript.")},
    };
    for (const auto &[place, text] : words)
        page.replace(place, text.toHtmlEscaped().toUtf8());
    return page;
}

}  // namespace hearth
