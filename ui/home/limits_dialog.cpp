#include "ui/home/limits_dialog.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QSpinBox>
#include <QTimeEdit>

#include "ui/base/dialog_parts.h"
#include "ui/base/widgets.h"

namespace hearth {
namespace {

constexpr double gibibyte = 1 << 30;
// For whoever ticks the box the first time: the hours in which most people sleep.
constexpr DailyHours night{22 * 60, 7 * 60};
// Room for the desktop, and a card that is heard less.
constexpr int usualCardPercent = 80, usualCardWatts = 150;

QTime timeOf(int minute) {
    return {minute / 60, minute % 60};
}

int minuteOf(const QTime &time) {
    return time.hour() * 60 + time.minute();
}

}  // namespace

LimitsDialog::LimitsDialog(const DeviceInfo &device, QWidget *parent)
    : QDialog(parent),
      m_before(device.limits),
      m_someMemory(new QCheckBox(tr("At most this much memory for a run:"))),
      m_someThreads(new QCheckBox(tr("At most this many threads for a run:"))),
      m_onlyOnMains(new QCheckBox(tr("Only on mains power, never on the battery"))),
      m_someHours(new QCheckBox(tr("Only at these hours, in the time of that device:"))),
      m_memory(new QDoubleSpinBox),
      m_threads(new QSpinBox),
      m_hasCard(device.card && !device.card->name.isEmpty()),
      m_useCard(new QCheckBox(tr("Compute on the graphics card"))),
      m_someCard(new QCheckBox(tr("At most this part of the card's memory for a run:"))),
      m_someWatts(new QCheckBox(tr("At most this power for the card while it trains:"))),
      m_cardAlone(new QCheckBox(tr("Not while another program computes on the card"))),
      m_cardPercent(new QSpinBox),
      m_cardWatts(new QSpinBox),
      m_from(new QTimeEdit),
      m_to(new QTimeEdit),
      m_wrong(makeLabel({}, "small")),
      m_take(makeButton(QStringLiteral("takeLimits"), tr("Set limits"), "primary")) {
    setObjectName(QStringLiteral("limitsDialog"));
    setWindowTitle(tr("Limits of %1").arg(device.name));
    const auto name = [](QWidget *widget, const char *objectName, const QString &spoken) {
        widget->setObjectName(QLatin1String(objectName));
        widget->setAccessibleName(spoken);
    };
    name(m_someMemory, "limitMemory", m_someMemory->text());
    name(m_someThreads, "limitThreads", m_someThreads->text());
    name(m_onlyOnMains, "limitMains", m_onlyOnMains->text());
    name(m_someHours, "limitHours", m_someHours->text());
    name(m_memory, "memoryLimit", tr("Memory in GiB"));
    name(m_threads, "threadLimit", tr("Number of threads"));
    name(m_from, "hoursFrom", tr("Beginning of the hours"));
    name(m_to, "hoursTo", tr("End of the hours"));
    name(m_useCard, "limitUseCard", m_useCard->text());
    name(m_someCard, "limitCardMemory", m_someCard->text());
    name(m_someWatts, "limitCardWatts", m_someWatts->text());
    name(m_cardAlone, "limitCardAlone", m_cardAlone->text());
    name(m_cardPercent, "cardMemoryLimit", tr("Part of the card's memory in per cent"));
    name(m_cardWatts, "cardWattsLimit", tr("Power of the card in watts"));
    m_wrong->setObjectName(QStringLiteral("limitsWrong"));
    m_wrong->setWordWrap(true);

    m_memory->setRange(static_cast<double>(DeviceLimits::leastMemory) / gibibyte, 1 << 20);
    m_memory->setDecimals(2);
    m_memory->setSingleStep(0.5);
    m_memory->setSuffix(QStringLiteral(" GiB"));
    m_threads->setRange(1, std::max(1, device.cores));
    const DeviceLimits &set = device.limits;
    m_someMemory->setChecked(set.memoryBytes > 0);
    m_memory->setValue(static_cast<double>(set.memoryBytes > 0 ? set.memoryBytes : device.memoryBytes / 2) / gibibyte);
    m_memoryBefore = m_memory->value();
    m_someThreads->setChecked(set.threads > 0);
    m_threads->setValue(set.threads > 0 ? set.threads : std::max(1, device.cores / 2));
    m_onlyOnMains->setChecked(set.onlyOnMains);
    m_someHours->setChecked(set.hours.has_value());
    m_from->setTime(timeOf(set.hours.value_or(night).from));
    m_to->setTime(timeOf(set.hours.value_or(night).to));

    m_useCard->setChecked(!set.withoutCard);
    m_someCard->setChecked(set.cardPercent > 0);
    m_cardPercent->setRange(1, 100);
    m_cardPercent->setSuffix(QStringLiteral(" %"));
    m_cardPercent->setValue(set.cardPercent > 0 ? set.cardPercent : usualCardPercent);
    m_someWatts->setChecked(set.cardWatts > 0);
    m_cardWatts->setRange(1, DeviceLimits::mostWatts);
    m_cardWatts->setSuffix(QStringLiteral(" W"));
    m_cardWatts->setValue(set.cardWatts > 0 ? set.cardWatts : usualCardWatts);
    m_cardAlone->setChecked(set.cardAlone);

    auto *intro =
        makeLabel(tr("What training may use of %1. Memory and threads apply from the next run on. A device that "
                     "may not train now leaves its runs without losing a round, and comes back by itself.")
                      .arg(device.name),
                  "secondary");
    intro->setTextFormat(Qt::PlainText);
    intro->setWordWrap(true);
    auto *hours = new QHBoxLayout;
    hours->setSpacing(grid);
    hours->addWidget(m_from);
    hours->addWidget(makeLabel(tr("to"), ""));
    hours->addWidget(m_to);
    auto *rows = new QGridLayout;
    rows->setHorizontalSpacing(2 * grid);
    rows->setVerticalSpacing(grid);
    rows->setColumnStretch(0, 1);
    rows->addWidget(m_someMemory, 0, 0);
    rows->addWidget(m_memory, 0, 1);
    rows->addWidget(m_someThreads, 1, 0);
    rows->addWidget(m_threads, 1, 1);
    rows->addWidget(m_someHours, 2, 0);
    rows->addLayout(hours, 2, 1);
    rows->addWidget(m_onlyOnMains, 3, 0, 1, 2);
    rows->addWidget(m_useCard, 4, 0, 1, 2);
    rows->addWidget(m_someCard, 5, 0);
    rows->addWidget(m_cardPercent, 5, 1);
    rows->addWidget(m_someWatts, 6, 0);
    rows->addWidget(m_cardWatts, 6, 1);
    rows->addWidget(m_cardAlone, 7, 0, 1, 2);
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_useCard, m_someCard, m_cardPercent, m_someWatts, m_cardWatts, m_cardAlone})
        widget->setVisible(m_hasCard);

    auto *cancel = makeButton(QStringLiteral("cancelLimits"), tr("Cancel"), "");
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_take, &QPushButton::clicked, this, &QDialog::accept);
    m_take->setDefault(true);
    auto *layout = makeDialogLayout(this);
    layout->addWidget(intro);
    layout->addLayout(rows);
    layout->addWidget(m_wrong);
    layout->addStretch(1);
    layout->addLayout(makeButtonRow({cancel, m_take}));

    for (QCheckBox *box : {m_someMemory, m_someThreads, m_someHours, m_useCard, m_someCard, m_someWatts})
        connect(box, &QCheckBox::toggled, this, &LimitsDialog::refresh);
    for (QTimeEdit *edit : {m_from, m_to})
        connect(edit, &QTimeEdit::timeChanged, this, &LimitsDialog::refresh);
    refresh();
    resize(64 * grid, sizeHint().height());
}

