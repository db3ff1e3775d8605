#include "ui/shell/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QStringList>

namespace hearth {

namespace {

QString languageKey() {
    return QStringLiteral("window/language");
}

}  // namespace

QString languageIn(const QSettings &settings) {
    const QString language = settings.value(languageKey()).toString();
    return QStringList{QStringLiteral("en"), QStringLiteral("de")}.contains(language) ? language : QString();
}

void setLanguageIn(QSettings &settings, const QString &language) {
    if (language.isEmpty())
        settings.remove(languageKey());
    else
        settings.setValue(languageKey(), language);
}

SpokenLanguage::~SpokenLanguage() {
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
}

void SpokenLanguage::speak(const QString &language) {
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
    const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
    QLocale::setDefault(locale);
    const QString folder = QStringLiteral(":/hearth/translations");
    // English is a translation, too: it knows the plurals.
    if (m_own.load(locale, QStringLiteral("hearth"), QStringLiteral("_"), folder) ||
        m_own.load(QStringLiteral("hearth_en"), folder))
        QCoreApplication::installTranslator(&m_own);
    if (m_qt.load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                  QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qt);
}

}  // namespace hearth
