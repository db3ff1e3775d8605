#include "ui/phone/qr_code.h"

#include <qrencode.h>

#include <QPainter>
#include <algorithm>
#include <memory>

#include "ui/base/widgets.h"

namespace hearth {

namespace {
constexpr int qrSide = 32 * grid;
}  // namespace

QrMatrix QrMatrix::of(const QString &text) {
    constexpr int smallestVersion = 0;
    const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
        QRcode_encodeString8bit(text.toUtf8().constData(), smallestVersion, QR_ECLEVEL_M), &QRcode_free);
    QrMatrix matrix;
    if (!code)
        return matrix;
    matrix.width = code->width;
    for (int at = 0; at < code->width * code->width; ++at)
        matrix.dark.push_back((code->data[at] & 1) != 0);
    return matrix;
}

QrCode::QrCode(QWidget *parent) : QWidget(parent) {
    setFixedSize(qrSide, qrSide);
}

void QrCode::setText(const QString &text) {
    m_matrix = QrMatrix::of(text);
    setAccessibleName(tr("QR code of %1").arg(text));
    update();
}

QRect QrCode::moduleRect(int x, int y) const {
    // All modules are alike: what is left over widens the quiet zone.
    const int side = std::max(1, width() / (m_matrix.width + 2 * quietZone));
    const int margin = (width() - side * m_matrix.width) / 2;
    return {margin + x * side, margin + y * side, side, side};
}

void QrCode::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), Qt::white);
    for (int y = 0; y < m_matrix.width; ++y) {
        for (int x = 0; x < m_matrix.width; ++x) {
            if (m_matrix.isDark(x, y))
                painter.fillRect(moduleRect(x, y), Qt::black);
        }
    }
}

}  // namespace hearth
