// Sentences of core in a German window: each one of the catalogue, its numbers, and what has no parts.
#include "ui/words/core_words.h"

#include <QDirIterator>
#include <QRegularExpression>

#include "core/base/number_text.h"
#include "tests/ui/run_fixture.h"
#include "ui/base/widgets.h"
#include "ui/run/event_sentences.h"

using namespace hearth;

class CoreWordsTest : public RunFixture {
    Q_OBJECT

    static QString german(const Sentence &said) {
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        return coreText(said);
    }
    static QStringList places(const QString &text) {
        static const QRegularExpression place(QStringLiteral("%\\d"));
        QStringList found;
        for (const QRegularExpressionMatch &match : place.globalMatch(text))
            found << match.captured();
        found.removeDuplicates();
        found.sort();
        return found;
    }

    /// The texts of all sentence("…") below a folder of the sources, as the program knows them.
    static QStringList sourceTexts(const char *folder) {
        static const QRegularExpression call(
            QStringLiteral("\\bsentence\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)\\)")),
            literal(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
        QStringList found;
        QDirIterator files(QStringLiteral(HEARTH_UI_TEST_DATA "/../../../") + QLatin1String(folder),
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.open(QIODevice::ReadOnly))
                qFatal("%s cannot be read", qPrintable(file.fileName()));
            const QString source = QString::fromUtf8(file.readAll());
            for (auto match = call.globalMatch(source); match.hasNext();) {
                QString text;
                for (auto piece = literal.globalMatch(match.next().captured(1)); piece.hasNext();)
                    text += piece.next().captured(1);
                found << text.replace(QStringLiteral("\\n"), QStringLiteral("\n"))
                             .replace(QStringLiteral("\\\""), QStringLiteral("\""));
            }
        }
        return found;
    }

    static QStringList told(const std::vector<RunEventBody> &bodies) {
        RunModel run;
        quint64 seq = 0;
        for (const RunEventBody &body : bodies) {
            const auto read = RunEvent::fromLine(eventLine(++seq, 1, body));
            run.add(*read);
        }
        QStringList texts;
        for (const EventSentence &each : run.log().sentences())
            texts << each.text;
        return texts;
    }

