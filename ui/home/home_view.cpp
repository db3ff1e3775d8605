#include "ui/home/home_view.h"

#include <QGraphicsItem>
#include <QKeyEvent>
#include <QPainter>
#include <QResizeEvent>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/home/device_card.h"
#include "ui/home/device_look.h"
#include "ui/home/link_words.h"
#include "ui/home/measurements.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

/// The line between two cards; its thickness follows the rate, its label tells it, its tool tip both directions.
class LinkLine : public QGraphicsItem {
  public:
    LinkLine(DeviceCard *a, DeviceCard *b) : m_a(a), m_b(b) {
        setZValue(-1);
        layOut();
    }

    /// What the run sends now, and where it sends nothing what the link was measured to carry; 0: not known.
    void setRates(double traffic, double measured) {
        const double rate = traffic > 0 ? traffic : measured;
        if (rate == m_rate && (traffic > 0) == m_isBusy)
            return;
        m_rate = rate;
        m_isBusy = traffic > 0;
        m_text = m_rate > 0 ? formatRate(m_rate) : QString();
        layOut();
    }
    void layOut() {
        prepareGeometryChange();
        m_line = QLineF(m_a->pos(), m_b->pos());
        const QFontMetricsF metrics(smallFont());
        m_label = m_text.isEmpty() ? QRectF() : QRectF(0, 0, metrics.horizontalAdvance(m_text) + 2 * grid, 3 * grid);
        m_label.moveCenter(m_line.center());
        // One pixel at nothing, two more per factor of ten from 10 kB/s on.
        m_width = m_rate > 0 ? 1.5 + std::max(0.0, 1.5 * std::log10(m_rate / 1e4)) : 1.0;
        update();
    }
    QRectF boundingRect() const override {
        return QRectF(m_line.p1(), m_line.p2()).normalized().united(m_label).adjusted(-8, -8, 8, 8);
    }
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override {
        const Theme &theme = ThemeManager::instance().theme();
        painter->setRenderHint(QPainter::Antialiasing);
        QPen pen(m_isBusy ? theme.accent : theme.controlBorder, m_width);
        if (m_rate <= 0)
            pen.setStyle(Qt::DashLine);
        painter->setPen(pen);
        painter->drawLine(m_line);
        if (m_text.isEmpty())
            return;
        painter->setPen(QPen(theme.border, 1));
        painter->setBrush(theme.surface);
        painter->drawRoundedRect(m_label, m_label.height() / 2, m_label.height() / 2);
        painter->setFont(smallFont());
        painter->setPen(theme.text);
        painter->drawText(m_label, Qt::AlignCenter, m_text);
    }

  private:
    DeviceCard *m_a;
    DeviceCard *m_b;
    double m_rate = 0;
    bool m_isBusy = false;
    QString m_text;
    QLineF m_line;
    QRectF m_label;
    qreal m_width = 1;
};

namespace {

/// More devices than this are rows, not a ring.
constexpr int ringLimit = 8;
/// Lines between more devices than this are a tangle; only those that carry traffic are drawn.
constexpr int allLinksLimit = 6;
/// More than a home has, and little to keep.
constexpr qsizetype mostPlaces = 256;
/// A picture as large as the view would bring scroll bars.
constexpr qreal pictureFrame = 4;
/// From one card in a row, or a column, to the next.
constexpr qreal stepX = DeviceCard::width + 3 * grid, stepY = DeviceCard::height + 3 * grid;

int columnsIn(qreal width) {
    return std::max(1, static_cast<int>((width + pictureFrame) / stepX));
}
int rowsOf(qsizetype count, int columns) {
    return static_cast<int>((count + columns - 1) / columns);
}

/// Around the middle of the picture. Empty: the cards would cover each other there, or are too many.
QList<QPointF> ringIn(const QRectF &picture, int count) {
    if (count > ringLimit)
        return {};
    if (count == 1)
        return {picture.center()};
    const QRectF room = DeviceCard::roomIn(picture);
    const qreal radiusX = std::min(room.width() / 2, 40.0 * grid), radiusY = std::min(room.height() / 2, 26.0 * grid);
    // Two lie side by side; three and more begin on top with this computer.
    const double start = count == 2 ? std::numbers::pi : -std::numbers::pi / 2;
    QList<QPointF> places;
    for (int card = 0; card < count; ++card) {
        const double angle = start - 2 * std::numbers::pi * card / count;
        QPointF from(radiusX * std::cos(angle), radiusY * std::sin(angle));
        // A triangle uses the whole height when its base is moved down to the rim, and a narrow one the whole width.
        if (count == 3 && card > 0) {
            const qreal apart = std::min(room.width() / 2, (DeviceCard::width + grid) / 2);
            from = QPointF(std::copysign(std::max(std::abs(from.x()), apart), from.x()), radiusY);
        }
        const bool covers = std::ranges::any_of(std::as_const(places), [&](const QPointF &other) {
            const QPointF apart = picture.center() + from - other;
            return std::abs(apart.x()) < DeviceCard::width && std::abs(apart.y()) < DeviceCard::height;
        });
        if (covers)
            return {};
        places << picture.center() + from;
    }
    return places;
}

/// Side by side and row by row, around the middle of the picture.
QList<QPointF> rowsIn(const QRectF &picture, int count) {
    const int columns = columnsIn(picture.width()), rows = rowsOf(count, columns);
    QList<QPointF> places;
    for (int card = 0; card < count; ++card) {
        const int row = card / columns;
        places << picture.center() +
                      QPointF((card % columns - (columns - 1) / 2.0) * stepX, (row - (rows - 1) / 2.0) * stepY);
    }
    return places;
}

QString pairKey(const QString &a, const QString &b) {
    return std::min(a, b) + QLatin1Char('>') + std::max(a, b);
}

}  // namespace

