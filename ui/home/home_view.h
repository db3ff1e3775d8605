// The picture of the home: a card per device, a line per link.
#pragma once

#include <QGraphicsView>
#include <QMap>
#include <QString>

namespace hearth {

class DeviceCard;
struct DeviceInfo;
class HomeSource;
class LinkLine;
class Measurements;
class RunModel;

/// Cards lie on a ring with this computer on top until the user drags them; what was dragged stays. Arrow keys walk
/// through the devices. GUI thread.
class HomeView : public QGraphicsView {
    Q_OBJECT
  public:
    HomeView(const HomeSource &home, const RunModel &run, const Measurements &measurements, QWidget *parent = nullptr);
    ~HomeView() override;
    void select(const QString &device);
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
    QString selected() const;

    const HomeSource &m_home;
    const RunModel &m_run;
    const Measurements &m_measurements;
    QGraphicsScene *m_scene;
    QList<DeviceCard *> m_cards;
    QMap<QString, LinkLine *> m_links;  // by "a>b" with a < b
};

}  // namespace hearth