  private Q_SLOTS:
    /// Through the translator of the window, with an argument at every place.
    void eachSentenceOfTheCatalogueIsSaidInGerman() {
        const QStringList texts = sourceTexts("core") + sourceTexts("agent") + sourceTexts("app");
        QVERIFY(texts.size() > 1200);
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        // Some texts are only places, and some words are the same in both languages.
        static const QRegularExpression english(
            QStringLiteral("\\b(the|and|is|are|with|that|not|which|cannot|must|there)\\b"));
        QStringList wrong;
        for (const QString &text : texts) {
            const QByteArray source = text.toUtf8();
            const QString translation = QCoreApplication::translate("CoreWords", source.constData());
            Sentence said = sentence(source.constData());
            for (qsizetype place = 1; place <= places(text).size(); ++place)
                said = said.arg(QStringLiteral("<%1>").arg(place));
            const QString own = coreText(said);
            const bool isWhole = places(translation) == places(text) && places(own).isEmpty();
            const bool hasWords = text.contains(QRegularExpression(QStringLiteral("[a-z]{3}")));
            if (!isWhole || (hasWords && translation == text) || english.match(own).hasMatch())
                wrong << text;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    void numbersAreWrittenInTheLanguage_data() {
        QTest::addColumn<Sentence>("number");
        QTest::addColumn<QString>("own");
        QTest::newRow("a count") << countText(1234567) << QStringLiteral("1.234.567");
        QTest::newRow("seconds") << secondsText(41.27) << QStringLiteral("41,3\u00a0s");
        QTest::newRow("minutes") << secondsText(125) << QStringLiteral("2\u00a0min\u00a05\u00a0s");
        QTest::newRow("bytes") << bytesText(3.14e9) << QStringLiteral("3,1\u00a0GB");
        QTest::newRow("memory") << memoryText(1288490189) << QStringLiteral("1,2\u00a0GiB");
        QTest::newRow("decimals") << Sentence::quantity(0.5, 2) << QStringLiteral("0,50");
        QTest::newRow("a name keeps its digits") << Sentence(QStringLiteral("box 1.5")) << QStringLiteral("box 1.5");
    }
    void numbersAreWrittenInTheLanguage() {
        QFETCH(Sentence, number);
        QFETCH(QString, own);
        QCOMPARE(german(number), own);
        QVERIFY2(german(sentence("%1 is missing.").arg(number)) == own + QStringLiteral(" fehlt."),
                 qPrintable(german(sentence("%1 is missing.").arg(number))));
    }

    void unitsThatASentenceSaysStayWithTheirNumbers() {
        QCOMPARE(german(sentence("It agrees with this computer's to %1 s.").arg(Sentence::quantity(0.5, 1)))
                     .count(QStringLiteral("0,5\u00a0s")),
                 1);
        QCOMPARE(german(sentence("Activations lost %1 % instead of at most %2 %.")
                            .arg(Sentence::quantity(2.34, 1), Sentence::quantity(1.5, 1)))
                     .count(QStringLiteral("\u00a0%")),
                 2);
        // What only looks like a unit is none.
        QVERIFY(!german(sentence("%1 %2").arg(QStringLiteral("a"), QStringLiteral("b"))).contains(QChar(QChar::Nbsp)));
    }

    void wordsFollowANumberInTheLanguage() {
        const Sentence rows = sentence("%1 more {1|row|rows} cannot be used.");
        QCOMPARE(german(rows.arg(countText(1))), QStringLiteral("1 weitere Zeile ist nicht zu gebrauchen."));
        QCOMPARE(german(rows.arg(countText(1200))), QStringLiteral("1.200 weitere Zeilen sind nicht zu gebrauchen."));
    }

    void anErrorInsideAnotherIsTranslated() {
        const Error cause{QStringLiteral("x"), sentence("Nobody has allowed it there."), {}, {}};
        const Error error{QStringLiteral("y"), sentence("%1 is missing.").arg(sentence("a list")), cause.toSentence(),
                          QStringLiteral("Words of ssh.")};
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        QCOMPARE(errorText(error), QStringLiteral("eine Liste fehlt. Niemand hat es dort erlaubt. Words of ssh."));
    }
    void whatIsNoSentenceIsShownAsItIs() {
        QCOMPARE(german(QStringLiteral("local-2 is silent.")), QStringLiteral("local-2 is silent."));
        QCOMPARE(german(sentence("A sentence of a later version about %1.").arg(QStringLiteral("nano"))),
                 QStringLiteral("A sentence of a later version about nano."));
        QCOMPARE(german({}), QString());
    }
    void anArgumentThatLooksLikeAPlaceStays() {
        QCOMPARE(german(sentence("%1 is missing.").arg(QStringLiteral("%2"))), QStringLiteral("%2 fehlt."));
    }
    void anEnglishWindowSaysWhatCoreSaid() {
        const Language spoken(QLocale(QLocale::English, QLocale::UnitedStates));
        const Sentence said = sentence("%1 is silent.").arg(QStringLiteral("local-2"));
        QCOMPARE(coreText(said), said.english());
    }

    void eventsKeepTheirPartsInTheFile() {
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        const Sentence silent = sentence("%1 is silent.").arg(QStringLiteral("local-2"));
        QVERIFY(told({event::Lost{QStringLiteral("d"), 3, silent}})
                    .join(QLatin1Char(' '))
                    .endsWith(QStringLiteral("local-2 schweigt.")));
        QCOMPARE(told({event::Warning{silent, sentence("Check its power and its network."), {}}}),
                 QStringList{QStringLiteral("local-2 schweigt. Prüfen Sie Strom und Netz des Geräts.")});
        QCOMPARE(told({event::Failure{{QStringLiteral("run.nobody"), silent, {}, {}}}}),
                 QStringList{QStringLiteral("local-2 schweigt.")});
    }
    void aRecordingWithoutPartsIsToldAsItWasWritten() {
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        RunModel run;
        for (const RunEvent &one : RecordedRun::load(QStringLiteral("lossy_run")))
            run.add(one);
        const auto lost = std::ranges::find(run.log().sentences(), Tone::Bad, &EventSentence::tone);
        QVERIFY(lost != run.log().sentences().end());
        QVERIFY2(lost->text.contains(QStringLiteral("ging in Runde")) && lost->text.contains(QStringLiteral("silent")),
                 qPrintable(lost->text));
    }

    void errorsAreShownInGermanAndCopiedAsCoreSaidThem() {
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        ErrorPanel panel(ErrorPanel::In::Window);
        panel.showError({QStringLiteral("run.no-checkpoint"), sentence("The run cannot go on."),
                         sentence("None of its checkpoints is whole."), sentence("Start it anew.")});
        QCOMPARE(panel.findChild<QLabel *>(QStringLiteral("errorWhat"))->text(),
                 QStringLiteral("Der Lauf kann nicht weitergehen."));
        QVERIFY(panel.details().contains(QStringLiteral("The run cannot go on.")));
    }
};

QTEST_MAIN(CoreWordsTest)
#include "core_words_test.moc"
