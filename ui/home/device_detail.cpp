#include "ui/home/device_detail.h"

#include <QAction>
#include <QCoreApplication>
#include <QFormLayout>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <algorithm>
#include <utility>

#include "core/base/host_port.h"
#include "core/install/agent_package.h"
#include "core/install/ssh_host.h"
#include "ui/base/home_source.h"
#include "ui/home/device_card.h"
#include "ui/home/device_layers.h"
#include "ui/home/device_look.h"
#include "ui/home/device_measured.h"
#include "ui/home/device_pause.h"
#include "ui/home/limits_dialog.h"
#include "ui/home/measurements.h"
#include "ui/home/name_edit.h"
#include "ui/run/run_model.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

/// One in a line; where there are several, the one that is used says so.
QString addressesText(const DeviceInfo &device) {
    QStringList lines = device.otherAddresses;
    const bool saysUsed = !lines.isEmpty() && device.state != DeviceState::Lost;
    if (!device.address.isEmpty())
        lines.prepend(saysUsed ? DeviceDetail::tr("%1 (in use)").arg(device.address) : device.address);
    return lines.join(QLatin1Char('\n'));
}

/// "3.0 GiB, 2 threads, only on mains, 22:00–07:00"; the pause is the state.
QString limitsText(const DeviceLimits &limits) {
    QStringList parts;
    if (limits.memoryBytes > 0)
        parts << DeviceDetail::tr("at most %1").arg(formatBytes(limits.memoryBytes));
    if (limits.threads > 0)
        parts << DeviceDetail::tr("at most %n thread(s)", nullptr, limits.threads);
    if (limits.onlyOnMains)
        parts << DeviceDetail::tr("only on mains power");
    if (limits.hours) {
        const QLocale locale;
        const auto time = [&locale](int minute) {
            return locale.toString(QTime(minute / 60, minute % 60), QLocale::ShortFormat);
        };
        parts << DeviceDetail::tr("only from %1 to %2").arg(time(limits.hours->from), time(limits.hours->to));
    }
    if (limits.withoutCard)
        parts << DeviceDetail::tr("not on the graphics card");
    if (limits.cardPercent > 0)
        parts << DeviceDetail::tr("at most %1 % of the card's memory").arg(formatCount(limits.cardPercent));
    if (limits.cardWatts > 0)
        parts << DeviceDetail::tr("the card at most %1 W").arg(formatCount(limits.cardWatts));
    if (limits.cardAlone)
        parts << DeviceDetail::tr("not while another program computes on the card");
    return parts.isEmpty() ? DeviceDetail::tr("None") : parts.join(QStringLiteral(", "));
}

}  // namespace

