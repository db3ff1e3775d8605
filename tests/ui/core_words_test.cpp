// Sentences that core tells in English, in a German window.
#include "ui/words/core_words.h"

#include <QDirIterator>
#include <QRegularExpression>

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

  private Q_SLOTS:
    void everySentenceHasAGermanOneWithTheSameParts() {
        const Language spoken(QLocale(QLocale::German, QLocale::Germany));
        for (const char *sentence : coreSentences()) {
            const QString own = QCoreApplication::translate("CoreWords", sentence);
            QVERIFY2(own != QString::fromUtf8(sentence), sentence);
            QVERIFY2(gaps(own) == gaps(QString::fromUtf8(sentence)), sentence);
        }
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
