#include "ui/phone/phone_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QUrl>

#include "ui/base/dialog_parts.h"
#include "ui/base/widgets.h"
#include "ui/phone/phone_page.h"
#include "ui/phone/qr_code.h"

namespace hearth {

namespace {

QLabel *makePhoneText(const QString &objectName, const QString &text, const char *role) {
    QLabel *label = makeLabel(text, role);
    label->setObjectName(objectName);
    label->setWordWrap(true);
    return label;
}

}  // namespace

PhoneDialog::PhoneDialog(PhonePage &page, QWidget *parent)
    : QDialog(parent), m_page(page), m_code(new QrCode), m_network(new QComboBox), m_address(new QLineEdit) {
    setObjectName(QStringLiteral("phoneDialog"));
    setWindowTitle(tr("Show on phone"));
    m_code->setObjectName(QStringLiteral("phoneCode"));
    const QStringList addresses = page.addresses();
    auto *how = makePhoneText(
        QStringLiteral("phoneHow"),
        addresses.isEmpty() ? tr("This computer has left its network. Connect it again, and open this dialog anew.")
                            : tr("Point the phone's camera at the code, or type the address into its browser. "
                                 "The phone must be in the same network as this computer."),
        "");
    auto *who = makePhoneText(QStringLiteral("phoneWho"),
                              tr("Whoever has this address can read speed, loss, device names and events of the run "
                                 "that Train shows, and can change nothing. The connection is not encrypted."),
                              "secondary");
    auto *until = makePhoneText(QStringLiteral("phoneUntil"),
                                tr("It ends with “Stop showing”, or when a demo begins or ends or the window closes, "
                                   "and then this address is void for ever. It goes on when you close this dialog."),
                                "secondary");
    auto *firewall = makePhoneText(
        QStringLiteral("phoneFirewall"),
        tr("If the phone finds nothing, a firewall on this computer may have to let TCP port %1 in.").arg(page.port()),
        "small");
    auto *texts = new QVBoxLayout;
    texts->setSpacing(grid);
    for (QLabel *label : {how, who, until, firewall})
        texts->addWidget(label);
    texts->addStretch(1);
    auto *upper = new QHBoxLayout;
    upper->setSpacing(3 * grid);
    upper->addWidget(m_code, 0, Qt::AlignTop);
    upper->addLayout(texts, 1);

    m_network->setObjectName(QStringLiteral("phoneNetwork"));
    m_network->setAccessibleName(tr("Address of this computer in the phone's network"));
    m_network->setToolTip(m_network->accessibleName());
    for (const QString &address : addresses)
        m_network->addItem(QUrl(address).host(), address);
    if (m_network->count() < 2)
        m_network->hide();
    m_address->setObjectName(QStringLiteral("phoneAddress"));
    m_address->setAccessibleName(tr("Address of the page"));
    m_address->setReadOnly(true);
    auto *copy = makeButton(QStringLiteral("phoneCopy"), tr("Copy"), "");
    setThemedIcon(copy, QStringLiteral("copy"), &Theme::text);
    auto *lower = new QHBoxLayout;
    lower->setSpacing(grid);
    lower->addWidget(m_network);
    lower->addWidget(m_address, 1);
    lower->addWidget(copy);

    auto *stop = makeButton(QStringLiteral("phoneStop"), tr("Stop showing"), "");
    auto *close = makeButton(QStringLiteral("phoneClose"), tr("Close"), "primary");
    auto *layout = makeDialogLayout(this);
    layout->addLayout(upper);
    layout->addLayout(lower);
    layout->addLayout(makeButtonRow({stop, close}));
    setMinimumWidth(92 * grid);

    connect(m_network, &QComboBox::currentIndexChanged, this, &PhoneDialog::showAddress);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(m_address->text()); });
    connect(stop, &QPushButton::clicked, this, [this] { m_page.end(); });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(&page, &PhonePage::shownChanged, this, &QDialog::accept);
    showAddress(m_network->currentIndex());
    close->setDefault(true);
    close->setFocus();
}

void PhoneDialog::showAddress(int network) {
    const QString address = m_network->itemData(network).toString();
    m_address->setText(address);
    m_address->setCursorPosition(0);
    m_code->setText(address);
}

}  // namespace hearth
