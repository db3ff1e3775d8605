// Which classes a network takes for which, as a table of colours.
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/history/run_results.h"

namespace hearth {

/// A row for each class that samples have, a column for each that the network answers. A cell is chosen by mouse or
/// arrow keys. Its minimum size has room for every name and number: where there is less it is scrolled. GUI thread.
class ConfusionMatrix : public QWidget {
    Q_OBJECT
  public:
    /// Of more classes those with the most mistakes are shown.
    static constexpr std::size_t mostClasses = 40;
    /// By the numbers of their classes.
    struct Cell {
        int label = 0, answer = 0;
        bool operator==(const Cell &) const = default;
    };

    explicit ConfusionMatrix(QWidget *parent = nullptr);
    /// `names` by number of a class.
    void show(const EvaluationDetails &details, const QStringList &names);
    /// Of the set's classes; 0: there is nothing to show.
    std::size_t shownClasses() const { return m_classes.size(); }
    void choose(std::optional<Cell> cell);
    /// Where a cell is drawn.
    QRect rectOf(const Cell &cell) const;
    /// What a person is told there: of a cell, or the whole name of a class.
    QString toolTipAt(const QPoint &place) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void chosen(const hearth::ConfusionMatrix::Cell &cell);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

  private:
    struct Class {
        int number = 0;
        QString name;
        qint64 right = 0, labelled = 0;
    };
    struct Layout {
        int left = 0, top = 0, side = 0;
    };
    Layout layoutNow() const;
    int leastSide() const;
    qint64 count(std::size_t row, std::size_t column) const;
    std::optional<Cell> cellAt(const QPoint &place) const;
    QString words(const Cell &cell) const;
    std::size_t placeOf(int number) const;
    void paintNames(QPainter &painter, const Layout &layout);
    void paintCell(QPainter &painter, const Layout &layout, std::size_t row, std::size_t column);

    std::vector<Class> m_classes;
    std::vector<qint64> m_counts;  // row by row
    QString m_longest;             // of their texts
    std::optional<Cell> m_chosen;
};

}  // namespace hearth
