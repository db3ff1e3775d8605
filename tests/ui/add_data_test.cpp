// "Add data": what is seen of them, and said of them, before they are added.
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QTableWidget>

#include "core/data/data_registry.h"
#include "tests/ui/clipped_texts.h"
#include "tests/ui/job_page_fixture.h"

using namespace hearth;

class AddDataTest : public JobPageFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { beginTests(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openJobPage(); }
    void cleanup() { endWindow(); }

    void ofPathsThatAreTypedTheLastOneIsShown() {
        const QString first = write(QStringLiteral("first.csv"), "width,height\n1,2\n"),
                      second = write(QStringLiteral("second.csv"), "rooms,price\n3,4\n");
        click("jobDataAdd");
        auto *path = find<QLineEdit>("addDataPath");
        const auto *label = find<QComboBox>("addDataLabel");
        path->setText(first);
        // It is read in another thread, and what it has comes with an event.
        QVERIFY(!label->isVisible());
        path->setText(second);
        QTRY_VERIFY_WITH_TIMEOUT(label->isVisible(), patience);
        QCOMPARE(label->currentText(), QStringLiteral("price"));
        QCOMPARE(find<QTableWidget>("addDataRows")->item(0, 0)->text(), QStringLiteral("3"));
        path->setText(m_folder->filePath(QStringLiteral("none")));
        QVERIFY(!label->isVisible());
        click("addDataClose");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QDialog *>(QStringLiteral("addDataDialog")) == nullptr, patience);
    }

    void numbersThatAreClassesAreSaidToBe_data() {
        QTest::addColumn<int>("task");  // its place in the box
        QTest::addColumn<int>("classes");
        QTest::newRow("as they look") << 0 << 0;
        QTest::newRow("classes") << 1 << 26;
        QTest::newRow("a quantity") << 2 << 0;
    }
    void numbersThatAreClassesAreSaidToBe() {
        QFETCH(int, task);
        const QString name = QStringLiteral("letters");
        QByteArray rows = "width,letter\n";
        for (int i = 0; i < 260; ++i)
            rows += QByteArray::number(i * 31 % 101) + ',' + QByteArray::number(i % 26) + '\n';
        m_questions->file = write(QStringLiteral("letters.csv"), rows);
        click("jobDataAdd");
        click("addDataFile");
        auto *box = find<QComboBox>("addDataTask");
        QTRY_VERIFY_WITH_TIMEOUT(box->isVisible(), patience);
        QCOMPARE(box->currentIndex(), 0);
        box->setCurrentIndex(task);
        click("addDataAdd");
        QTRY_VERIFY_WITH_TIMEOUT(registeredDatasets().contains(name), patience);
        const auto data = loadDataset(name);
        QVERIFY(unregisterDataset(name));
        QVERIFY(data);
        QTEST((*data)->classes(), "classes");
    }

    void whatIsUsedNeverthelessIsToldApart_data() {
        QTest::addColumn<QByteArray>("same");  // what each row begins with
        QTest::addColumn<QString>("told");
        QTest::addColumn<QStringList>("listed");
        const QString doubtful = QStringLiteral("Used, but doubtful:"),
                      price = QStringLiteral(
                          "price: 1 field is no number and counts as missing: prices.csv:17 has "
                          "\"sold\".");
        QTest::newRow("alone") << QByteArray() << QStringLiteral("to test are added.") << QStringList{doubtful, price};
        QTest::newRow("behind what is left out")
            << QByteArray("x,") << QStringLiteral("Columns and rows that are left out:")
            << QStringList{QStringLiteral("same: All rows have the same value in this column."), doubtful, price};
    }
    void whatIsUsedNeverthelessIsToldApart() {
        QFETCH(QByteArray, same);
        QFETCH(QString, told);
        const QString name = QStringLiteral("prices");
        QByteArray rows = QByteArray(same).replace("x", "same") + "width,price,kind\n";
        for (int i = 0; i < 200; ++i)
            rows += same + QByteArray::number(i * 31 % 101) + ',' +
                    (i == 15 ? QByteArray("sold") : QByteArray::number(i + 0.5)) + (i % 2 ? ",a\n" : ",b\n");
        m_questions->file = write(QStringLiteral("prices.csv"), rows);
        click("jobDataAdd");
        click("addDataFile");
        QTRY_VERIFY_WITH_TIMEOUT(find<QComboBox>("addDataTask")->isVisible(), patience);
        click("addDataAdd");
        const auto *list = find<QListWidget>("addDataBroken");
        QTRY_VERIFY_WITH_TIMEOUT(list->isVisible(), patience);
        QVERIFY2(text("addDataTold").endsWith(told), qPrintable(text("addDataTold")));
        QStringList listed;
        for (int i = 0; i < list->count(); ++i)
            listed << list->item(i)->text();
        QTEST(listed, "listed");
        QTRY_COMPARE_WITH_TIMEOUT(clippedTexts(*find<QDialog>("addDataDialog")), QStringList(), patience);
        click("addDataAdd");
        QVERIFY(unregisterDataset(name));
    }

    void whatWasSaidOfOneTableIsNotSaidOfTheNext() {
        const QByteArray rows("width,height\n1,2\n");
        click("jobDataAdd");
        auto *path = find<QLineEdit>("addDataPath");
        auto *box = find<QComboBox>("addDataTask");
        path->setText(write(QStringLiteral("first.csv"), rows));
        QTRY_VERIFY_WITH_TIMEOUT(box->isVisible(), patience);
        box->setCurrentIndex(1);
        path->setText(write(QStringLiteral("second.csv"), rows));
        QTRY_VERIFY_WITH_TIMEOUT(box->isVisible(), patience);
        QCOMPARE(box->currentIndex(), 0);
        click("addDataClose");
    }
};

QTEST_MAIN(AddDataTest)
#include "add_data_test.moc"
