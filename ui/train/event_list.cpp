#include "ui/train/event_list.h"

#include <QHash>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <utility>

#include "ui/base/icons.h"
#include "ui/base/widgets.h"
#include "ui/run/run_model.h"
#include "ui/run/tone_look.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr int iconSide = 2 * grid;

/// Icon, sentence over as many lines as it needs, and the time above it.
class SentenceDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        const auto *view = qobject_cast<const QListView *>(option.widget);
        const int room = view != nullptr ? view->viewport()->width() : option.rect.width();
        const QRect text = textRect(QRect(0, 0, room, 10000), index);
        return {room, text.height() + QFontMetrics(smallFont()).height() + grid * 3 / 2};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        const Theme &theme = ThemeManager::instance().theme();
        painter->save();
        if (option.state & QStyle::State_Selected) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.selected);
            painter->drawRoundedRect(option.rect, 4, 4);
        }
        const auto tone = static_cast<Tone>(index.data(EventListModel::ToneRole).toInt());
        const QColor colour = theme.*toneColour(tone);
        const QPoint at = option.rect.topLeft() + QPoint(grid / 2, grid / 2);
        const QFontMetrics small(smallFont());
        painter->drawPixmap(at + QPoint(0, (small.height() - iconSide) / 2),
                            iconPixmap(index.data(EventListModel::IconRole).toString(), colour, iconSide,
                                       painter->device()->devicePixelRatioF()));
        painter->setFont(smallFont());
        painter->setPen(theme.secondary);
        painter->drawText(at + QPoint(iconSide + grid, small.ascent()),
                          formatClock(index.data(EventListModel::TimeRole).toDouble()));
        painter->setFont(bodyFont());
        painter->setPen(tone == Tone::Bad ? theme.bad : theme.text);
        painter->drawText(textRect(option.rect, index), Qt::TextWordWrap, index.data().toString());
        painter->restore();
    }

  private:
    /// Each new sentence has the list ask for the heights of all: what wraps the same is measured once.
    QRect textRect(const QRect &row, const QModelIndex &index) const {
        const QRect room =
            row.adjusted(iconSide + grid * 3 / 2, grid / 2 + QFontMetrics(smallFont()).height(), -grid, 0);
        if (room.width() != m_width) {
            m_sizes.clear();
            m_older.clear();
            m_width = room.width();
        }
        const QString text = index.data().toString();
        const auto known = m_sizes.constFind(text);
        if (known != m_sizes.constEnd())
            return {room.topLeft(), *known};
        // Those of sentences that are not listed any more go, and none that is has to be measured again.
        if (m_sizes.size() > mostSizes)
            m_older = std::exchange(m_sizes, {});
        QSize size = m_older.take(text);
        if (!size.isValid())
            size = QFontMetrics(bodyFont()).boundingRect(room, Qt::TextWordWrap, text).size();
        m_sizes.insert(text, size);
        return {room.topLeft(), size};
    }

    static constexpr qsizetype mostSizes = 2 * EventLog::keptSentences;
    mutable QHash<QString, QSize> m_sizes, m_older;
    mutable int m_width = 0;
};

}  // namespace

EventListModel::EventListModel(const RunModel &run, QObject *parent) : QAbstractListModel(parent), m_run(run) {
    m_rows = static_cast<int>(run.log().sentences().size());
    connect(&run.log(), &EventLog::sentenceAdded, this, &EventListModel::takeNew);
    connect(&run.log(), &EventLog::sentenceChanged, this,
            [this](int row) { Q_EMIT dataChanged(index(row), index(row)); });
    connect(&run.log(), &EventLog::sentencesLeaving, this, [this](int rows) { beginRemoveRows({}, 0, rows - 1); });
    connect(&run.log(), &EventLog::sentencesLeft, this, [this] {
        m_rows = static_cast<int>(m_run.log().sentences().size());
        endRemoveRows();
    });
    connect(&run, &RunModel::cleared, this, [this] {
        beginResetModel();
        m_rows = 0;
        endResetModel();
    });
}

void EventListModel::takeNew() {
    const int rows = static_cast<int>(m_run.log().sentences().size());
    beginInsertRows({}, m_rows, rows - 1);
    m_rows = rows;
    endInsertRows();
}

int EventListModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : m_rows;
}

QVariant EventListModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const EventSentence &sentence = m_run.log().sentences()[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            return sentence.text;
        case Qt::AccessibleTextRole:
            return tr("%1: %2").arg(formatClock(sentence.t), sentence.text);
        case TimeRole:
            return sentence.t;
        case IconRole:
            return toneIcon(sentence.tone);
        case ToneRole:
            return static_cast<int>(sentence.tone);
        default:
            return {};
    }
}

EventListView::EventListView(const RunModel &run, QWidget *parent) : QListView(parent) {
    setObjectName(QStringLiteral("eventList"));
    setAccessibleName(tr("Events of the run"));
    setModel(new EventListModel(run, this));
    setItemDelegate(new SentenceDelegate(this));
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSelectionMode(SingleSelection);
    setResizeMode(Adjust);
    viewport()->setAutoFillBackground(false);
    // New sentences only change the range; whoever changes the value is the user (or this follower, who keeps the end).
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int maximum) {
        if (m_follows)
            verticalScrollBar()->setValue(maximum);
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this,
            [this](int value) { m_follows = value >= verticalScrollBar()->maximum() - grid; });
    connect(model(), &QAbstractItemModel::modelReset, this, [this] { m_follows = true; });
    connect(&ThemeManager::instance(), &ThemeManager::changed, viewport(), qOverload<>(&QWidget::update));
}

void EventListView::resizeEvent(QResizeEvent *event) {
    QListView::resizeEvent(event);
    // Heights follow the width: sentences wrap anew.
    scheduleDelayedItemsLayout();
}

}  // namespace hearth
