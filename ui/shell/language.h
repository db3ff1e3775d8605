// Which language the program speaks: that of the desktop, or the one that was chosen.
#pragma once

#include <QString>
#include <QTranslator>

class QSettings;

namespace hearth {

/// By its code ("en", "de"); empty for that of the desktop, also where what is remembered is no language of the window.
QString languageIn(const QSettings &settings);
void setLanguageIn(QSettings &settings, const QString &language);

/// The translations of the program and of Qt, and how numbers are written. What is on the screen already does not
/// change. GUI thread; as long as it lives the language is spoken.
class SpokenLanguage {
  public:
    SpokenLanguage() = default;
    ~SpokenLanguage();
    SpokenLanguage(const SpokenLanguage &) = delete;
    SpokenLanguage &operator=(const SpokenLanguage &) = delete;

    /// Empty for that of the desktop.
    void speak(const QString &language);

  private:
    QTranslator m_own, m_qt;
};

}  // namespace hearth
