// Data that have a name: checked again, and removed from the list.
#include <unistd.h>
#include <QDialog>
#include <QListWidget>
#include <QMenu>

#include "core/data/data_registry.h"
#include "tests/ui/clipped_texts.h"
#include "tests/ui/job_page_fixture.h"

using namespace hearth;

class KnownDataTest : public JobPageFixture {
    Q_OBJECT

    const QString m_name = QStringLiteral("holiday");

    QString folder() const { return m_folder->filePath(m_name); }
    QString file(const QString &name) const { return folder() + QLatin1Char('/') + name; }
    qint64 listed() const {
        const auto data = loadDataset(m_name);
        return data ? (*data)->count(Split::Train) + (*data)->count(Split::Test) : -1;
    }
    /// A training picture.
    QString listedFile() const {
        const auto data = loadDataset(m_name);
        return data ? (*data)->fileOf(Split::Train, 0) : QString();
    }
    void open() const {
        m_window->jobDraft().setData(m_name);
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("in 2 classes: hills, sea")), patience);
        click("jobDataKnown");
        choose("jobDataManage");
        find<QMenu>("jobDataMenu")->close();
        QVERIFY(find<QDialog>("knownDataDialog")->isVisible());
        QCOMPARE(find<QListWidget>("knownDataNames")->currentItem()->text(), m_name);
    }
    /// What the dialog says in the end.
    QString checked() const {
        click("knownDataCheck");
        const bool isDone = QTest::qWaitFor([&] { return find<QPushButton>("knownDataCheck")->isEnabled(); }, patience);
        return isDone ? text("knownDataTold") : QString();
    }

  private Q_SLOTS:
    void initTestCase() { beginTests(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        openJobPage();
        makeHoliday();
        QVERIFY(registerDataset(m_name, folder(), true));
        QCOMPARE(listed(), holidayPictures);
    }
    void cleanup() {
        endWindow();
        if (registeredDatasets().contains(m_name))
            QVERIFY(unregisterDataset(m_name));
    }

    void whatChangedSinceIsFound() {
        open();
        QVERIFY(QFile::remove(listedFile()));
        QVERIFY(!write(m_name + QStringLiteral("/sea/broken.jpg"), "no picture").isEmpty());
        const QString told = checked();
        QVERIFY2(told.startsWith(QLatin1String("holiday was checked: ")), qPrintable(told));
        QCOMPARE(listed(), holidayPictures - 1);
        const auto *leftOut = find<QListWidget>("knownDataLeftOut");
        QVERIFY(leftOut->isVisible());
        QCOMPARE(leftOut->count(), 1);
        QVERIFY2(leftOut->item(0)->text().startsWith(QLatin1String("sea/broken.jpg: ")),
                 qPrintable(leftOut->item(0)->text()));
        QTRY_COMPARE_WITH_TIMEOUT(clippedTexts(*find<QDialog>("knownDataDialog")), QStringList(), patience);
        // The page shows them as they are now.
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("left out")), patience);
        click("knownDataClose");
    }

    void whatIsDoubtfulIsNotCalledLeftOut() {
        QByteArray rows = "width,price,kind\n";
        for (int i = 0; i < 200; ++i)
            rows += QByteArray::number(i * 31 % 101) + ',' +
                    (i == 15 ? QByteArray("sold") : QByteArray::number(i + 0.5)) + (i % 2 ? ",hills\n" : ",sea\n");
        QVERIFY(registerDataset(m_name, write(QStringLiteral("prices.csv"), rows), true));
        open();
        const QString told = checked();
        QVERIFY2(told.startsWith(QLatin1String("holiday was checked: ")), qPrintable(told));
        QVERIFY2(!told.contains(QLatin1String("Left out")), qPrintable(told));
        const auto *list = find<QListWidget>("knownDataLeftOut");
        QCOMPARE(list->count(), 2);
        QCOMPARE(list->item(0)->text(), QStringLiteral("Used, but doubtful:"));
        QVERIFY2(list->item(1)->text().startsWith(QLatin1String("price: ")), qPrintable(list->item(1)->text()));
        click("knownDataClose");
    }

    void dataThatAreAwayStayAsTheyWere() {
        open();
        QVERIFY(QDir().rename(folder(), m_folder->filePath(QStringLiteral("unplugged"))));
        const QString told = checked();
        QVERIFY2(told.contains(folder()), qPrintable(told));
        QCOMPARE(find<QLabel>("knownDataTold")->property("role").toString(), QStringLiteral("wrong"));
        QCOMPARE(listed(), holidayPictures);
        click("knownDataClose");
    }

    void aNameIsRemovedAndItsFilesStay() {
        open();
        const QString picture = listedFile();
        click("knownDataRemove");
        QCOMPARE(m_questions->askedToRemove, QStringList{m_name});
        QVERIFY(registeredDatasets().contains(m_name));
        m_questions->removesData = true;
        click("knownDataRemove");
        QVERIFY2(text("knownDataTold").contains(QLatin1String("removed from the list")),
                 qPrintable(text("knownDataTold")));
        QVERIFY(!registeredDatasets().contains(m_name));
        QVERIFY(QFile::exists(picture));
        QCOMPARE(find<QListWidget>("knownDataNames")->count(), 0);
        for (const char *button : {"knownDataCheck", "knownDataRemove"})
            QVERIFY(!find<QPushButton>(button)->isEnabled());
        click("knownDataClose");
        QVERIFY(!find<QPushButton>("jobDataKnown")->isVisible());
    }

    void aSecondClickRemovesNoSecondName() {
        const QString other = QStringLiteral("kept");
        QVERIFY(registerDataset(other, folder(), true));
        open();
        m_questions->removesData = true;
        click("knownDataRemove");
        click("knownDataRemove");
        QCOMPARE(m_questions->askedToRemove, QStringList{m_name});
        QVERIFY(registeredDatasets().contains(other));
        click("knownDataClose");
        QVERIFY(unregisterDataset(other));
    }

    void closingGivesUp() {
        open();
        // So many that the check is not at its end when the dialog is closed.
        constexpr int more = 5000;
        const QByteArray picture = QFile::encodeName(listedFile());
        for (int i = 0; i < more; ++i)
            QCOMPARE(::link(picture.constData(),
                            QFile::encodeName(file(QStringLiteral("sea/more%1.png").arg(i))).constData()),
                     0);
        click("knownDataCheck");
        click("knownDataClose");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QDialog *>(QStringLiteral("knownDataDialog")) == nullptr,
                                 patience);
        QCOMPARE(listed(), holidayPictures);
    }

    void aPictureThatIsGoneIsToldBeforeARunBegins() {
        QVERIFY(QFile::remove(listedFile()));
        m_window->jobDraft().setData(m_name);
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("1 file")), patience);
        QCOMPARE(find<QLabel>("jobDataNote")->property("role").toString(), QStringLiteral("small"));
        QVERIFY(find<QWidget>("sampleSheet")->accessibleDescription().contains(QLatin1String("hills")));
    }
};

QTEST_MAIN(KnownDataTest)
#include "known_data_test.moc"
