// vary_picture OP TURNED MAGNITUDE FROM TO: one of RandAugment's changes of a picture, by its number.
#include <QImage>
#include <QStringList>

#include "core/data/picture_ops.h"

int main(int argc, char **argv) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    if (arguments.size() != 5)
        return 2;
    QImage picture = QImage(arguments[3]).convertToFormat(QImage::Format_RGB888);
    if (picture.isNull())
        return 1;
    const auto op = static_cast<hearth::PictureOp>(arguments[0].toInt());
    hearth::apply({op, arguments[1] == QLatin1String("1")}, arguments[2].toInt(), picture);
    return picture.save(arguments[4]) ? 0 : 1;
}
