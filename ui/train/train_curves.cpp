// Which plots a run has, and which curves are in them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "ui/run/run_model.h"
#include "ui/train/live_plot.h"
#include "ui/train/train_plots.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

// More names than these do not fit above a plot.
constexpr int mostNames = 4;
constexpr double bytesPerMiB = 1 << 20, bytesPerGiB = 1 << 30;
constexpr double bytesPerMB = 1e6;

PlotColour lineColour(int index) {
    return [index](const Theme &theme) { return theme.line(index); };
}

QString percentText(double percent) {
    return formatPercent(percent / 100);
}

}  // namespace

void TrainPlots::buildRunPlots() {
    using Look = LivePlot::Look;
    const RunSeries &series = m_run.series();
    const auto curve = [](LivePlot *plot, int index, const TimeSeries &shown) { plot->setSeries(index, &shown); };
    m_quality = addPlot("lossPlot", tr("Loss and accuracy"));
    for (const auto &[name, colour, look, shown] :
         {std::tuple{tr("loss"), &Theme::controlBorder, Look::Faint, &series.loss()},
          {tr("loss, smoothed"), &Theme::accent, Look::Strong, &series.smoothedLoss()},
          {tr("loss, evaluated"), &Theme::info, Look::Points, &series.evaluatedLoss()}}) {
        const int loss = m_quality->addCurve(name, colour, look);
        curve(m_quality, loss, *shown);
        m_quality->setReadoutFormat(loss, &formatLoss);
    }
    const int accuracy = m_quality->addCurve(tr("accuracy, % (right)"), &Theme::good, Look::Points, true);
    curve(m_quality, accuracy, series.accuracy());
    m_quality->setReadoutFormat(accuracy, &percentText);
    m_quality->setRightAxisFormat(0, 100);
    // Around the points of one evaluation.
    curve(m_quality, m_quality->addCurve(tr("best"), &Theme::text, Look::Rings), series.bestLoss());
    curve(m_quality, m_quality->addCurve({}, &Theme::text, Look::Rings, true), series.bestAccuracy());
    m_throughput = addPlot("throughputPlot", tr("Samples per second"));
    curve(m_throughput, m_throughput->addCurve(tr("measured"), &Theme::controlBorder, Look::Faint), series.measured());
    curve(m_throughput, m_throughput->addCurve(tr("smoothed"), &Theme::accent, Look::Strong), series.smoothed());
    curve(m_throughput, m_throughput->addCurve(tr("predicted"), &Theme::info, Look::Dashed), series.predicted());
    curve(m_throughput, m_throughput->addCurve(tr("kept"), &Theme::good, Look::Ticks), series.kept());
    m_rate = addPlot("ratePlot", tr("Learning rate"));
    syncRate();
    m_norm = addPlot("normPlot", tr("Length of the gradients, before they are clipped"));
    curve(m_norm, m_norm->addCurve(tr("gradient norm"), &Theme::accent, Look::Thin), series.gradientNorm());
}

void TrainPlots::buildDevicePlots() {
    m_computing = addPlot("computingPlot", tr("Computing, % of the round"));
    m_waiting = addPlot("waitingPlot", tr("Waiting, % of the round"));
    m_sending = addPlot("sendingPlot", tr("Sending, % of the round"));
    for (LivePlot *plot : {m_computing, m_waiting, m_sending})
        plot->setLeftAxisFormat(0, 100);
    m_memory = addPlot("memoryPlot", tr("Memory, MiB"));
    m_cardBusy = addPlot("cardBusyPlot", tr("Graphics cards at work, % of the time"));
    m_cardBusy->setLeftAxisFormat(0, 100);
    m_cardMemory = addPlot("cardMemoryPlot", tr("Memory of the graphics cards, GiB"));
    m_cardCelsius = addPlot("cardCelsiusPlot", tr("Temperature of the graphics cards, °C"));
    m_cardWatts = addPlot("cardWattsPlot", tr("Power of the graphics cards, W"));
    m_traffic = addPlot("trafficPlot", tr("Link traffic, MB/s"));
    m_compression = addPlot("compressionPlot", tr("Compression, error in %"));
    // Until there is something to show.
    for (LivePlot *plot : {m_rate, m_norm, m_compression})
        plot->parentWidget()->hide();
    for (LivePlot *plot : cardPlots())
        plot->parentWidget()->hide();
}

