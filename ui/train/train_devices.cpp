#include "ui/train/train_devices.h"

#include <QScrollBar>
#include <algorithm>

#include "ui/base/demo_switches.h"
#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/run/run_model.h"

namespace hearth {

namespace {
constexpr int leastTileWidth = 26 * grid;
// With two buttons beside the word for its state.
constexpr int leastDemoTileWidth = 34 * grid;
// The same with a chip and without: nothing jumps when a stage is lost.
constexpr int tileHeight = 15 * grid / 2;
constexpr int mostTileWidth = 64 * grid;
}  // namespace

std::vector<ShownDevice> shownDevices(const HomeSource &home, const RunModel &run) {
    std::vector<ShownDevice> all;
    for (const DeviceInfo &device : home.devices())
        all.push_back({device, true});
    const auto find = [&all](const QString &id) {
        return std::ranges::find(all, id, [](const ShownDevice &one) { return one.device.id; });
    };
    const QStringList &ofRun = run.devices().ids();
    if (std::ranges::all_of(ofRun, [&](const QString &id) { return find(id) != all.end(); }))
        return all;
    std::vector<ShownDevice> list;
    for (const QString &id : ofRun) {
        if (const auto known = find(id); known != all.end()) {
            list.push_back(*known);
            continue;
        }
        DeviceInfo stranger;
        stranger.id = id;
        stranger.name = run.devices().name(id);
        stranger.state = DeviceState::Ready;  // how it is now is not known: the run alone tells of it
        list.push_back({stranger, false});
    }
    return list;
}

DeviceInRun deviceInRun(const ShownDevice &shown, const RunModel &run) {
    const DeviceInfo &device = shown.device;
    DeviceActivity activity = activityOf(device, run);
    DeviceLook look = activity.measuring ? measuringLook() : lookOf(device, activity.fate.health);
    if (!shown.ofHome) {
        // How it is now is not known here, only how the run left it.
        activity.fate = run.devices().fate(device.id);
        const bool idle = activity.fate.health == Health::Well && !run.isLive() && !run.rounds().empty() &&
                          !run.series().devices().contains(device.id);
        look = idle ? DeviceLook{DeviceTile::tr("Had no work"), QStringLiteral("pause"), &Theme::secondary}
                    : lookOf(activity.fate.health);
    }
    if (!activity.measuring)
        look.word = stateWord(device, look.word, run);
    return {activity, look};
}

DeviceTile::DeviceTile(const ShownDevice &shown, const RunModel &run, DemoSwitches *switches, QWidget *parent)
    : QFrame(parent),
      m_device(shown.device),
      m_ofHome(shown.ofHome),
      m_run(run),
      m_switches(switches),
      m_icon(new IconLabel(QStringLiteral("ready"), &Theme::good, 2 * grid)),
      m_name(new ElidedLabel),
      m_word(new ElidedLabel),
      m_chip(new QLabel) {
    setProperty("role", QStringLiteral("card"));
    setMinimumWidth(switches != nullptr ? leastDemoTileWidth : leastTileWidth);
    setFixedHeight(tileHeight);
    setMaximumWidth(mostTileWidth);
    m_word->setProperty("role", QStringLiteral("small"));
    m_name->setProperty("role", QStringLiteral("strong"));

    auto *upper = new QHBoxLayout;
    upper->setSpacing(grid);
    upper->addWidget(m_name, 1);
    upper->addWidget(m_chip);
    auto *lower = new QHBoxLayout;
    lower->setSpacing(grid / 2);
    lower->addWidget(m_icon);
    lower->addWidget(m_word, 1);
    if (switches != nullptr) {
        m_unplug = addButton(QStringLiteral("unplug-") + m_device.name, lower);
        m_slow = addButton(QStringLiteral("slow-") + m_device.name, lower);
        connect(switches, &DemoSwitches::changed, this, &DeviceTile::refresh);
        using Condition = DemoSwitches::Condition;
        const auto toggle = [this](Condition wanted) {
            const bool on = m_switches->condition(m_device.id) == wanted;
            m_switches->setCondition(m_device.id, on ? Condition::Normal : wanted);
        };
        connect(m_unplug, &QPushButton::clicked, this, [toggle] { toggle(Condition::Unplugged); });
        connect(m_slow, &QPushButton::clicked, this, [toggle] { toggle(Condition::Slowed); });
    }
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(grid * 3 / 2, grid / 2, grid / 2, grid / 2);
    layout->setSpacing(0);
    layout->addLayout(upper);
    layout->addLayout(lower);
    upper->setContentsMargins(0, 0, grid / 2, 0);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &DeviceTile::refresh);
    refresh();
}

QPushButton *DeviceTile::addButton(const QString &objectName, QLayout *layout) {
    QPushButton *button = makeButton(objectName, {}, "link");
    layout->addWidget(button);
    return button;
}

void DeviceTile::show(const DeviceInfo &device) {
    m_device = device;
    refresh();
}

