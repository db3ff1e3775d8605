// How far looking at data has come.
#pragma once

#include <QProgressBar>
#include <atomic>
#include <memory>

#include "core/data/picture_files.h"

namespace hearth {

/// Hidden until something is looked at; who began it hides it. GUI thread.
class LookProgress : public QProgressBar {
    Q_OBJECT
  public:
    explicit LookProgress(const QString &objectName, QWidget *parent = nullptr);
    /// Shows itself. What it gives is called from any thread, as long as this lives, and gives up once `cancelled` says
    /// so.
    CheckProgress begin(std::shared_ptr<const std::atomic<bool>> cancelled);
};

}  // namespace hearth
