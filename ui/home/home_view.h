// The picture of the home: a card per device, a line per link.
#pragma once

#include <QGraphicsView>
#include <QMap>
#include <QString>

namespace hearth {

class DeviceCard;
class HomeSource;
class LinkLine;
class RunModel;

/// Cards lie on a ring with this computer on top until the user drags them; what was dragged stays. Arrow keys walk
/// through the devices. GUI thread.
class HomeView : public QGraphicsView {
    Q_OBJECT
  public:
    HomeView(const HomeSource &home, const RunModel &run, QWidget *parent = nullptr);
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
    void refreshLinks();
    void arrange();
    QString selected() const;

    const HomeSource &m_home;
    const RunModel &m_run;
    QGraphicsScene *m_scene;
    QList<DeviceCard *> m_cards;
    QMap<QString, LinkLine *> m_links;  // by "a>b" with a < b
};

}  // namespace hearth
