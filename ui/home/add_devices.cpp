#include "ui/home/add_devices.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QScrollArea>

#include "core/agent/programs.h"
#include "ui/base/home_source.h"
#include "ui/base/questions.h"
#include "ui/base/widgets.h"
#include "ui/words/core_words.h"

namespace hearth {

AddDevices::AddDevices(HomeSource &home, Questions &questions, QWidget *parent)
    : QFrame(parent),
      m_home(home),
      m_questions(questions),
      m_pairAddress(new QLineEdit),
      m_pairSaid(makeLabel({}, "wrong")),
      m_address(new QLineEdit),
      m_said(makeLabel({}, "small")) {
    setObjectName(QStringLiteral("addDevicesPanel"));
    setProperty("role", QStringLiteral("card"));
    setFixedWidth(48 * grid);
    auto *close = makeButton(QStringLiteral("closeAddDevices"), {}, "link");
    close->setAccessibleName(tr("Close"));
    close->setToolTip(tr("Close"));
    setThemedIcon(close, QStringLiteral("close"), &Theme::secondary);
    connect(close, &QPushButton::clicked, this, &AddDevices::closed);
    auto *head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Add a device"), "strong"), 1);
    head->addWidget(close);

    auto *body = new QWidget;
    auto *steps = new QVBoxLayout(body);
    steps->setContentsMargins(0, 0, grid, 0);
    steps->setSpacing(grid / 2);
    addByAddress(steps);
    steps->addSpacing(grid);
    auto *bySsh = makeLabel(
        tr("Install Hearth over SSH on a computer that you can log in to. It then joins this home."), "secondary");
    bySsh->setWordWrap(true);
    steps->addWidget(bySsh);
    auto *install = makeButton(QStringLiteral("addInstall"), tr("Install on a computer …"), "primary");
    connect(install, &QPushButton::clicked, this, &AddDevices::installWanted);
    steps->addWidget(install);
    auto *byFile = makeLabel(tr("By files, without comparing digits"), "strong");
    byFile->setContentsMargins(0, grid, 0, 0);
    steps->addWidget(byFile);
    auto *intro = makeLabel(
        tr("Devices can trust each other by files that hold no secrets: each makes one and imports the other’s."),
        "secondary");
    intro->setWordWrap(true);
    steps->addWidget(intro);
    addCommand(steps, QStringLiteral("copyDeviceInit"), tr("1. On the device, where Hearth is installed:"),
               QStringLiteral("hearth-agent init > device.json"));
    m_ownInit = addCommand(steps, QStringLiteral("copyOwnInit"), tr("2. In a terminal of this computer:"), ownInit());
    addCommand(steps, QStringLiteral("copyDeviceTrust"), tr("3. Carry computer.json to the device, and there:"),
               QStringLiteral("hearth-agent trust computer.json && hearth-agent"));

    auto *take = makeLabel(tr("4. Carry device.json to this computer and choose it here. Give an address only if it "
                              "is not the one in that file."),
                           "");
    take->setWordWrap(true);
    take->setContentsMargins(0, grid, 0, 0);
    steps->addWidget(take);
    m_address->setObjectName(QStringLiteral("addAddress"));
    m_address->setAccessibleName(tr("Address of the device, host:port"));
    m_address->setPlaceholderText(tr("host:port, may be left empty"));
    steps->addWidget(m_address);
    auto *choose = makeButton(QStringLiteral("trustFile"), tr("Import trust file …"), "");
    connect(choose, &QPushButton::clicked, this, &AddDevices::chooseFile);
    steps->addWidget(choose);
    m_said->setObjectName(QStringLiteral("addSaid"));
    m_said->setWordWrap(true);
    steps->addWidget(m_said);
    steps->addStretch(1);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, grid, 2 * grid);
    layout->setSpacing(grid);
    layout->addLayout(head);
    layout->addWidget(makeScroll(QStringLiteral("addScroll"), body, Qt::NoFocus), 1);
    connect(&home, &HomeSource::trusted, this, [this](const QString &name) {
        m_said->setText(tr("%1 is trusted now. It appears as soon as its agent runs.").arg(name));
    });
    connect(&home, &HomeSource::failed, m_said, &QLabel::clear);
    connect(&home, &HomeSource::demoChanged, this, [this] {
        m_ownInit->setText(ownInit());
        m_ownInit->setCursorPosition(0);
    });
    hide();
}

