// hearth-train-shows EVENTS.jsonl: plays a run's events into the window, and prints what the Train page shows after
// each that matters, as lines of JSON. Knows nothing of what is right: train_truth.py does.
#include <QApplication>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QListView>
#include <QTextStream>
#include <QToolTip>

#include "tests/ui/window_fixture.h"
#include "ui/base/still_text.h"
#include "ui/base/widgets.h"
#include "ui/train/event_list.h"
#include "ui/train/live_plot.h"
#include "ui/train/train_devices.h"

using namespace hearth;

namespace {

class Shown : public WindowFixture {
  public:
    explicit Shown(std::vector<RunEvent> events) {
        m_events = std::move(events);
        makeWindow();
        // Nothing is known of the devices but what the run tells.
        m_home->demo = false;
        m_home->list.clear();
        Q_EMIT m_home->devicesChanged();
        m_window->show();
        m_controller->open(QStringLiteral("run"));
    }
    ~Shown() override { endWindow(); }

    void play(QTextStream &out) const {
        constexpr std::size_t every = 9;
        for (std::size_t i = 0; i < m_events.size(); ++i) {
            m_controller->send(m_events[i]);
            const bool last = i + 1 == m_events.size();
            const bool routine = std::holds_alternative<event::Round>(m_events[i].body) ||
                                 std::holds_alternative<event::Profile>(m_events[i].body);
            if (routine && i % every != 0 && !last)
                continue;
            // A page that comes into sight is brought up to date at once.
            goTo("railHome");
            goTo("railTrain");
            out << QJsonDocument(moment(m_events[i].seq, last)).toJson(QJsonDocument::Compact) << '\n';
        }
    }

  private:
    QJsonObject moment(quint64 seq, bool last) const {
        QJsonObject all{
            {QStringLiteral("seq"), static_cast<qint64>(seq)},
            {QStringLiteral("status"), plain(text("statusRun"))},
            {QStringLiteral("subtitle"), plain(find<ElidedLabel>("trainPageSubtitle")->fullText())},
            {QStringLiteral("figures"), figures()},
            {QStringLiteral("tiles"), tiles()},
            {QStringLiteral("split"), split()},
            {QStringLiteral("sentences"), sentences()},
            {QStringLiteral("marks"), QJsonArray::fromStringList(find<LivePlot>("throughputPlot")->markLabels())}};
        // Rounds that a recovery undoes are seen before it, too.
        const auto *state = std::get_if<event::State>(&m_events[seq - 1].body);
        if (last || state != nullptr || std::holds_alternative<event::Recovered>(m_events[seq - 1].body))
            all[QStringLiteral("plots")] = curves();
        if (last)
            all[QStringLiteral("cursor")] = cursor();
        return all;
    }
    QJsonObject figures() const {
        QJsonObject all;
        for (const char *name : {"figureRound", "figureSpeed", "figureLoss", "figureAccuracy", "figureTimeLeft"}) {
            const auto *figure = find<Figure>(name);
            const QString note = figure->findChildren<QLabel *>().last()->text();
            all[QLatin1String(name)] = QJsonArray{plain(figure->value()), plain(note)};
        }
        return all;
    }
    QJsonObject tiles() const {
        QJsonObject all;
        for (const DeviceTile *tile : m_window->findChildren<DeviceTile *>())
            all[tile->objectName().mid(5)] = QJsonArray{plain(tile->word()), plain(tile->chip())};
        return all;
    }
    static QString toolTipOf(QWidget *widget) {
        const QPoint at = widget->rect().center();
        QToolTip::hideText();
        QHelpEvent asked(QEvent::ToolTip, at, widget->mapToGlobal(at));
        QCoreApplication::sendEvent(widget, &asked);
        return plain(QToolTip::text());
    }
    QJsonObject split() const {
        QJsonObject all;
        for (const StillText *share : find<QWidget>("timeSplit")->findChildren<StillText *>()) {
            const QString name = share->objectName().mid(6);
            const bool known = share->text() != QStringLiteral("–");
            auto *meter = m_window->findChild<QWidget *>(QStringLiteral("meter-") + name);
            all[name] = QJsonArray{plain(share->text()), known ? toolTipOf(meter) : QString()};
        }
        return all;
    }
    QJsonArray sentences() const {
        QJsonArray all;
        const auto *list = find<QListView>("eventList")->model();
        for (int row = 0; row < list->rowCount(); ++row) {
            const QModelIndex index = list->index(row, 0);
            all.append(QJsonArray{index.data(EventListModel::TimeRole).toDouble(), plain(index.data().toString())});
        }
        return all;
    }
    QJsonObject curves() const {
        QJsonObject all;
        for (const LivePlot *plot : find<QWidget>("trainPlots")->findChildren<LivePlot *>()) {
            QJsonArray curves;
            for (int curve = 0; curve < plot->curveCount(); ++curve) {
                QJsonArray points;
                for (const QPointF &point : plot->points(curve))
                    points.append(QJsonArray{point.x(), point.y()});
                curves.append(QJsonArray{plot->curveName(curve), points});
            }
            all[plot->objectName()] = curves;
        }
        return all;
    }
    /// What the traffic's cursor says at each round.
    QJsonArray cursor() const {
        QJsonArray all;
        auto *plot = find<LivePlot>("trafficPlot");
        for (const RoundPoint &round : m_window->run().rounds()) {
            plot->setCursor(round.t);
            QJsonArray lines;
            for (const QString &line : plot->readout())
                lines.append(plain(line));
            all.append(QJsonArray{round.t, lines});
        }
        return all;
    }
};

}  // namespace

int main(int argc, char **argv) {
    QApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    QFile file(arguments.value(1));
    QTextStream out(stdout);
    if (arguments.size() != 2 || !file.open(QIODevice::ReadOnly)) {
        QTextStream(stderr) << "Usage: hearth-train-shows EVENTS.jsonl" << Qt::endl;
        return 2;
    }
    const Language english(QLocale(QLocale::English, QLocale::UnitedStates));
    Shown(RecordedRun::read(file)).play(out);
    return 0;
}
