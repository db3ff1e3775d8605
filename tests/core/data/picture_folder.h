// Pictures that are drawn, and folders of them, for tests.
#pragma once

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace hearth::test {

inline QImage plain(QColor colour, int width = 40, int height = 30) {
    QImage picture(width, height, QImage::Format_RGB888);
    picture.fill(colour);
    return picture;
}

/// Four quarters of different colours: red, green, blue, white.
inline QImage quarters(int width, int height) {
    QImage picture(width, height, QImage::Format_RGB888);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const bool right = x >= width / 2, low = y >= height / 2;
            picture.setPixelColor(x, y, low ? (right ? Qt::white : Qt::blue) : (right ? Qt::green : Qt::red));
        }
    }
    return picture;
}

inline QByteArray encoded(const QImage &picture, const char *format, int quality = 95) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, format, quality);
    return buffer.data();
}

/// A folder that `makeFolder()` makes anew before each test; a test class derives from it.
class PictureFolder {
  protected:
    void makeFolder() {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }
    QString path(const QString &name = {}) const { return m_folder->filePath(name); }
    void save(const QString &name, const QByteArray &bytes) {
        QVERIFY(QDir().mkpath(QFileInfo(path(name)).absolutePath()));
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    /// `count` different pictures of each of two classes.
    void saveClasses(const QString &folder, int count) {
        for (int i = 0; i < count; ++i) {
            const QString name = QStringLiteral("%1/%2/%3.png").arg(folder);
            save(name.arg(QStringLiteral("red")).arg(i), encoded(plain(QColor(255, i, 0)), "png"));
            save(name.arg(QStringLiteral("blue")).arg(i), encoded(plain(QColor(0, i, 255)), "png"));
        }
    }

  private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

}  // namespace hearth::test