DeviceLimits LimitsDialog::limits() const {
    DeviceLimits limits;
    limits.takePause(m_before);
    if (m_hasCard) {
        limits.withoutCard = !m_useCard->isChecked();
        limits.cardPercent = m_someCard->isChecked() ? m_cardPercent->value() : 0;
        limits.cardWatts = m_someWatts->isChecked() ? m_cardWatts->value() : 0;
        limits.cardAlone = m_cardAlone->isChecked();
    } else {
        limits.withoutCard = m_before.withoutCard;
        limits.cardPercent = m_before.cardPercent;
        limits.cardWatts = m_before.cardWatts;
        limits.cardAlone = m_before.cardAlone;
    }
    // An amount that nobody touched is not rounded to what is shown of it.
    if (m_someMemory->isChecked() && m_before.memoryBytes > 0 && m_memory->value() == m_memoryBefore)
        limits.memoryBytes = m_before.memoryBytes;
    else if (m_someMemory->isChecked())
        limits.memoryBytes = std::max(DeviceLimits::leastMemory, static_cast<qint64>(m_memory->value() * gibibyte));
    if (m_someThreads->isChecked())
        limits.threads = m_threads->value();
    limits.onlyOnMains = m_onlyOnMains->isChecked();
    if (m_someHours->isChecked())
        limits.hours = DailyHours{minuteOf(m_from->time()), minuteOf(m_to->time())};
    return limits;
}

void LimitsDialog::refresh() {
    m_memory->setEnabled(m_someMemory->isChecked());
    m_threads->setEnabled(m_someThreads->isChecked());
    m_someCard->setEnabled(m_useCard->isChecked());
    m_someWatts->setEnabled(m_useCard->isChecked());
    m_cardAlone->setEnabled(m_useCard->isChecked());
    m_cardPercent->setEnabled(m_useCard->isChecked() && m_someCard->isChecked());
    m_cardWatts->setEnabled(m_useCard->isChecked() && m_someWatts->isChecked());
    m_from->setEnabled(m_someHours->isChecked());
    m_to->setEnabled(m_someHours->isChecked());
    const bool noTime = m_someHours->isChecked() && m_from->time() == m_to->time();
    m_wrong->setText(noTime ? tr("Both times are the same: choose two different ones, or lift this limit.")
                            : QString());
    m_wrong->setVisible(noTime);
    m_take->setEnabled(!noTime);
}

}  // namespace hearth
