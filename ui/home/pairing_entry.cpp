#include "ui/home/pairing_entry.h"

#include "core/home/announcement.h"
#include "ui/base/home_source.h"
#include "ui/base/pairing_control.h"
#include "ui/base/widgets.h"
#include "ui/words/format.h"

namespace hearth {

PairingEntry::PairingEntry(HomeSource &home, QWidget *parent)
    : QFrame(parent),
      m_home(home),
      m_control(home.pairing()),
      m_text(makeLabel({}, "strong")),
      m_detail(makeLabel({}, "small")),
      m_pair(makeButton(QStringLiteral("wantsToPairAccept"), tr("Pair …"), "primary")),
      m_ignore(makeButton(QStringLiteral("wantsToPairIgnore"), tr("Ignore"), "")) {
    setObjectName(QStringLiteral("wantsToPair"));
    setProperty("role", QStringLiteral("notice"));
    m_text->setObjectName(QStringLiteral("wantsToPairText"));
    m_detail->setObjectName(QStringLiteral("wantsToPairDetail"));
    m_text->setWordWrap(true);
    m_detail->setWordWrap(true);
    m_ignore->setToolTip(tr("It is hidden from now on. “Ignored devices” below, or pairing with it, shows it again."));
    connect(m_pair, &QPushButton::clicked, this, [this] {
        m_control.accept(m_control.status().fingerprint);
        Q_EMIT accepted();
    });
    connect(m_ignore, &QPushButton::clicked, this, [this] { m_control.ignore(m_control.status().fingerprint); });
    auto *texts = new QVBoxLayout;
    texts->setSpacing(0);
    texts->addWidget(m_text);
    texts->addWidget(m_detail);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    layout->setSpacing(grid);
    layout->addWidget(new IconLabel(QStringLiteral("wants-to-pair"), &Theme::accentText, 3 * grid));
    layout->addSpacing(grid);
    layout->addLayout(texts, 1);
    layout->addWidget(m_ignore);
    layout->addWidget(m_pair);
    connect(&m_control, &PairingControl::changed, this, &PairingEntry::refresh);
    connect(&home, &HomeSource::demoChanged, this, &PairingEntry::refresh);
    refresh();
}

void PairingEntry::refresh() {
    const PairingStatus status = m_control.status();
    const bool waits = status.phase == PairingPhase::WantsToPair && !m_home.isDemo();
    if (waits) {
        m_text->setText(tr("“%1” wants to pair").arg(status.name));
        m_detail->setText(
            tr("The name is its own claim. Address: %1, fingerprint: %2 …")
                .arg(status.address, formatFingerprint(status.fingerprint.left(Announcement::prefixDigits))));
        m_pair->setAccessibleName(tr("Pair with %1").arg(status.name));
        m_ignore->setAccessibleName(tr("Ignore %1").arg(status.name));
        setAccessibleName(m_text->text());
    }
    setVisible(waits);
}

}  // namespace hearth
