#include "ui/home/ignored_dialog.h"

#include <QDateTime>
#include <QScrollArea>

#include "core/home/announcement.h"
#include "ui/base/dialog_parts.h"
#include "ui/base/home_source.h"
#include "ui/base/pairing_control.h"
#include "ui/base/widgets.h"
#include "ui/words/format.h"
#include "ui/words/moment.h"

namespace hearth {

IgnoredDialog::IgnoredDialog(HomeSource &home, QWidget *parent)
    : QDialog(parent), m_home(home), m_intro(makeLabel({}, "secondary")) {
    setObjectName(QStringLiteral("ignoredDialog"));
    setWindowTitle(tr("Ignored devices"));
    m_intro->setObjectName(QStringLiteral("ignoredIntro"));
    m_intro->setWordWrap(true);
    auto *body = new QWidget;
    m_rows = new QVBoxLayout(body);
    m_rows->setContentsMargins(0, 0, grid, 0);
    m_rows->setSpacing(grid);
    m_rows->addStretch(1);
    auto *scroll = makeScroll(QStringLiteral("ignoredScroll"), body, Qt::NoFocus);
    scroll->setAccessibleName(windowTitle());
    auto *close = makeButton(QStringLiteral("closeIgnored"), tr("Close"), "");
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto *layout = makeDialogLayout(this);
    layout->addWidget(m_intro);
    layout->addWidget(scroll, 1);
    layout->addLayout(makeButtonRow({close}));
    resize(88 * grid, 44 * grid);
    connect(&home, &HomeSource::nearbyChanged, this, &IgnoredDialog::refresh);
    connect(&home, &HomeSource::demoChanged, this, &QDialog::accept);
    refresh();
}

void IgnoredDialog::refresh() {
    const auto devices = m_home.nearby().ignored;
    // Others come and go nearby all the time: the rows, and the focus in them, stay where they tell the same.
    if (devices == m_devices && !m_intro->text().isEmpty())
        return;
    m_devices = devices;
    m_intro->setText(
        devices.empty()
            ? tr("No device is ignored.")
            : tr("These devices are hidden from the list of devices nearby, and cannot ask to pair. One that you stop ignoring appears as soon as it is found."));
    for (QWidget *row : std::as_const(m_shown)) {
        m_rows->removeWidget(row);
        row->hide();
        row->deleteLater();  // its button may be what is being pressed
    }
    m_shown.clear();
    // The latest is what a person wants back most often.
    for (auto device = devices.rbegin(); device != devices.rend(); ++device) {
        m_shown << makeRow(device->key, device->name.isEmpty() ? tr("Device without a name") : device->name,
                           device->since);
        m_rows->insertWidget(m_rows->count() - 1, m_shown.last());
    }
}

QWidget *IgnoredDialog::makeRow(const QString &key, const QString &name, qint64 since) {
    auto *title = new ElidedLabel;
    title->setFullText(name);
    title->setProperty("role", QStringLiteral("strong"));
    auto *digits = makeLabel(formatFingerprint(key.left(Announcement::prefixDigits)), "mono");
    digits->setAccessibleName(tr("First digits of its key: %1").arg(digits->text()));
    digits->setToolTip(digits->accessibleName());
    auto *note = new ElidedLabel;
    note->setProperty("role", QStringLiteral("small"));
    if (since > 0)
        note->setFullText(tr("since %1").arg(formatMoment(QDateTime::fromMSecsSinceEpoch(since))));
    auto *undo =
        makeButton(QStringLiteral("unignore-") + key.left(Announcement::prefixDigits), tr("Stop ignoring"), "");
    undo->setAccessibleName(tr("Stop ignoring %1").arg(name));
    connect(undo, &QPushButton::clicked, this, [this, key] { m_home.pairing().unignore(key); });
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    layout->addWidget(new IconLabel(QStringLiteral("ignored"), &Theme::secondary, 2 * grid));
    layout->addWidget(title, 3);
    layout->addWidget(digits);
    layout->addWidget(note, 3);
    layout->addWidget(undo);
    return row;
}

}  // namespace hearth