DeviceDetail::DeviceDetail(HomeSource &home, const RunModel &run, Measurements &measurements, QWidget *parent)
    : QFrame(parent),
      m_home(home),
      m_run(run),
      m_measurements(measurements),
      m_stateIcon(new IconLabel(QStringLiteral("ready"), &Theme::good, 2 * grid)),
      m_install(makeButton(QStringLiteral("detailInstall"), tr("Install again …"), "")),
      m_forget(makeButton(QStringLiteral("detailForget"), tr("Forget this device …"), "")),
      m_name(new NameEdit),
      m_measured(new DeviceMeasured(measurements, run)),
      m_layers(new DeviceLayers(measurements)),
      m_state(makeLabel({}, "secondary")),
      m_pause(makeButton(QStringLiteral("pauseDevice"), tr("Pause …"), "")),
      m_change(makeButton(QStringLiteral("changeLimits"), tr("Change limits …"), "")),
      m_pauses(new QMenu(this)) {
    setObjectName(QStringLiteral("deviceDetail"));
    setProperty("role", QStringLiteral("card"));
    setMinimumWidth(34 * grid);
    setMaximumWidth(42 * grid);
    m_state->setObjectName(QStringLiteral("detailState"));
    m_state->setWordWrap(true);

    auto *close = makeButton(QStringLiteral("closeDetail"), {}, "link");
    close->setAccessibleName(tr("Close details"));
    close->setToolTip(tr("Close details"));
    setThemedIcon(close, QStringLiteral("close"), &Theme::secondary);
    connect(close, &QPushButton::clicked, this, &DeviceDetail::closed);

    auto *head = new QHBoxLayout;
    head->addWidget(m_name, 1);
    head->addWidget(close);
    auto *stateRow = new QHBoxLayout;
    stateRow->setSpacing(grid / 2);
    stateRow->addWidget(m_stateIcon);
    stateRow->addWidget(m_state, 1);

    auto *body = new QWidget;
    auto *bodyLayout = new QVBoxLayout(body);
    bodyLayout->setContentsMargins(0, 0, 0, 0);
    bodyLayout->setSpacing(2);
    // In a row of a form these would get the height of their widest shape, and their last lines would be cut off.
    bodyLayout->addWidget(m_measured);
    QFormLayout *use = addForm(bodyLayout);
    m_work = addRow(use, QStringLiteral("detailWork"), tr("Work in this run"));
    m_memory = addRow(use, QStringLiteral("detailMemory"), tr("Memory for training"));
    m_threads = addRow(use, QStringLiteral("detailThreads"), tr("Threads for training"));
    m_limits = addRow(use, QStringLiteral("detailLimits"), tr("Limits"));
    m_error = addRow(use, QStringLiteral("detailError"), tr("Last error"));
    bodyLayout->addWidget(m_layers);
    m_computer = addForm(bodyLayout);
    m_kind = addRow(m_computer, QStringLiteral("detailKind"), tr("Kind"));
    m_processor = addRow(m_computer, QStringLiteral("detailProcessor"), tr("Processor"));
    m_card = addRow(m_computer, QStringLiteral("detailCard"), tr("Graphics card"));
    m_address = addRow(m_computer, QStringLiteral("detailAddress"), tr("Address"));
    m_fingerprint = addRow(m_computer, QStringLiteral("detailFingerprint"), tr("Fingerprint"));
    m_fingerprint->setProperty("role", QStringLiteral("mono"));
    m_version = addRow(m_computer, QStringLiteral("detailVersion"), tr("Agent"));
    bodyLayout->addStretch(1);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(grid);
    buttons->addWidget(m_pause);
    buttons->addWidget(m_change);
    buttons->addStretch(1);
    m_pauses->setObjectName(QStringLiteral("pauseLengths"));
    addPauses(*m_pauses, QStringLiteral("pauseDevice"), [this](std::optional<qint64> until) {
        if (const DeviceInfo *device = chosen(); device && takesLimits(*device))
            pauseDevice(m_home, *device, until);
    });
    connect(m_pause, &QPushButton::clicked, this, &DeviceDetail::pauseOrResume);
    connect(m_change, &QPushButton::clicked, this, &DeviceDetail::askLimits);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, grid, 2 * grid);
    layout->setSpacing(grid);
    layout->addLayout(head);
    layout->addLayout(stateRow);
    layout->addWidget(makeScroll(QStringLiteral("detailScroll"), body, Qt::TabFocus), 1);
    // The right margin is that of the scroll bar; what stands below ends where the text above does.
    auto *foot = new QVBoxLayout;
    foot->setContentsMargins(0, 0, grid, 0);
    foot->setSpacing(grid);
    foot->addLayout(buttons);
    foot->addWidget(m_install);
    foot->addWidget(m_forget);
    layout->addLayout(foot);
    connect(m_install, &QPushButton::clicked, this, [this] {
        // The user there is not known; SSH has a port of its own.
        const DeviceInfo *device = chosen();
        const auto known = device ? splitAddress(device->address) : Result<HostPort>(HostPort{});
        SshTarget target;
        if (known)
            target.host = known->host;
        Q_EMIT installWanted(target.toString());
    });
    connect(m_forget, &QPushButton::clicked, this, [this] { Q_EMIT forgetWanted(m_id, m_name->name()); });
    connect(m_name, &NameEdit::renamed, this, [this](const QString &name) { m_home.rename(m_id, name); });
    auto *rename = new QAction(this);
    rename->setObjectName(QStringLiteral("renameAction"));
    rename->setShortcut(Qt::Key_F2);
    connect(rename, &QAction::triggered, m_name, &NameEdit::edit);
    addAction(rename);
    connect(&measurements, &Measurements::changed, this, [this] {
        if (isVisible())
            refresh();
    });

    connect(&home, &HomeSource::devicesChanged, this, &DeviceDetail::refresh);
    connect(&run, &RunModel::roundAdded, this, [this] {
        // Rounds may come many times a second: a page that is not seen is brought up to date when it is.
        if (isVisible())
            refresh();
    });
    connect(&run, &RunModel::planChanged, this, &DeviceDetail::refresh);
    connect(&run, &RunModel::devicesChanged, this, &DeviceDetail::refresh);
    connect(&run, &RunModel::stateChanged, this, &DeviceDetail::refresh);
    connect(&run, &RunModel::cleared, this, &DeviceDetail::refresh);
    hide();
}

void DeviceDetail::show(const QString &id) {
    if (id != std::exchange(m_id, id))
        m_name->giveUp();
    refresh();
}

QFormLayout *DeviceDetail::addForm(QBoxLayout *layout) {
    auto *form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(2);
    layout->addLayout(form);
    return form;
}

QLabel *DeviceDetail::addRow(QFormLayout *form, const QString &objectName, const QString &caption) {
    QLabel *value = makeLabel({}, "");
    value->setObjectName(objectName);
    value->setWordWrap(true);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    value->setContentsMargins(0, 0, 0, grid / 2);
    form->addRow(makeLabel(caption, "small"), value);
    return value;
}

void DeviceDetail::showEvent(QShowEvent *event) {
    QFrame::showEvent(event);
    refresh();
}

