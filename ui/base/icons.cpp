#include "ui/base/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <cmath>

#include "ui/base/theme.h"

namespace hearth {

namespace {

/// Draws at the asked size instead of scaling a picture made earlier.
class SvgEngine : public QIconEngine {
  public:
    SvgEngine(QString name, QColor colour, QColor checked)
        : m_name(std::move(name)), m_colour(colour), m_checked(checked) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override {
        const qreal ratio = painter->device() != nullptr ? painter->device()->devicePixelRatioF() : 1.0;
        painter->drawPixmap(rect, iconPixmap(m_name, colourFor(mode, state), rect.width(), ratio));
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override {
        return iconPixmap(m_name, colourFor(mode, state), std::min(size.width(), size.height()), 1.0);
    }
    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        const int side = std::min(size.width(), size.height());
        return iconPixmap(m_name, colourFor(mode, state), qRound(side / scale), scale);
    }
    QIconEngine *clone() const override { return new SvgEngine(*this); }

  private:
    QColor colourFor(QIcon::Mode mode, QIcon::State state) const {
        if (mode == QIcon::Disabled) {
            return ThemeManager::instance().theme().disabled;
        }
        return state == QIcon::On && m_checked.isValid() ? m_checked : m_colour;
    }
    QString m_name;
    QColor m_colour;
    QColor m_checked;
};

}  // namespace

QIcon icon(const QString &name, const QColor &colour, const QColor &checked) {
    return QIcon(new SvgEngine(name, colour, checked));
}

QPixmap iconPixmap(const QString &name, const QColor &colour, int size, qreal devicePixelRatio) {
    const QString key = QStringLiteral("hearth/%1/%2/%3/%4").arg(name, colour.name()).arg(size).arg(devicePixelRatio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) {
        return pixmap;
    }
    QFile file(QStringLiteral(":/hearth/icons/%1.svg").arg(name));
    QByteArray svg;
    if (file.open(QIODevice::ReadOnly)) {
        svg = file.readAll();
    }
    svg.replace("currentColor", colour.name().toLatin1());
    const int side = std::max(1, static_cast<int>(std::lround(size * devicePixelRatio)));
    pixmap = QPixmap(side, side);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(svg).render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(devicePixelRatio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QPixmap thumbnail(const QImage &picture, int side, qreal devicePixelRatio) {
    const int pixels = std::max(1, static_cast<int>(std::lround(side * devicePixelRatio)));
    QPixmap pixmap = QPixmap::fromImage(picture.scaled(pixels, pixels, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

}  // namespace hearth
