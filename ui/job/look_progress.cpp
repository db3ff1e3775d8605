#include "ui/job/look_progress.h"

#include <algorithm>

#include "core/base/post_to.h"

namespace hearth {

LookProgress::LookProgress(const QString &objectName, QWidget *parent) : QProgressBar(parent) {
    setObjectName(objectName);
    setAccessibleName(tr("Files looked at"));
    hide();
}

CheckProgress LookProgress::begin(std::shared_ptr<const std::atomic<bool>> cancelled) {
    setRange(0, 0);
    setValue(0);
    show();
    return [this, cancelled = std::move(cancelled)](qint64 done, qint64 total) {
        constexpr qint64 steps = 200;
        if (total > 0 && (done == total || done % std::max<qint64>(1, total / steps) == 0)) {
            postTo(this, [this, done, total] {
                setRange(0, static_cast<int>(total));
                setValue(std::max(value(), static_cast<int>(done)));
            });
        }
        return !*cancelled;
    };
}

}  // namespace hearth