void DeviceDetail::refresh() {
    m_devices = m_home.devices();
    setVisible(chosen() != nullptr);
    const DeviceInfo *found = chosen();  // what is shown is refreshed by that
    if (found == nullptr)
        return;
    const DeviceInfo &device = *found;
    const DeviceLook look =
        m_measurements.progressOf(device)
            ? measuringLook()
            : lookOf(device, m_run.isLive() ? m_run.devices().fate(device.id).health : Health::Well);
    const QString unknown = tr("Not known yet");
    const auto orUnknown = [&unknown](const QString &text) { return text.isEmpty() ? unknown : text; };
    m_name->setName(device.name);
    showName(device);
    m_measured->show(device);
    m_layers->show(device, m_devices);
    // A demo home is whole as it is.
    m_forget->setVisible(!device.self && !m_home.isDemo());
    refreshInstall(device);
    showState(device, look.word);
    m_stateIcon->setIcon(look.iconName, look.colour);
    // Sixteen groups of four read best as four lines of four.
    m_fingerprint->setText(fingerprintLines(device.id, 16));
    m_address->setText(orUnknown(addressesText(device)));
    m_kind->setText(kindText(device));
    m_computer->setRowVisible(m_kind, !m_kind->text().isEmpty());
    m_processor->setText(orUnknown(device.processor));
    m_card->setText(device.card ? coreText(computesOn(*device.card)) : QString());
    m_computer->setRowVisible(m_card, device.card.has_value());
    m_threads->setText(tr("%1 of %n core(s)", nullptr, device.cores).arg(formatCount(device.threads)));
    m_memory->setText(formatBytes(device.memoryBytes));
    m_version->setText(orUnknown(device.version));
    m_limits->setText(device.limitsKnown
                          ? limitsText(device.limits)
                          : tr("Set by another version of Hearth. Update this computer to see them here."));
    m_pause->setText(device.limits.paused ? tr("Resume") : tr("Pause …"));
    m_pause->setToolTip(device.limits.paused ? tr("Let this device take work again")
                                             : tr("Let this device leave its runs and rest for a time"));
    for (QPushButton *button : {m_pause, m_change})
        button->setEnabled(takesLimits(device));
    m_work->setText(stagesText(m_run.devices().stagesOf(device.id)));
    QStringList errors;
    for (const Sentence &each : {device.lastError, device.alarm}) {
        if (!each.isEmpty())
            errors << coreText(each);
    }
    m_error->setText(errors.isEmpty() ? tr("None") : errors.join(QLatin1Char('\n')));
}

void DeviceDetail::showState(const DeviceInfo &device, const QString &word) {
    QStringList parts{stateWord(device, word, m_run)};
    if (device.self)
        parts << tr("this computer");
    // How far a measurement is says more than since when.
    const QString since = m_measurements.progressOf(device) ? QString() : sinceText(device, m_run);
    if (!since.isEmpty())
        parts << since;
    m_state->setText(parts.join(QStringLiteral(" · ")));
}

void DeviceDetail::showName(const DeviceInfo &device) {
    // A demo home is whole as it is.
    m_name->setEditable(!m_home.isDemo());
    QStringList taken;
    for (const DeviceInfo &other : m_devices) {
        if (other.id != device.id)
            taken << other.name;
    }
    m_name->setTaken(taken);
    m_name->setHint(device.self ? tr("Devices that know this computer keep the name that they have for it.")
                                : tr("Changes the name on this computer only."));
}

void DeviceDetail::refreshInstall(const DeviceInfo &device) {
    const bool isOlder =
        !device.version.isEmpty() && isOlderVersion(device.version, QCoreApplication::applicationVersion());
    m_install->setVisible(!device.self && !m_home.isDemo() && (isOlder || device.state == DeviceState::Lost));
    m_install->setText(isOlder ? tr("Update …") : tr("Install again …"));
    m_install->setToolTip(
        isOlder
            ? tr("This computer has version %1. It is installed over SSH.").arg(QCoreApplication::applicationVersion())
            : tr("Installs the agent again over SSH. Its key and runs stay."));
}

const DeviceInfo *DeviceDetail::chosen() const {
    const auto found = std::find_if(m_devices.begin(), m_devices.end(),
                                    [this](const DeviceInfo &device) { return device.id == m_id; });
    return found == m_devices.end() ? nullptr : &*found;
}

void DeviceDetail::pauseOrResume() {
    const DeviceInfo *device = chosen();
    if (device == nullptr)
        return;
    if (device->limits.paused)
        resumeDevice(m_home, *device);
    else
        m_pauses->popup(m_pause->mapToGlobal(QPoint(0, m_pause->height())));
}

void DeviceDetail::askLimits() {
    const DeviceInfo *device = chosen();
    if (device == nullptr)
        return;
    auto *dialog = new LimitsDialog(*device, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, id = device->id] {
        DeviceLimits limits = dialog->limits();
        // Somebody may have paused it there meanwhile.
        for (const DeviceInfo &now : m_home.devices()) {
            if (now.id == id)
                limits.takePause(now.limits);
        }
        m_home.setLimits(id, limits);
    });
    dialog->open();
}

}  // namespace hearth
