// The steps of an installation, and what was found out, as lines that fill in while it goes on.
#pragma once

#include <QScrollArea>
#include <map>

#include "core/install/install_dialogue.h"

class QLabel;
class QVBoxLayout;

namespace hearth {

class IconLabel;

/// GUI thread.
class InstallList : public QScrollArea {
    Q_OBJECT
  public:
    explicit InstallList(QWidget *parent = nullptr);
    void clear();
    void show(const InstallProgress &progress);

  private:
    struct Row;
    Row &row(const QString &key, const QString &title, int indent);

    QVBoxLayout *m_rows;
    std::map<QString, Row> m_byKey;
};

struct InstallList::Row {
    QWidget *widget = nullptr;
    IconLabel *icon = nullptr;
    QLabel *found = nullptr;
    QLabel *problem = nullptr;
};

}  // namespace hearth
