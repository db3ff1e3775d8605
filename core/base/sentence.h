// What Hearth says to a person, kept in parts until it is shown, so that the window can say it in its own language.
#pragma once

#include <QByteArray>
#include <QCborMap>
#include <QString>
#include <concepts>
#include <initializer_list>
#include <vector>

namespace hearth {

/// A source text in English with the places %1, %2, … and what stands there: names, numbers, other sentences. Words
/// follow a number: "%1 {1|file was|files were} left out" has the first of them where the place 1 says "1", else the
/// second. Terminal and log show english(); the window translates the source text, and these words with it. A text of
/// another program or a name is a sentence without a source text: nobody translates it. Plain value, any thread.
class Sentence {
  public:
    enum class Kind {
        Text,      // as it is: a name, a path, words of another program
        Quantity,  // digits in English notation, with a unit or without: "1,234", "41.3 ms"
        Source,    // a source text of the catalogue and its arguments
    };

    Sentence() = default;
    // NOLINTNEXTLINE(google-explicit-constructor)
    Sentence(QString text) : m_english(std::move(text)) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    Sentence(QLatin1String text) : m_english(text) {}
    static Sentence quantity(QString digits);
    static Sentence quantity(double number, int decimals);

    /// Fills the next place: the first call %1, the second %2.
    Sentence arg(const Sentence &argument) const;
    template <std::integral T>
    Sentence arg(T number) const {
        static_assert(!std::same_as<T, char> && !std::same_as<T, bool>, "not a number");
        return arg(Sentence(QString::number(number)));
    }
    template <std::floating_point T>
    Sentence arg(T number) const {
        return arg(quantity(QString::number(number)));
    }
    template <class First, class Second, class... More>
    Sentence arg(const First &first, const Second &second, const More &...more) const {
        return arg(first).arg(second, more...);
    }
    /// Several in a row, with a space between; empty ones are left out.
    static Sentence joined(std::initializer_list<Sentence> sentences);

    Kind kind() const { return m_kind; }
    const QByteArray &source() const { return m_source; }  // UTF-8; empty unless the kind is Source
    const std::vector<Sentence> &arguments() const { return m_arguments; }
    /// The source text with its places filled.
    const QString &english() const { return m_english; }
    // NOLINTNEXTLINE(google-explicit-constructor)
    operator const QString &() const { return m_english; }

    /// `text` with `arguments` at %1, %2, …, and the words that follow a number; a place without an argument stays.
    static QString filled(const QString &text, const std::vector<QString> &arguments);

    /// About the English text.
    bool isEmpty() const { return m_english.isEmpty(); }
    template <class T>
    bool contains(const T &part) const {
        return m_english.contains(part);
    }
    template <class T>
    bool startsWith(const T &part) const {
        return m_english.startsWith(part);
    }
    template <class T>
    bool endsWith(const T &part) const {
        return m_english.endsWith(part);
    }
    friend bool operator==(const Sentence &a, const Sentence &b) { return a.m_english == b.m_english; }
    friend bool operator==(const Sentence &a, const QString &b) { return a.m_english == b; }
    friend bool operator==(const Sentence &a, QLatin1String b) { return a.m_english == b; }

    /// [source, argument, …], {"quantity": digits} or the text.
    QCborValue toCbor() const;

  private:
    friend Sentence sentence(const char *source);

    Kind m_kind = Kind::Text;
    QString m_english;
    QByteArray m_source;
    std::vector<Sentence> m_arguments;
};

/// A sentence of the catalogue (context "CoreWords"): `ninja update_translations` finds the literals in its
/// parentheses.
Sentence sentence(const char *source);

/// Puts `value` at `key` in English and, where it can be translated, its parts at "sentences" / `key`.
void insertSentence(QCborMap &map, QLatin1String key, const Sentence &value);
/// The reverse, for words of a peer: the text is clipped, and control characters but the line end become spaces. The
/// parts count only where they make that very text.
Sentence sentenceAt(const QCborMap &map, QLatin1String key);

}  // namespace hearth