QString TrainPlots::rateName() const {
    const std::optional<Job> &job = m_run.job();
    const std::optional<Plan> &plan = m_run.plan();
    if (job && job->asynchronous && job->asynchronous->correctRate && plan && plan->prediction) {
        const std::vector<int> &delays = plan->prediction->delays;
        QStringList parts;
        for (const int delay : delays)
            parts << (delay > 0 ? QStringLiteral("1/%1").arg(delay + 1) : QStringLiteral("1"));
        if (std::ranges::any_of(delays, [](int delay) { return delay > 0; }))
            return tr("learning rate; stages now take %1 of it").arg(parts.join(QStringLiteral(", ")));
    }
    return tr("learning rate");
}

void TrainPlots::syncRate() {
    const QString name = rateName();
    if (m_rate->curveCount() == 1 && m_rate->curveName(0) == name)
        return;
    m_rate->removeCurves();
    m_rate->setSeries(m_rate->addCurve(name, &Theme::accent, LivePlot::Look::Strong), &m_run.series().learningRate());
}

void TrainPlots::syncShown() {
    const RunSeries &series = m_run.series();
    for (const auto &[plot, isWanted] :
         {std::pair{m_rate, !series.learningRate().isEmpty()}, {m_norm, !series.gradientNorm().isEmpty()}})
        plot->parentWidget()->setVisible(isWanted);
}

void TrainPlots::syncDevices() {
    struct OfDevices {
        LivePlot *plot;
        TimeSeries RunSeries::OfDevice::*series;
        double scale;
        std::function<QString(double)> text;
    };
    const auto whole = [](const QString &unit) {
        return [unit](double value) { return QStringLiteral("%1 %2").arg(formatCount(std::llround(value)), unit); };
    };
    const OfDevices plots[] = {{m_computing, &RunSeries::OfDevice::computing, 1, &percentText},
                               {m_waiting, &RunSeries::OfDevice::waiting, 1, &percentText},
                               {m_sending, &RunSeries::OfDevice::sending, 1, &percentText},
                               {m_memory, &RunSeries::OfDevice::memory, 1 / bytesPerMiB,
                                [](double mib) { return formatBytes(static_cast<qint64>(mib * bytesPerMiB)); }},
                               {m_cardBusy, &RunSeries::OfDevice::cardBusy, 1, &percentText},
                               {m_cardMemory, &RunSeries::OfDevice::cardMemory, 1 / bytesPerGiB,
                                [](double gib) { return formatBytes(static_cast<qint64>(gib * bytesPerGiB)); }},
                               {m_cardCelsius, &RunSeries::OfDevice::cardCelsius, 1, whole(QStringLiteral("°C"))},
                               {m_cardWatts, &RunSeries::OfDevice::cardWatts, 1, whole(QStringLiteral("W"))}};
    const auto ofCards = cardPlots();
    const auto &devices = m_run.series().devices();
    for (const auto &[plot, member, scale, text] : plots) {
        // A card tells what it can, and most devices have none.
        const bool isOfCards = std::ranges::find(ofCards, plot) != ofCards.end();
        const auto isShown = [&, series = member](const auto &device) {
            return !isOfCards || !(device.second.*series).isEmpty();
        };
        const auto count = static_cast<int>(std::ranges::count_if(devices, isShown));
        if (plot->curveCount() == count)
            continue;
        if (isOfCards)
            plot->parentWidget()->setVisible(count > 0);
        plot->removeCurves();
        // By name: what people look for.
        std::map<QString, std::pair<QString, const TimeSeries *>> byName;
        for (const auto &device : devices) {
            const QString name = m_run.devices().name(device.first);
            if (isShown(device))
                byName[name + device.first] = {name, &(device.second.*member)};
        }
        for (const auto &[key, one] : byName) {
            const int curve = plot->addCurve(one.first, lineColour(plot->curveCount()), LivePlot::Look::Thin);
            plot->setSeries(curve, one.second, scale);
            plot->setReadoutFormat(curve, text);
        }
        if (plot->curveCount() > mostNames)
            plot->setLegendSummary(tr("%n device(s), a line each", nullptr, plot->curveCount()));
    }
}

