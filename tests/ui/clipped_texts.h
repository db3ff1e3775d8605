// Which texts of a window have less room than they need.
#pragma once

#include <QAbstractButton>
#include <QCoreApplication>
#include <QLabel>
#include <QStringList>
#include <QTest>

#include "ui/base/widgets.h"

namespace hearth {

inline QString describe(const QWidget *widget) {
    return QStringLiteral("%1 \"%2\" of %3")
        .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
             widget->parentWidget() != nullptr ? widget->parentWidget()->objectName() : QString());
}

/// Of its buttons and labels that are seen; empty where all fit. Labels that say themselves where they end are left
/// out.
inline QStringList clippedTexts(const QWidget &window) {
    QTest::qWait(0);
    QCoreApplication::sendPostedEvents();  // what a timer has just said is laid out
    QStringList clipped;
    for (const QAbstractButton *button : window.findChildren<QAbstractButton *>()) {
        if (button->isVisible() && button->width() < button->sizeHint().width())
            clipped << describe(button) + QLatin1Char(' ') + button->text();
    }
    for (const QLabel *label : window.findChildren<QLabel *>()) {
        if (!label->isVisible() || qobject_cast<const ElidedLabel *>(label) != nullptr)
            continue;
        const int needed = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().width();
        // A word without an end does not wrap.
        const bool wide = label->wordWrap() && label->minimumSizeHint().width() > label->width();
        if (wide || needed > (label->wordWrap() ? label->height() : label->width()))
            clipped << describe(label) + QLatin1Char(' ') + label->text();
    }
    return clipped;
}

/// Notes of its figures that are seen in part: half a number reads as another one.
inline QStringList cutNotes(const QWidget &window) {
    QStringList cut;
    for (const Figure *figure : window.findChildren<Figure *>()) {
        for (const ElidedLabel *label : figure->findChildren<ElidedLabel *>()) {
            if (label->isVisible() && label->fullText() == figure->note() && label->text() != figure->note())
                cut << describe(figure) + QLatin1Char(' ') + figure->note();
        }
    }
    return cut;
}

}  // namespace hearth
