// The picture of the home: a card per device, a line per link.
#pragma once

#include <QGraphicsView>
#include <QList>
#include <QMap>
#include <QString>

class QPushButton;

namespace hearth {

class DeviceCard;
struct DeviceInfo;
class HomeSource;
class LinkLine;
class Measurements;
class RunModel;

/// Cards lie on a ring with this computer on top, and many in rows, until a person drags them; what was dragged stays,
/// and is in sight however small the picture gets. Arrow keys walk through the devices. GUI thread.
class HomeView : public QGraphicsView {
    Q_OBJECT
  public:
    HomeView(const HomeSource &home, const RunModel &run, const Measurements &measurements, QWidget *parent = nullptr);
    ~HomeView() override;
    void select(const QString &device);

    /// Where a person has put cards, by device: parts, from 0 to 1, of the room that the middle of a card has in the
    /// picture. Devices that are away keep theirs.
    const QMap<QString, QPointF> &places() const { return m_places; }
    void setPlaces(const QMap<QString, QPointF> &places);
    QSize minimumSizeHint() const override { return {320, 240}; }

  Q_SIGNALS:
    void deviceChosen(const QString &id);

  protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

  private:
    void rebuild();
    void refresh();
    void showOn(DeviceCard &card, const DeviceInfo &device);
    void refreshLinks();
    /// Of the slower direction; 0 where it was not measured.
    double measuredRate(const QString &a, const QString &b) const;
    void arrange();
    void keepPlace(const DeviceCard &card);
    /// The cards that are shown lie by themselves again.
    void putBack();
    /// In the upper right corner, where there is anything to put back.
    void showButton();
    void showSelected();
    QString selected() const;

    const HomeSource &m_home;
    const RunModel &m_run;
    const Measurements &m_measurements;
    QGraphicsScene *m_scene;
    QPushButton *m_putBack;
    QList<DeviceCard *> m_cards;
    QList<QPointF> m_ownPlaces;  // where cards lie that nobody has put anywhere
    QMap<QString, QPointF> m_places;
    QMap<QString, LinkLine *> m_links;  // by "a>b" with a < b
};

}  // namespace hearth
