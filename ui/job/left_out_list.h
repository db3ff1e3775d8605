// What was left out of data, and what of them is doubtful, each with the reason.
#pragma once

#include <QListWidget>
#include <vector>

#include "core/data/dataset.h"

namespace hearth {

/// A name of a file or a column on one line, without what would turn the text around.
QString onOneLine(QString name);

/// Hidden until there is something. GUI thread.
class LeftOutList : public QListWidget {
    Q_OBJECT
  public:
    explicit LeftOutList(const QString &objectName, QWidget *parent = nullptr);
    /// Shows these, first what is left out, or hides the list where there are none.
    void tell(const std::vector<BrokenFile> &broken);

  private:
    void add(const std::vector<BrokenFile> &broken, BrokenFile::Fate fate);
};

}  // namespace hearth
