// A QCustomPlot dressed in the theme, with a title and a legend of its own above it.
#pragma once

#include <QPointF>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "ui/base/widgets.h"
#include "ui/run/time_series.h"
#include "ui/train/plot_axis.h"

class QCPGraph;
class QPainter;
class QCustomPlot;

namespace hearth {

class PlotCursor;
struct CursorLine;
class PlotLegend;
class PlotMarks;

/// A colour of whatever theme there is: a member of it, or what a function chooses.
using PlotColour = std::function<QColor(const Theme &)>;

/// Along x runs the time in seconds of the run, or what else its axis goes by: places are of that axis, times (`t`)
/// always seconds. Curves show series that somebody else fills; the owner calls `showPart` from its one timer. However
/// much a series holds, a curve draws a few points per pixel; peaks survive, and silence, or by round what is missing,
/// is a hole. GUI thread.
class LivePlot : public QWidget {
    Q_OBJECT
  public:
    enum class Look { Faint, Thin, Strong, Dashed, Points, Ticks, Rings };

    LivePlot(const QString &objectName, const QString &title, QWidget *parent = nullptr);

    /// Returns the curve's index. `right`: against the axis on the right. One without a name is not in the legend.
    int addCurve(const QString &name, const PlotColour &colour, Look look, bool right = false);
    /// The curve shows `series` times `scale` from here on; the series must outlive the plot or the next call.
    void setSeries(int curve, const TimeSeries *series, double scale = 1);
    /// How the box beside the cursor writes values of the curve, which are scaled already.
    void setReadoutFormat(int curve, std::function<QString(double)> format);
    int curveCount() const { return static_cast<int>(m_curves.size()); }
    QString curveName(int curve) const { return m_curves[static_cast<std::size_t>(curve)].name; }
    void removeCurves();
    /// Stands in the legend instead of the curves' names; for those who have more than find room there.
    void setLegendSummary(const QString &text);

    /// What is plotted in the finest detail there is, for tests and export; gaps left out.
    std::vector<QPointF> points(int curve) const;
    /// The same as it is drawn in the part that is shown, a gap as a value that is no number; for tests.
    std::vector<QPointF> drawnPoints(int curve) const;

    int markCount() const;
    /// The labels of all marks in their order, also of those that found no room.
    QStringList markLabels() const;
    /// Where those stand that are seen, for tests.
    std::vector<double> markPlaces() const;
    /// A thin vertical line, and a word or two beside it where there is room; the event list tells the sentence.
    /// `urgent` ones get the room first.
    void addMark(double t, ThemeColour colour, const QString &label, bool urgent);
    void clearMarks();
    /// Whether marks are labelled here; plots above each other share the labels of the first.
    void showMarkLabels(bool show) { m_labelled = show; }

    void setLeftAxisFormat(double lower, double upper);
    /// The left axis by powers of ten, from the least to the largest value that is seen; those that are not above zero
    /// are not. Not where it has a format.
    void setLogScale(bool on);
    bool isLogScale() const { return m_logScale; }
    void setRightAxisFormat(double lower, double upper);
    void clearData();
    /// x from end to end of `stretch`, the same for all plots of a page, and by its axis from here on; y from zero to
    /// the largest value that is seen.
    void showPart(const PlotStretch &stretch);
    /// Nothing hides the cursor. What the curves say there stands beside it, and in the accessible description.
    void setCursor(std::optional<double> place);
    /// The same with the next `showPart`: what nobody sees need not be read at every movement of the mouse.
    void setCursorLater(double place) { m_cursorAt = place; }
    /// What the box beside the cursor says: the time, round or epoch, then a line per curve.
    const QStringList &readout() const { return m_readout; }

    /// Draws it as it looks, from the painter's origin on and sharper by `scale`.
    void paintOn(QPainter &painter, double scale);

  Q_SIGNALS:
    /// The user wants to see a part of the run: `factor` below 1 for less of it, around a place.
    void zoomWanted(double factor, double around);
    void panWanted(double by);
    void wholeWanted();
    void followWanted();
    /// The wheel turned without a key: the plots below or above, by so many pixels downwards.
    void scrollWanted(int pixels);
    void cursorWanted(std::optional<double> place);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    struct Curve {
        QString name;
        QCPGraph *graph = nullptr;
        PlotColour colour;
        Look look = Look::Faint;
        const TimeSeries *series = nullptr;
        double scale = 1;
        std::function<QString(double)> format;
    };
    struct Highest {
        double strong = 0, faint = 0;
        double least = std::numeric_limits<double>::infinity();  // above zero
    };
    void setAxis(const PlotAxis &axis);
    void retheme();
    void style(const Curve &curve);
    void fill(const Curve &curve, const PlotStretch &stretch, int most, Highest &highest);
    void scaleLeftAxis(const Highest &highest, int labelRows);
    std::vector<CursorLine> readAt(double place) const;
    QString placeText(double place) const;
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    bool handleMouse(QEvent *event);
    double placeAt(double x) const;

    QCustomPlot *m_plot;
    PlotLegend *m_legend;
    PlotMarks *m_marks;    // owned by the plot
    PlotCursor *m_cursor;  // likewise
    std::vector<Curve> m_curves;
    bool m_labelled = true;
    bool m_logScale = false;
    bool m_fixedLeft = false;
    PlotAxis m_axis;
    std::optional<double> m_cursorAt;
    QStringList m_readout;
    std::optional<double> m_dragged;  // where the mouse was, in pixels, while it drags
};

}  // namespace hearth
