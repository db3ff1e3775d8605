// "Found nearby": devices that are not of this home yet, and what may be done about each; then how many computers there
// are that Hearth could be installed on.
#pragma once

#include <QFrame>
#include <QList>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace hearth {

class ElidedLabel;
class HomeSource;
class NearbyList;
enum class DiscoveryState;

/// GUI thread; `home` outlives it.
class NearbyView : public QFrame {
    Q_OBJECT
  public:
    enum Action { Pair = 1, Ignore = 2 };
    Q_DECLARE_FLAGS(Actions, Action)

    explicit NearbyView(HomeSource &home, QWidget *parent = nullptr);
    /// Why nobody can be found; empty where devices are looked for.
    static QString whyBlind(DiscoveryState state);
    /// Which buttons the devices have; none at first.
    void offer(Actions actions);
    /// How many devices are in sight at once; the others scroll.
    void setVisibleRows(int rows);

  Q_SIGNALS:
    /// By the digits of the key that is announced.
    void pairRequested(const QString &prefix);
    void ignoreRequested(const QString &prefix);
    /// On one of the computers that offer SSH.
    void installRequested();
    /// "Why can't I see my device?"
    void assistantRequested();
    /// "Ignored devices …", there where any are.
    void ignoredRequested();

  private:
    class Row;
    QWidget *makeInstallRow();
    void insertRows(int first, int last);
    void removeRows(int first, int last);
    void refreshRows(int first, int last);
    void refresh();

    const HomeSource &m_home;
    NearbyList *m_list;
    Actions m_actions;
    int m_visibleRows = 3;
    QPushButton *m_ignored;
    QLabel *m_empty;
    ElidedLabel *m_computers;
    QWidget *m_install;  // the row of the computers
    QScrollArea *m_scroll;
    QVBoxLayout *m_layout;
    QList<Row *> m_rows;
};

}  // namespace hearth

Q_DECLARE_OPERATORS_FOR_FLAGS(hearth::NearbyView::Actions)