void TrainPlots::syncLinks() {
    const auto &links = m_run.series().links();
    const TimeSeries &saved = m_run.series().saved();
    // The first curve is the sum of all; what compression saves comes behind it.
    const int sums = saved.isEmpty() ? 1 : 2;
    if (m_traffic->curveCount() == static_cast<int>(links.size()) + sums || links.empty())
        return;
    const auto add = [this](const QString &name, const TimeSeries &series, const PlotColour &colour,
                            LivePlot::Look look) {
        const int curve = m_traffic->addCurve(name, colour, look);
        m_traffic->setSeries(curve, &series, 1 / bytesPerMB);
        m_traffic->setReadoutFormat(curve, [](double mb) { return formatRate(mb * bytesPerMB); });
    };
    m_traffic->removeCurves();
    add(tr("all links"), m_run.series().allLinks(), &Theme::accent, LivePlot::Look::Strong);
    if (!saved.isEmpty())
        add(tr("saved"), saved, &Theme::good, LivePlot::Look::Dashed);
    for (const auto &[link, series] : links) {
        const QString name = link.isEmpty() ? tr("other links")
                                            : tr("%1 to %2")
                                                  .arg(m_run.devices().name(link.section(QLatin1Char('>'), 0, 0)),
                                                       m_run.devices().name(link.section(QLatin1Char('>'), 1)));
        add(name, series, lineColour(m_traffic->curveCount()), LivePlot::Look::Thin);
    }
    const auto count = static_cast<int>(links.size());
    if (!saved.isEmpty() && m_traffic->curveCount() >= mostNames)
        m_traffic->setLegendSummary(tr("all, what compression saves, and %n link(s)", nullptr, count));
    else if (m_traffic->curveCount() > mostNames)
        m_traffic->setLegendSummary(tr("all of them, and %n link(s), a line each", nullptr, count));
}

/// Of runs whose cuts are compressed alone.
void TrainPlots::syncCuts() {
    const auto &errors = m_run.series().cutErrors();
    const bool isShown = !errors.empty();
    if (m_compression->parentWidget()->isHidden() == isShown)
        m_compression->parentWidget()->setVisible(isShown);
    if (!isShown || m_compression->curveCount() == static_cast<int>(errors.size()) + 1)
        return;
    const auto add = [this](const QString &name, const TimeSeries &series, const PlotColour &colour) {
        const int curve = m_compression->addCurve(name, colour, LivePlot::Look::Points);
        m_compression->setSeries(curve, &series);
        m_compression->setReadoutFormat(curve, &percentText);
    };
    m_compression->removeCurves();
    add(tr("loss"), m_run.series().lossOff(), &Theme::accent);
    for (const auto &[key, series] : errors) {
        const QString name = key.isForward ? tr("activations %1 → %2").arg(key.cut + 1).arg(key.cut + 2)
                                           : tr("gradients %1 → %2").arg(key.cut + 2).arg(key.cut + 1);
        add(name, series, lineColour(m_compression->curveCount()));
    }
    if (m_compression->curveCount() >= mostNames)
        m_compression->setLegendSummary(
            tr("the loss, and %n way(s) across cuts", nullptr, static_cast<int>(errors.size())));
}

}  // namespace hearth
