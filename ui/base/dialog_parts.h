// What every dialog is laid out with.
#pragma once

#include <QBoxLayout>
#include <QDialog>
#include <initializer_list>

#include "ui/base/widgets.h"

namespace hearth {

class BackgroundTask;

/// Rows one below the other, `gap` apart. The dialog owns the layout.
QVBoxLayout *makeDialogLayout(QDialog *dialog, int gap = 2 * grid);

/// Buttons side by side, at the right. The layout that it is added to owns it.
QHBoxLayout *makeButtonRow(std::initializer_list<QWidget *> buttons);

/// Of a dialog that is about to close: while `task` (or none) runs it is only hidden, and deletes itself when that has
/// ended. To wait for the other thread would hold up the window.
void keepUntilOver(QDialog *dialog, const BackgroundTask *task);

}  // namespace hearth