HomeView::HomeView(const HomeSource &home, const RunModel &run, const Measurements &measurements, QWidget *parent)
    : QGraphicsView(parent),
      m_home(home),
      m_run(run),
      m_measurements(measurements),
      m_scene(new QGraphicsScene(this)),
      m_putBack(makeButton(QStringLiteral("homeArrange"), tr("Arrange"), "", this)) {
    setObjectName(QStringLiteral("homeView"));
    setAccessibleName(tr("Picture of the home"));
    setScene(m_scene);
    setRenderHint(QPainter::Antialiasing);
    setFocusPolicy(Qt::StrongFocus);
    m_putBack->setToolTip(tr("Puts the cards that were dragged back to their places"));
    connect(m_putBack, &QPushButton::clicked, this, &HomeView::putBack);
    connect(&home, &HomeSource::devicesChanged, this, &HomeView::refresh);
    connect(&measurements, &Measurements::changed, this, &HomeView::refresh);
    connect(&run, &RunModel::devicesChanged, this, &HomeView::refresh);
    connect(&run, &RunModel::planChanged, this, &HomeView::refresh);
    connect(&run, &RunModel::roundAdded, this, [this] {
        // Rounds may come many times a second: a page that is not seen is brought up to date when it is.
        if (isVisible())
            refresh();
    });
    connect(&run, &RunModel::stateChanged, this, &HomeView::refresh);
    connect(&run, &RunModel::cleared, this, &HomeView::refresh);
    connect(m_scene, &QGraphicsScene::selectionChanged, this, [this] { Q_EMIT deviceChosen(selected()); });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        for (DeviceCard *card : std::as_const(m_cards))
            card->retheme();
        m_scene->update();
    });
    rebuild();
}

HomeView::~HomeView() {
    // The scene gives up its selection while it dies; the page that listens is half gone by then.
    m_scene->disconnect(this);
}

void HomeView::select(const QString &device) {
    for (DeviceCard *card : std::as_const(m_cards))
        card->setSelected(card->device().id == device);
}

void HomeView::showEvent(QShowEvent *event) {
    QGraphicsView::showEvent(event);
    refresh();
    showSelected();
}

void HomeView::resizeEvent(QResizeEvent *event) {
    QGraphicsView::resizeEvent(event);
    arrange();
    showSelected();
}

void HomeView::keyPressEvent(QKeyEvent *event) {
    const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool backward = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    if ((!forward && !backward) || m_cards.isEmpty()) {
        QGraphicsView::keyPressEvent(event);
        return;
    }
    const QString current = selected();
    qsizetype at = -1;
    for (qsizetype i = 0; i < m_cards.size(); ++i)
        at = m_cards[i]->device().id == current ? i : at;
    const qsizetype count = m_cards.size();
    const qsizetype next = at < 0 ? 0 : (at + (forward ? 1 : count - 1)) % count;
    select(m_cards[next]->device().id);
    showSelected();
}

void HomeView::rebuild() {
    const QString chosen = selected();
    {
        const QSignalBlocker quiet(m_scene);
        m_scene->clear();
        m_cards.clear();
        m_links.clear();
        for (const DeviceInfo &device : m_home.devices()) {
            auto *card = new DeviceCard(device, activityOf(device, m_run, &m_measurements));
            showOn(*card, device);
            m_scene->addItem(card);
            connect(card, &DeviceCard::moved, this, [this] {
                for (LinkLine *line : std::as_const(m_links))
                    line->layOut();
            });
            connect(card, &DeviceCard::dragged, this, [this, card] { keepPlace(*card); });
            m_cards.push_back(card);
        }
        select(chosen);
    }
    // The view follows the size of the picture, which the scene tells.
    arrange();
    refreshLinks();
}

void HomeView::refresh() {
    const std::vector<DeviceInfo> devices = m_home.devices();
    bool same = devices.size() == static_cast<std::size_t>(m_cards.size());
    for (std::size_t i = 0; same && i < devices.size(); ++i)
        same = m_cards[static_cast<qsizetype>(i)]->device().id == devices[i].id;
    if (!same) {
        rebuild();
        return;
    }
    for (std::size_t i = 0; i < devices.size(); ++i)
        showOn(*m_cards[static_cast<qsizetype>(i)], devices[i]);
    refreshLinks();
}

