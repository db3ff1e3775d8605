#include "ui/base/dialog_parts.h"

#include "core/base/background_task.h"

namespace hearth {

QVBoxLayout *makeDialogLayout(QDialog *dialog, int gap) {
    auto *layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(3 * grid, 3 * grid, 3 * grid, 2 * grid);
    layout->setSpacing(gap);
    return layout;
}

QHBoxLayout *makeButtonRow(std::initializer_list<QWidget *> buttons) {
    auto *row = new QHBoxLayout;
    row->addStretch(1);
    for (QWidget *button : buttons)
        row->addWidget(button);
    return row;
}

void keepUntilOver(QDialog *dialog, const BackgroundTask *task) {
    if (task != nullptr && task->isRunning())
        dialog->setAttribute(Qt::WA_DeleteOnClose, false);
}

}  // namespace hearth
