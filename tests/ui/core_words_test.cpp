// Sentences that core tells in English, in a German window.
#include "ui/words/core_words.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QTranslator>

#include "tests/ui/run_fixture.h"
#include "ui/base/widgets.h"
#include "ui/run/event_sentences.h"

using namespace hearth;

class CoreWordsTest : public RunFixture {
    Q_OBJECT

    static QString german(const char *english) {
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        return coreText(QString::fromUtf8(english));
    }
    static QSet<QString> gaps(const QString &text) {
        QSet<QString> found;
        static const QRegularExpression gap(QStringLiteral("%\\d"));
        for (auto match = gap.globalMatch(text); match.hasNext();)
            found << match.next().captured();
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

  private Q_SLOTS:
    void everySentenceHasAGermanOneWithTheSameParts() {
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        for (const char *sentence : coreSentences()) {
            const QString own = QCoreApplication::translate("CoreWords", sentence);
            QVERIFY2(own != QString::fromUtf8(sentence), sentence);
            QVERIFY2(gaps(own) == gaps(QString::fromUtf8(sentence)), sentence);
        }
    }

    void numbersInSentencesAreWrittenInTheLanguage_data() {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("own");
        const auto row = [](const char *name, const char *english, const char *own) {
            QTest::newRow(name) << QString::fromUtf8(english) << QString::fromUtf8(own);
        };
        row("seconds and rounds",
            "Another plan takes 41.2 ms instead of 43.4 ms a round (5 % less); over the 18,957 rounds left that saves "
            "41.7 s, and the change costs 4.00 s.",
            "41,2 ms|43,4 ms|18.957 |41,7 s|4,00 s");
        row("bytes beside bytes", "a needed 1,234,567 bytes (1.2 MiB) at least and has 2 bytes (2 bytes).",
            "1.234.567 bytes (1,2 MiB)|2 bytes");
        row("a name keeps its digits", "The device box 1.5 is gone.", "box 1.5");
        row("plain digits stay", "Nothing was heard of it for 12 s, nor an answer to three questions.", "12 s");
    }
    void numbersInSentencesAreWrittenInTheLanguage() {
        QFETCH(QString, english);
        QFETCH(QString, own);
        const QString said = german(qPrintable(english));
        QVERIFY2(said != english, "it is not translated");
        for (const QString &part : own.split(QLatin1Char('|')))
            QVERIFY2(said.contains(part), qPrintable(said));
    }

    /// A sentence that core words differently from now on would stay English.
    void everySentenceIsOneOfCores() {
        QString source;
        QDirIterator files(QStringLiteral(HEARTH_UI_TEST_DATA "/../../../core"),
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            source += QString::fromUtf8(file.readAll());
        }
        static const QRegularExpression joint(QStringLiteral("\"\\s*\\n\\s*\""));
        source.remove(joint).replace(QStringLiteral("\\\""), QStringLiteral("\""));
        for (const char *sentence : coreSentences())
            QVERIFY2(source.contains(QString::fromUtf8(sentence)), sentence);
    }

    void everySourceTextHasAGermanOneWithTheSamePlaces() {
        QTranslator translator;
        QVERIFY(translator.load(QStringLiteral(":/hearth/translations/hearth_de.qm")));
        const QStringList texts = sourceTexts("core") + sourceTexts("agent") + sourceTexts("app");
        QVERIFY(texts.size() > 500);
        QStringList missing;
        for (const QString &text : texts) {
            const QString own = translator.translate("CoreWords", text.toUtf8().constData());
            if (own.isEmpty())
                missing << text;
            QVERIFY2(own.isEmpty() || gaps(own) == gaps(text), qPrintable(text));
            for (qsizetype place = gaps(text).size(); place > 0; --place)
                QVERIFY2(text.contains(QLatin1Char('%') + QString::number(place)), qPrintable(text));
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
    }

    void whatIsWrongWithAFileIsToldInGerman() {
        QCOMPARE(german("/a/my model.json: the key \"/layer\" is unknown. Did you mean \"layers\"? Valid are: format, "
                        "name, layers."),
                 QStringLiteral("/a/my model.json: Der Schlüssel „/layer“ ist unbekannt. Meinten Sie „layers“? "
                                "Gültig sind: format, name, layers."));
        QCOMPARE(german("The data set \"mine\" is not here. The file /a/b.gz does not exist."),
                 QStringLiteral("Der Datensatz „mine“ ist nicht da. Die Datei /a/b.gz gibt es nicht."));
    }

    void sentencesFollowEachOther() {
        QCOMPARE(
            german("local-2 is silent. Nothing was heard of it for 1.7 s, nor an answer to three questions. Check its "
                   "power and its network."),
            QStringLiteral("local-2 schweigt. Seit 1,7 s war nichts von ihm zu hören, auch keine Antwort auf drei "
                           "Fragen. Prüfen Sie Strom und Netz des Geräts."));
    }
    void whatIsNotKnownStaysAndHidesNothing() {
        QCOMPARE(german("The moon is full. local-2 is silent."), QStringLiteral("The moon is full. local-2 schweigt."));
        QCOMPARE(german(""), QString());
        QCOMPARE(german("No end"), QStringLiteral("No end"));
    }
    void anEnglishWindowSaysWhatCoreSaid() {
        const Language spoken(QLocale(QLocale::English, QLocale::UnitedStates));
        const QString text = QStringLiteral("local-2 is silent.  Nothing else.");
        QCOMPARE(coreText(text), text);
    }
    void aRecordedLossIsToldInGerman() {
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        RunModel run;
        for (const RunEvent &one : RecordedRun::load(QStringLiteral("lossy_run")))
            run.add(one);
        const auto lost = std::ranges::find(run.sentences(), Tone::Bad, &EventSentence::tone);
        QVERIFY(lost != run.sentences().end());
        QVERIFY2(lost->text.contains(QStringLiteral("schweigt")) && !lost->text.contains(QStringLiteral("silent")),
                 qPrintable(lost->text));
    }
    void recordedRunsAreToldWithoutAnEnglishWord_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("a run that nothing disturbed") << QStringLiteral("recorded_run");
        QTest::newRow("a run with losses, joins and changes of its plan") << QStringLiteral("lossy_run");
    }
    void recordedRunsAreToldWithoutAnEnglishWord() {
        QFETCH(QString, name);
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        RunModel run;
        for (const RunEvent &one : RecordedRun::load(name))
            run.add(one);
        // Words that no German sentence has.
        static const QRegularExpression english(QStringLiteral("\\b(the|and|of|is|with|that|instead|less|round)\\b"));
        QVERIFY(!run.sentences().empty());
        for (const EventSentence &one : run.sentences())
            QVERIFY2(!english.match(one.text).hasMatch(), qPrintable(one.text));
    }
    void errorsAreShownInGermanAndCopiedAsCoreSaidThem() {
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        ErrorPanel panel;
        panel.showError({QStringLiteral("run.no-checkpoint"), QStringLiteral("The run cannot go on."),
                         QStringLiteral("None of its checkpoints is whole."), QStringLiteral("Start it anew.")});
        QCOMPARE(panel.findChild<QLabel *>(QStringLiteral("errorWhat"))->text(),
                 QStringLiteral("Der Lauf kann nicht weitergehen."));
        QVERIFY(panel.details().contains(QStringLiteral("The run cannot go on.")));
    }
};

QTEST_MAIN(CoreWordsTest)
#include "core_words_test.moc"
