#include "ui/home/device_detail.h"

#include <QFormLayout>
#include <QScrollArea>
#include <algorithm>

#include "ui/base/home_source.h"
#include "ui/home/device_look.h"
#include "ui/run/run_model.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

/// Sixteen groups of four read best as four lines of four.
QString fingerprintLines(const QString &hex) {
    QStringList lines;
    for (qsizetype i = 0; i < hex.size(); i += 16)
        lines << formatFingerprint(hex.mid(i, 16));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

DeviceDetail::DeviceDetail(const HomeSource &home, const RunModel &run, QWidget *parent)
    : QFrame(parent),
      m_home(home),
      m_run(run),
      m_stateIcon(new IconLabel(QStringLiteral("ready"), &Theme::good, 2 * grid)),
      m_forget(makeButton(QStringLiteral("detailForget"), tr("Forget this device …"), "")),
      m_name(makeLabel({}, "strong")),
      m_state(makeLabel({}, "secondary")) {
    setObjectName(QStringLiteral("deviceDetail"));
    setProperty("role", QStringLiteral("card"));
    setMinimumWidth(34 * grid);
    setMaximumWidth(42 * grid);
    m_name->setObjectName(QStringLiteral("detailName"));
    m_state->setObjectName(QStringLiteral("detailState"));

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

    auto *form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(2);
    m_fingerprint = addRow(form, QStringLiteral("detailFingerprint"), tr("Fingerprint"));
    m_fingerprint->setProperty("role", QStringLiteral("mono"));
    m_address = addRow(form, QStringLiteral("detailAddress"), tr("Address"));
    m_processor = addRow(form, QStringLiteral("detailProcessor"), tr("Processor"));
    m_threads = addRow(form, QStringLiteral("detailThreads"), tr("Threads for training"));
    m_memory = addRow(form, QStringLiteral("detailMemory"), tr("Memory for training"));
    m_speed = addRow(form, QStringLiteral("detailSpeed"), tr("Measured speed"));
    m_work = addRow(form, QStringLiteral("detailWork"), tr("Work in this run"));
    m_version = addRow(form, QStringLiteral("detailVersion"), tr("Agent"));
    m_error = addRow(form, QStringLiteral("detailError"), tr("Last error"));

    auto *body = new QWidget;
    auto *bodyLayout = new QVBoxLayout(body);
    bodyLayout->setContentsMargins(0, 0, 0, 0);
    bodyLayout->addLayout(form);
    bodyLayout->addStretch(1);
    body->setStyleSheet(QStringLiteral("background: transparent"));
    auto *scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("detailScroll"));
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    scroll->setStyleSheet(QStringLiteral("QScrollArea { background: transparent }"));
    scroll->setWidget(body);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, grid, 2 * grid);
    layout->setSpacing(grid);
    layout->addLayout(head);
    layout->addLayout(stateRow);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_forget);
    connect(m_forget, &QPushButton::clicked, this, [this] { Q_EMIT forgetWanted(m_id, m_name->text()); });

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
    m_id = id;
    refresh();
}

QLabel *DeviceDetail::addRow(QFormLayout *form, const QString &objectName, const QString &caption) {
    QLabel *value = makeLabel({}, "");
    value->setObjectName(objectName);
    value->setAccessibleName(caption);
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
    const std::vector<DeviceInfo> devices = m_home.devices();
    const auto found =
        std::find_if(devices.begin(), devices.end(), [this](const DeviceInfo &device) { return device.id == m_id; });
    setVisible(found != devices.end());
    if (found == devices.end()) {
        return;
    }
    const DeviceInfo &device = *found;
    const DeviceLook look = lookOf(device.state, m_run.isLive() ? m_run.fate(device.id).health : Health::Well);
    const QString unknown = tr("Not known yet");
    const auto orUnknown = [&unknown](const QString &text) { return text.isEmpty() ? unknown : text; };
    m_name->setText(device.name);
    // A demo home is whole as it is.
    m_forget->setVisible(!device.self && !m_home.isDemo());
    m_state->setText(device.self ? tr("%1 · this computer").arg(look.word) : look.word);
    m_stateIcon->setIcon(look.iconName, look.colour);
    m_fingerprint->setText(fingerprintLines(device.id));
    m_address->setText(orUnknown(device.address));
    m_processor->setText(orUnknown(device.processor));
    m_threads->setText(tr("%1 of %n core(s)", nullptr, device.cores).arg(formatCount(device.threads)));
    m_memory->setText(formatBytes(device.memoryBytes));
    m_version->setText(orUnknown(device.version));
    const double speed = m_run.measuredSpeed(device.id);
    m_speed->setText(speed > 0 ? tr("%1 GFLOP/s while training").arg(formatNumber(speed / 1e9))
                               : tr("Measured when a run begins"));
    const std::optional<int> stage = m_run.stageOf(device.id);
    m_work->setText(stage ? tr("Stage %1").arg(*stage + 1) : tr("None"));
    m_error->setText(device.lastError.isEmpty() ? tr("None") : coreText(device.lastError));
}

}  // namespace hearth
