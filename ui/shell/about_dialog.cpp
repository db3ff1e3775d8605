#include "ui/shell/about_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QSysInfo>

#include "ui/base/custom_plot.h"
#include "ui/base/dialog_parts.h"
#include "ui/base/widgets.h"

namespace hearth {

namespace {

struct Part {
    const char *name;
    const char *use;  // in words of the window
    const char *licence;
};

// Names and licences are the same in every language; what a part does is translated.
constexpr Part usedParts[] = {
    {"Qt", QT_TRANSLATE_NOOP("AboutDialog", "the window, sockets, TLS, JSON"), "LGPL-3.0"},
    {"QCustomPlot", QT_TRANSLATE_NOOP("AboutDialog", "live plots"), "GPL-3.0-or-later"},
    {"libqrencode", QT_TRANSLATE_NOOP("AboutDialog", "the address for a phone as a QR code"), "LGPL-2.1-or-later"},
    {"OpenSSL", QT_TRANSLATE_NOOP("AboutDialog", "keys and certificates"), "Apache-2.0"},
    {"Avahi", QT_TRANSLATE_NOOP("AboutDialog", "finding devices, in the agent"), "LGPL-2.1-or-later"},
    {"libarchive", QT_TRANSLATE_NOOP("AboutDialog", "support bundles"), "BSD-2-Clause"},
    {"zlib", QT_TRANSLATE_NOOP("AboutDialog", "compressed data sets"), "Zlib"},
    {"tl::expected", QT_TRANSLATE_NOOP("AboutDialog", "errors as values"), "CC0-1.0"},
    {"LibTorch", QT_TRANSLATE_NOOP("AboutDialog", "tensors and gradients, in the workers"), "BSD-3-Clause"},
    {"OpenBLAS", QT_TRANSLATE_NOOP("AboutDialog", "matrix products of LibTorch"), "BSD-3-Clause"},
    {"Fashion-MNIST", QT_TRANSLATE_NOOP("AboutDialog", "the pictures of the demo, © Zalando SE"), "MIT"},
};

}  // namespace

QString AboutDialog::versions() {
    return QStringLiteral("Hearth %1\nQt %2 (built with %3)\nQCustomPlot %4\n%5, %6")
        .arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion()), QStringLiteral(QT_VERSION_STR),
             QStringLiteral(QCUSTOMPLOT_VERSION_STR), QSysInfo::prettyProductName(),
             QSysInfo::currentCpuArchitecture());
}

AboutDialog::AboutDialog(QWidget *parent) : QDialog(parent) {
    setObjectName(QStringLiteral("aboutDialog"));
    setWindowTitle(tr("About Hearth"));
    auto *name = makeLabel(QStringLiteral("Hearth %1").arg(QCoreApplication::applicationVersion()), "title");
    name->setObjectName(QStringLiteral("aboutVersion"));
    auto *purpose = makeLabel(tr("Trains neural networks on the devices of a household, together."), "secondary");
    purpose->setWordWrap(true);
    auto *head = new QHBoxLayout;
    head->setSpacing(2 * grid);
    head->addWidget(new IconLabel(QStringLiteral("flame"), &Theme::accentText, 6 * grid));
    auto *texts = new QVBoxLayout;
    texts->setSpacing(0);
    texts->addWidget(name);
    texts->addWidget(purpose);
    head->addLayout(texts, 1);

    auto *licence = makeLabel(tr("Free software under the GNU General Public License, version 3 or later. It comes "
                                 "without any warranty."),
                              "");
    licence->setObjectName(QStringLiteral("aboutLicence"));
    licence->setWordWrap(true);
    auto *facts = makeLabel(versions(), "small");
    facts->setObjectName(QStringLiteral("aboutVersions"));
    facts->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);

    auto *table = new QGridLayout;
    table->setHorizontalSpacing(2 * grid);
    table->setVerticalSpacing(grid / 2);
    table->setColumnStretch(1, 1);
    int row = 0;
    for (const Part &part : usedParts) {
        table->addWidget(makeLabel(QLatin1String(part.name), "strong"), row, 0);
        table->addWidget(makeLabel(QCoreApplication::translate("AboutDialog", part.use), "secondary"), row, 1);
        table->addWidget(makeLabel(QLatin1String(part.licence), "small"), row, 2);
        ++row;
    }

    auto *copy = makeButton(QStringLiteral("copyVersions"), tr("Copy versions"), "");
    connect(copy, &QPushButton::clicked, this, [] { QApplication::clipboard()->setText(versions()); });
    auto *close = makeButton(QStringLiteral("closeAbout"), tr("Close"), "primary");
    connect(close, &QPushButton::clicked, this, &QDialog::accept);

    auto *layout = makeDialogLayout(this);
    layout->addLayout(head);
    layout->addWidget(licence);
    layout->addWidget(makeLabel(tr("Made with"), "strong"));
    layout->addLayout(table);
    layout->addWidget(facts);
    layout->addLayout(makeButtonRow({copy, close}));
    setMinimumWidth(72 * grid);
    close->setDefault(true);
    close->setFocus();
}

}  // namespace hearth