void HomeView::showOn(DeviceCard &card, const DeviceInfo &device) {
    card.show(device, activityOf(device, m_run, &m_measurements));
    card.setToolTip(stateTip(device, m_run));
}

void HomeView::refreshLinks() {
    QMap<QString, double> rates;
    for (auto it = m_run.devices().traffic().cbegin(); it != m_run.devices().traffic().cend(); ++it) {
        const qsizetype arrow = it.key().indexOf(QLatin1Char('>'));
        rates[pairKey(it.key().left(arrow), it.key().mid(arrow + 1))] += m_run.isLive() ? it.value() : 0;
    }
    for (qsizetype i = 0; i < m_cards.size(); ++i) {
        for (qsizetype j = i + 1; j < m_cards.size(); ++j) {
            const QString key = pairKey(m_cards[i]->device().id, m_cards[j]->device().id);
            const double rate = rates.value(key);
            if (!m_links.contains(key) && (m_cards.size() <= allLinksLimit || rate > 0)) {
                m_links[key] = new LinkLine(m_cards[i], m_cards[j]);
                m_scene->addItem(m_links[key]);
            }
            if (LinkLine *line = m_links.value(key)) {
                line->setRates(rate, measuredRate(m_cards[i]->device().id, m_cards[j]->device().id));
                line->setToolTip(linkText(m_measurements.found(), m_cards[i]->device(), m_cards[j]->device()));
            }
        }
    }
}

double HomeView::measuredRate(const QString &a, const QString &b) const {
    const LinkProfile::Pair *there = m_measurements.found().link(a, b), *back = m_measurements.found().link(b, a);
    // What training waits for is the slower direction.
    if (there && back)
        return std::min(there->bytesPerSecond, back->bytesPerSecond);
    return there ? there->bytesPerSecond : back ? back->bytesPerSecond : 0;
}

void HomeView::arrange() {
    QRectF picture(0, 0, std::max<qreal>(viewport()->width(), DeviceCard::width + 4 * grid) - pictureFrame,
                   std::max<qreal>(viewport()->height(), DeviceCard::height + 4 * grid) - pictureFrame);
    const auto count = static_cast<int>(m_cards.size());
    m_ownPlaces = ringIn(picture, count);
    if (m_ownPlaces.isEmpty()) {
        picture.setHeight(std::max(picture.height(), rowsOf(count, columnsIn(picture.width())) * stepY));
        m_ownPlaces = rowsIn(picture, count);
    }
    // A scroll bar that comes or goes with this calls for another arrangement at once: what follows reads that one.
    m_scene->setSceneRect(picture);
    const QRectF room = DeviceCard::roomIn(m_scene->sceneRect());
    for (int i = 0; i < count; ++i) {
        const auto placed = m_places.constFind(m_cards[i]->device().id);
        m_cards[i]->setPos(placed == m_places.constEnd()
                               ? m_ownPlaces[i]
                               : room.topLeft() + QPointF(placed->x() * room.width(), placed->y() * room.height()));
    }
    for (LinkLine *line : std::as_const(m_links))
        line->layOut();
    showButton();
}

void HomeView::keepPlace(const DeviceCard &card) {
    // Every demo has devices of its own, which never come back.
    if (m_places.size() >= mostPlaces) {
        m_places.removeIf([this](const QMap<QString, QPointF>::iterator &place) {
            return std::ranges::none_of(std::as_const(m_cards),
                                        [&](const DeviceCard *each) { return each->device().id == place.key(); });
        });
    }
    const QRectF room = DeviceCard::roomIn(m_scene->sceneRect());
    const QPointF at = card.pos() - room.topLeft();
    m_places[card.device().id] = QPointF(at.x() / room.width(), at.y() / room.height());
    showButton();
}

void HomeView::setPlaces(const QMap<QString, QPointF> &places) {
    m_places = places;
    arrange();
}

void HomeView::putBack() {
    for (const DeviceCard *card : std::as_const(m_cards))
        m_places.remove(card->device().id);
    setFocus();  // the button goes
    arrange();
}

void HomeView::showButton() {
    m_putBack->setVisible(std::ranges::any_of(
        std::as_const(m_cards), [this](const DeviceCard *card) { return m_places.contains(card->device().id); }));
    m_putBack->adjustSize();
    m_putBack->move(viewport()->geometry().topRight() + QPoint(1 - m_putBack->width() - grid, grid));
}

void HomeView::showSelected() {
    for (const DeviceCard *card : std::as_const(m_cards)) {
        if (card->isSelected())
            ensureVisible(card, grid, grid);
    }
}

QString HomeView::selected() const {
    for (const DeviceCard *card : m_cards) {
        if (card->isSelected())
            return card->device().id;
    }
    return {};
}

}  // namespace hearth