QString DeviceTile::word() const {
    return m_word->fullText();
}

QString DeviceTile::chip() const {
    return m_chip->isHidden() ? QString() : m_chip->text();
}

void DeviceTile::refresh() {
    setObjectName(QStringLiteral("tile-") + m_device.name);
    m_name->setFullText(m_device.self ? tr("%1 (this computer)").arg(m_device.name) : m_device.name);
    const auto [activity, look] = deviceInRun({m_device, m_ofHome}, m_run);
    m_icon->setIcon(look.iconName, look.colour);
    m_word->setFullText(look.word);
    const std::optional<StageChip> chip = stageChip(activity);
    m_chip->setVisible(chip.has_value());
    if (chip) {
        m_chip->setText(chip->text);
        const QString style = QStringLiteral("background: %1; color: %2; border-radius: 8px; padding: 1px 8px;")
                                  .arg(chip->fill.name(), chip->colour.name());
        // Reading a style sheet takes long, and a home has many tiles.
        if (style != m_chip->styleSheet())
            m_chip->setStyleSheet(style);
    }
    if (m_switches != nullptr)
        refreshButtons();
}

void DeviceTile::refreshButtons() {
    using Condition = DemoSwitches::Condition;
    const Condition condition = m_switches->condition(m_device.id);
    const QString &name = m_device.name;
    const QString whyNot = m_switches->whyNotUnplug(m_device.id);
    const bool unplugged = condition == Condition::Unplugged;
    const bool slowed = condition == Condition::Slowed;
    m_unplug->setText(unplugged ? tr("Plug in") : tr("Unplug"));
    m_unplug->setAccessibleName(unplugged ? tr("Plug in %1").arg(name) : tr("Unplug %1").arg(name));
    m_unplug->setEnabled(whyNot.isEmpty());
    if (!whyNot.isEmpty())
        m_unplug->setToolTip(whyNot);
    else
        m_unplug->setToolTip(unplugged ? tr("Its processes run again.")
                                       : tr("Stops all processes of this device, as if its cable were pulled."));
    m_slow->setText(slowed ? tr("Full speed") : tr("Slow down"));
    m_slow->setAccessibleName(slowed ? tr("Full speed for %1").arg(name) : tr("Slow down %1").arg(name));
    m_slow->setEnabled(!unplugged);
    if (unplugged)
        m_slow->setToolTip(tr("Plug the device in first."));
    else
        m_slow->setToolTip(slowed
                               ? tr("It computes at full speed again.")
                               : tr("Its worker gets a quarter of its time, as if another program were busy there."));
    // What the run has noticed of it says more.
    const Health health = activityOf(m_device, m_run).fate.health;
    if (health != Health::Well && health != Health::Resting && health != Health::Paused)
        return;
    if (unplugged)
        m_word->setFullText(tr("Unplugged"));
    else if (slowed)
        m_word->setFullText(tr("Slowed down"));
}

TrainDevices::TrainDevices(const HomeSource &home, const RunModel &run, QWidget *parent)
    : QScrollArea(parent), m_home(home), m_run(run) {
    setObjectName(QStringLiteral("trainDevices"));
    setAccessibleName(tr("Devices of the home"));
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    auto *body = new QWidget;
    m_row = new QHBoxLayout(body);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(grid);
    setWidget(body);
    // The bar takes its height from the tiles, unless there is room for both.
    connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, [this] { updateGeometry(); });
    connect(&home, &HomeSource::devicesChanged, this, &TrainDevices::refresh);
    connect(&run, &RunModel::devicesChanged, this, &TrainDevices::refresh);
    connect(&run, &RunModel::planChanged, this, &TrainDevices::refresh);
    connect(&run, &RunModel::stateChanged, this, &TrainDevices::refresh);
    connect(&run, &RunModel::cleared, this, &TrainDevices::refresh);
    refresh();
}

QSize TrainDevices::sizeHint() const {
    const int bar = horizontalScrollBar()->maximum() > 0 ? horizontalScrollBar()->sizeHint().height() : 0;
    return {leastTileWidth, tileHeight + bar};
}

void TrainDevices::refresh() {
    const std::vector<ShownDevice> devices = shownDevices(m_home, m_run);
    const bool same = std::ranges::equal(devices, m_tiles, [](const ShownDevice &one, const DeviceTile *tile) {
        return one.device.id == tile->id() && one.ofHome == tile->isOfHome();
    });
    if (same) {
        for (std::size_t i = 0; i < devices.size(); ++i)
            m_tiles[i]->show(devices[i].device);
        return;
    }
    while (QLayoutItem *item = m_row->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_tiles.clear();
    for (const ShownDevice &shown : devices) {
        m_tiles.push_back(new DeviceTile(shown, m_run, shown.ofHome ? m_home.switches() : nullptr));
        m_row->addWidget(m_tiles.back(), 1);
    }
    m_row->addStretch(0);
    updateGeometry();
}

}  // namespace hearth
