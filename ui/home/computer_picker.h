// "Found in this network": computers that Hearth can be installed on, to choose one from.
#pragma once

#include <QWidget>
#include <vector>

#include "core/discovery/nearby.h"

class QLabel;
class QListWidget;
class QListWidgetItem;

namespace hearth {

class HomeSource;

/// Lists what `home` tells of, as it comes and goes. What computers say of themselves is anybody's word and plain text.
/// GUI thread; `home` outlives it.
class ComputerPicker : public QWidget {
    Q_OBJECT
  public:
    explicit ComputerPicker(const HomeSource &home, QWidget *parent = nullptr);

  Q_SIGNALS:
    /// Where its SSH is, as SshTarget writes it without a user: "192.168.1.7", "[fe80::1%eth0]:2222".
    void chosen(const QString &place);

  private:
    void refresh();
    /// What stands there instead of a list.
    QString emptyText() const;
    void fill();
    void choose(const QListWidgetItem *item);

    const HomeSource &m_home;
    QListWidget *m_list;
    QLabel *m_empty;
    std::vector<FoundComputer> m_computers;
    QString m_chosen;  // the host name of the one that was chosen last
};

}  // namespace hearth
