// The plots of a run under each other, with one axis, one cursor and the rows that steer them.
#pragma once

#include <QImage>
#include <QWidget>
#include <array>
#include <vector>

#include "ui/base/widgets.h"
#include "ui/train/plot_axis.h"
#include "ui/train/time_window.h"

class QComboBox;
class QScrollArea;
class QSlider;

namespace hearth {

class LivePlot;
class RunModel;
class TimeSeries;

/// Shows what `run` has measured; `refresh` is called by the page's timer. Only plots that are seen are drawn. GUI
/// thread.
class TrainPlots : public QWidget {
    Q_OBJECT
  public:
    explicit TrainPlots(const RunModel &run, QWidget *parent = nullptr);

    /// Takes in what is new. `silentSeconds` have passed since the last event of a live run: an axis of time goes on,
    /// and the curves do not.
    void refresh(double silentSeconds);
    /// All plots under each other with the part that they show, sharper than on the screen; `title` stands above.
    QImage picture(const QString &title);
    TimeWindow &window() { return m_window; }
    /// What all plots go by. A run that does not say how many samples an epoch has is shown by round instead, and the
    /// choice says so; the next run that does is shown by epoch again.
    void setAxis(AxisKind kind);
    AxisKind axis() const { return m_chosenAxis; }
    /// About so many rounds count in the smoothed loss. One that the slider cannot say is passed over.
    void setSmoothing(int rounds);
    int smoothing() const;
    const std::vector<LivePlot *> &plots() const { return m_plots; }

  Q_SIGNALS:
    /// The run is to smooth its loss so from here on.
    void smoothingChanged(int rounds);

  protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    QWidget *buildControls();
    QWidget *buildPart();
    QWidget *buildSmoothing();
    void takeSmoothing();
    void takeAxis();
    /// Of this axis.
    std::vector<double> spans() const;
    void showSpans();
    QString lastText(double span) const;
    QString lengthText(double span) const;
    LivePlot *addPlot(const char *objectName, const QString &title);
    void buildRunPlots();
    void buildDevicePlots();
    std::array<LivePlot *, 4> cardPlots() const { return {m_cardBusy, m_cardMemory, m_cardCelsius, m_cardWatts}; }
    /// A line for each device, or for each whose card tells of it.
    void syncDevices();
    void syncLinks();
    void syncCuts();
    /// The curve's name says what stages make of the rate.
    void syncRate();
    QString rateName() const;
    /// A plot that there is nothing for is hidden.
    void syncShown();
    void plotMarks();
    bool isSeen(const LivePlot *plot) const;
    void draw();
    void drawSoon();
    void showCursor();
    void clear();
    void showControls();
    void layOut();

    const RunModel &m_run;
    TimeWindow m_window;
    AxisKind m_chosenAxis = AxisKind::Time;
    PlotAxis m_axis;
    QComboBox *m_axes;
    QComboBox *m_span;
    QPushButton *m_less, *m_more, *m_follow;
    QScrollArea *m_scroll;
    QWidget *m_column;
    std::vector<LivePlot *> m_plots;
    ElidedLabel *m_smoothed;
    QSlider *m_smoothing;
    QPushButton *m_logScale;
    LivePlot *m_throughput, *m_quality, *m_rate, *m_norm, *m_computing, *m_waiting, *m_sending, *m_memory, *m_cardBusy,
        *m_cardMemory, *m_cardCelsius, *m_cardWatts, *m_traffic, *m_compression;
    std::size_t m_plottedMarks = 0;
    bool m_drawSoon = false;
    double m_silentSeconds = 0;
};

}  // namespace hearth