void AddDevices::addByAddress(QVBoxLayout *layout) {
    layout->addWidget(makeLabel(tr("Add by address"), "strong"));
    auto *how =
        makeLabel(tr("Hearth has to run on the device (“hearth-agent”). Both devices then show six digits, which "
                     "you compare."),
                  "secondary");
    how->setWordWrap(true);
    layout->addWidget(how);
    m_pairAddress->setObjectName(QStringLiteral("pairAddress"));
    m_pairAddress->setAccessibleName(tr("Address of the device to pair with"));
    m_pairAddress->setPlaceholderText(tr("nano-1 or 192.168.1.5"));
    auto *go = makeButton(QStringLiteral("pairByAddress"), tr("Pair …"), "primary");
    connect(go, &QPushButton::clicked, this, &AddDevices::pairByAddress);
    connect(m_pairAddress, &QLineEdit::returnPressed, this, &AddDevices::pairByAddress);
    connect(m_pairAddress, &QLineEdit::textChanged, m_pairSaid, [this] {
        m_pairSaid->clear();
        m_pairSaid->hide();
    });
    auto *row = new QHBoxLayout;
    row->setSpacing(grid / 2);
    row->addWidget(m_pairAddress, 1);
    row->addWidget(go);
    layout->addLayout(row);
    m_pairSaid->setObjectName(QStringLiteral("pairSaid"));
    m_pairSaid->setWordWrap(true);
    m_pairSaid->hide();
    layout->addWidget(m_pairSaid);
}

void AddDevices::showEvent(QShowEvent *event) {
    QFrame::showEvent(event);
    // Heights of wrapped lines were asked for before the style had set the font.
    for (QLabel *label : findChildren<QLabel *>()) {
        label->ensurePolished();
        label->updateGeometry();
    }
}

void AddDevices::pairByAddress() {
    const auto address = agentAddress(m_pairAddress->text());
    if (address) {
        Q_EMIT pairingWanted({*address});
        return;
    }
    m_pairSaid->setText(errorText(address.error()));
    m_pairSaid->show();
}

/// A terminal knows the usual home only.
QString AddDevices::ownInit() const {
    return QStringLiteral("hearth-agent%1 init > computer.json").arg(stateOption(m_home.stateDir()));
}

QLineEdit *AddDevices::addCommand(QVBoxLayout *layout, const QString &objectName, const QString &text,
                                  const QString &command) {
    auto *label = makeLabel(text, "");
    label->setWordWrap(true);
    label->setContentsMargins(0, grid, 0, 0);
    layout->addWidget(label);
    auto *line = new QLineEdit(command);
    line->setObjectName(objectName + QStringLiteral("Line"));
    line->setAccessibleName(text);
    line->setReadOnly(true);
    line->setCursorPosition(0);
    auto *copy = makeButton(objectName, {}, "");
    copy->setAccessibleName(tr("Copy the command"));
    copy->setToolTip(tr("Copy the command"));
    setThemedIcon(copy, QStringLiteral("copy"), &Theme::text);
    connect(copy, &QPushButton::clicked, this, [line] { QApplication::clipboard()->setText(line->text()); });
    auto *row = new QHBoxLayout;
    row->setSpacing(grid / 2);
    row->addWidget(line, 1);
    row->addWidget(copy);
    layout->addLayout(row);
    return line;
}

void AddDevices::chooseFile() {
    m_said->clear();
    const QString path =
        m_questions.askOpenFile(window(), tr("Trust a device"), tr("Identities of devices (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_home.trust(path, m_address->text().trimmed());
}

}  // namespace hearth
