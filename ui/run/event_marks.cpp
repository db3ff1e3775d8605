#include "ui/run/event_marks.h"

#include <QCoreApplication>

namespace hearth {

namespace {

/// One overload per kind of event; the others make no mark.
class Marker {
    Q_DECLARE_TR_FUNCTIONS(Marker)
  public:
    explicit Marker(const RunModel &run) : m_run(run) {}

    template <class Silent>
    void operator()(const Silent &) {}

    void operator()(const event::State &e) {
        if (e.state == QLatin1String("paused"))
            mark(tr("paused"), Tone::Slow);
        else if (e.state == QLatin1String("recovering"))
            mark(tr("recovering"), Tone::Slow);
        else if (e.state == QLatin1String("waiting"))
            mark(tr("waiting"), Tone::Slow);
        else if (e.state == QLatin1String("interrupted"))
            mark(tr("interrupted"), Tone::Bad);
        else if (e.state == QLatin1String("stopped"))
            mark(tr("stopped"), Tone::Slow);
        else if (e.state == QLatin1String("failed"))
            mark(tr("failed"), Tone::Bad);
    }
    void operator()(const event::Plan &e) {
        mark(e.reason == QLatin1String("first") ? tr("plan") : tr("new plan"), Tone::Plain);
    }
    void operator()(const event::Suspect &e) { mark(tr("%1 silent").arg(m_run.devices().name(e.id)), Tone::Slow); }
    void operator()(const event::Lost &e) { mark(tr("%1 lost").arg(m_run.devices().name(e.id)), Tone::Bad); }
    void operator()(const event::Joined &e) { mark(tr("%1 back").arg(m_run.devices().name(e.id)), Tone::Good); }
    void operator()(const event::Left &e) { mark(tr("%1 left").arg(m_run.devices().name(e.id)), Tone::Slow); }
    void operator()(const event::Recovered &) { mark(tr("recovered"), Tone::Good); }
    void operator()(const event::Codec &) { mark(tr("compression"), Tone::Slow); }
    void operator()(const event::Warning &) { mark(tr("warning"), Tone::Slow); }
    void operator()(const event::Failure &) { mark(tr("error"), Tone::Bad); }
    void operator()(const event::Replica &) { tick(); }
    void operator()(const event::Checkpoint &) { tick(); }

    const std::optional<EventMark> &result() const { return m_mark; }

  private:
    void mark(const QString &label, Tone tone) { m_mark = EventMark{0, label, tone, false}; }
    void tick() { m_mark = EventMark{0, {}, Tone::Plain, true}; }

    const RunModel &m_run;
    std::optional<EventMark> m_mark;
};

}  // namespace

std::optional<EventMark> markOf(const RunEvent &event, const RunModel &run) {
    Marker marker(run);
    std::visit(marker, event.body);
    std::optional<EventMark> mark = marker.result();
    if (mark)
        mark->t = event.t;
    return mark;
}

}  // namespace hearth
