// The cards in the picture of the home: where they lie, stay and are seen.
#include <QApplication>
#include <QDebug>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/core/base/patience.h"
#include "tests/ui/clipped_texts.h"
#include "tests/ui/shell_fixture.h"
#include "ui/home/device_card.h"
#include "ui/home/home_view.h"

using namespace hearth;

class HomePictureTest : public ShellFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginAfresh(); }
    void cleanup() { end(); }

    void aCardStaysWhereItWasPut() {
        drag(1, {-60, -90});
        click("closeDetail");
        const QPointF put = partOf(1);
        QCOMPARE(view()->places().keys(), QStringList{id(1)});
        QVERIFY(near(view()->places()[id(1)], put));
        // Through changes of the home, its own absence and a restart.
        const std::vector<DeviceInfo> all = m_home->list;
        m_home->set({all[0], all[2]});
        m_home->set(all);
        QVERIFY(near(partOf(1), put));
        restart();
        QTRY_VERIFY_WITH_TIMEOUT(near(partOf(1), put), patience);
        QCOMPARE(view()->places().keys(), QStringList{id(1)});
    }

    void aSmallerPictureShowsAllCards() {
        m_window->resize(1280, 800);
        drag(1, {300, 300});
        drag(2, {-300, 300});
        click("closeDetail");
        const QPointF put = partOf(1);
        settle();
        const QSize large = view()->size();
        m_window->resize(1024, 640);
        settle();
        QTRY_VERIFY_WITH_TIMEOUT(view()->width() < large.width() && view()->height() < large.height(), patience);
        for (int device = 0; device < 3; ++device)
            QVERIFY2(isInSight(device), qPrintable(where(device)));
        // A larger one has them again where they were.
        m_window->resize(1280, 800);
        QTRY_COMPARE_WITH_TIMEOUT(view()->size(), large, patience);
        QVERIFY(near(partOf(1), put));
    }

    void aCardIsNotDraggedOutOfThePicture_data() {
        QTest::addColumn<QPoint>("by");
        QTest::addColumn<QPointF>("place");
        QTest::newRow("to the right and down") << QPoint(4000, 4000) << QPointF(1, 1);
        QTest::newRow("to the left and up") << QPoint(-4000, -4000) << QPointF(0, 0);
    }
    void aCardIsNotDraggedOutOfThePicture() {
        QFETCH(QPoint, by);
        drag(0, by);
        QTEST(view()->places()[id(0)], "place");
        QVERIFY2(isInSight(0), qPrintable(where(0)));
    }

    void aHandThatTremblesMovesNothing() {
        const int little = QApplication::startDragDistance() - 1;
        drag(1, {little, 0});
        QVERIFY(find<QWidget>("deviceDetail")->isVisible());  // it was a click
        QVERIFY(view()->places().isEmpty());
        QVERIFY(!find<QPushButton>("homeArrange")->isVisible());
    }

    void whatWasDraggedIsPutBack() {
        // Of three, two lie side by side below this computer.
        const auto isInPlace = [this] { return near(partOf(1), {1 - partOf(2).x(), partOf(2).y()}); };
        QVERIFY(isInPlace());
        QVERIFY(!find<QPushButton>("homeArrange")->isVisible());
        drag(1, {-60, -90});
        click("closeDetail");
        QVERIFY(!isInPlace());
        QVERIFY(find<QPushButton>("homeArrange")->isVisible());
        click("homeArrange");
        QVERIFY(isInPlace());
        QVERIFY(view()->places().isEmpty());
        QVERIFY(!find<QPushButton>("homeArrange")->isVisible());
        restart();
        QVERIFY(view()->places().isEmpty());
    }

    void theListHasNothingToArrange() {
        drag(1, {-60, -90});
        click("showList");
        QVERIFY(!find<QPushButton>("homeArrange")->isVisible());
        click("showPicture");
        QVERIFY(find<QPushButton>("homeArrange")->isVisible());
        // Nor has a home without the device.
        m_home->set({m_home->list[0]});
        QVERIFY(!find<QPushButton>("homeArrange")->isVisible());
    }

    void theButtonFitsInASmallWindowAndInGerman() {
        end();
        m_language.reset();
        m_language = std::make_unique<Language>(QLocale(QLocale::German));
        begin();
        m_window->resize(1024, 640);
        drag(1, {-60, -90});
        QVERIFY(find<QPushButton>("homeArrange")->isVisible());
        const QStringList clipped = clippedTexts(*m_window);
        QCOMPARE(m_window->size(), QSize(1024, 640));
        speakEnglish();
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
    }

    void placesThatCannotBeUsedArePassedOver_data() {
        QTest::addColumn<QJsonValue>("place");
        QTest::newRow("none") << QJsonValue();
        QTest::newRow("a word") << QJsonValue(QStringLiteral("left"));
        QTest::newRow("one number") << QJsonValue(QJsonArray{0.5});
        QTest::newRow("words") << QJsonValue(QJsonArray{QStringLiteral("0.5"), QStringLiteral("0.5")});
        QTest::newRow("outside") << QJsonValue(QJsonArray{0.5, 1.5});
    }
    void placesThatCannotBeUsedArePassedOver() {
        QFETCH(QJsonValue, place);
        const QJsonObject places{{id(1), place}, {id(2), QJsonArray{0.5, 0.75}}};
        QVERIFY(m_window->close());
        m_settings->setValue(QStringLiteral("window/homePlaces"), QJsonDocument(places).toJson());
        end();
        begin();
        QCOMPARE(view()->places(), (QMap<QString, QPointF>{{id(2), {0.5, 0.75}}}));
    }

    void placesOfDevicesThatNeverComeBackAreNotKeptForEver() {
        QMap<QString, QPointF> places{{id(2), {0.5, 0.75}}};
        for (const DeviceInfo &gone : many(1000))
            places[gone.id] = QPointF(0.5, 0.5);
        view()->setPlaces(places);
        drag(1, {-60, -90});
        QCOMPARE(view()->places().size(), 2);
        QVERIFY(view()->places().contains(id(1)) && view()->places().contains(id(2)));
    }

    void arrowKeysBringEachDeviceIntoSight() {
        m_window->resize(1024, 640);
        m_home->set(many(20));
        QVERIFY(showActive(*m_window));
        view()->setFocus();
        for (int device = 0; device < 20; ++device) {
            QTest::keyClick(view(), Qt::Key_Right);
            QVERIFY(card(device)->isSelected());
            // Its details take room of the picture.
            settle();
            QVERIFY2(isInSight(device), qPrintable(where(device)));
        }
        QVERIFY2(!isInSight(0), qPrintable(where(0)));
        QTest::keyClick(view(), Qt::Key_Down);
        QVERIFY2(isInSight(0), qPrintable(where(0)));
        QTest::keyClick(view(), Qt::Key_Left);
        QVERIFY2(isInSight(19), qPrintable(where(19)));
    }

    void noCardCoversAnotherInANarrowPicture_data() {
        QTest::addColumn<int>("devices");
        for (const int devices : {2, 3, 4, 5, 8})
            QTest::addRow("%d devices", devices) << devices;
    }
    void noCardCoversAnotherInANarrowPicture() {
        QFETCH(int, devices);
        m_home->set(many(devices));
        settle();
        // As beside "Add a device" in the smallest window.
        view()->resize(485, 430);
        const auto placeOf = [this](int device) {
            QRectF place(0, 0, DeviceCard::width, DeviceCard::height);
            place.moveCenter(card(device)->pos());
            return place;
        };
        for (int device = 0; device < devices; ++device) {
            for (int other = 0; other < device; ++other)
                QVERIFY2(!placeOf(device).intersects(placeOf(other)), qPrintable(where(device)));
        }
    }

    void whereARingHasNoRoomCardsLieInRows() {
        m_home->set(many(5));
        settle();
        // The picture of three rows is high enough for a ring again.
        view()->resize(760, 340);
        const auto at = [this](int device) { return card(device)->pos(); };
        QCOMPARE(at(1).y(), at(0).y());
        QCOMPARE(at(3).y(), at(2).y());
        QVERIFY(at(0).x() < at(1).x());
        QVERIFY(at(0).y() < at(2).y() && at(2).y() < at(4).y());
    }

    void aCrowdBeginsWithThisComputer() {
        m_home->set(many(20));
        settle();
        QVERIFY2(isInSight(0), qPrintable(where(0)));
        QVERIFY2(!isInSight(19), qPrintable(where(19)));
    }

  private:
    HomeView *view() const { return find<HomeView>("homeView"); }
    QString id(int device) const { return m_home->list[static_cast<std::size_t>(device)].id; }
    DeviceCard *card(int device) const {
        for (QGraphicsItem *item : view()->scene()->items()) {
            auto *found = dynamic_cast<DeviceCard *>(item);
            if (found != nullptr && found->device().id == id(device))
                return found;
        }
        qFatal("device %d has no card", device);
    }
    std::vector<DeviceInfo> many(int count) const {
        std::vector<DeviceInfo> devices;
        for (int i = 0; i < count; ++i) {
            devices.push_back(m_home->list.front());
            devices.back().id = QStringLiteral("%1").arg(i, 64, 16, QLatin1Char('0'));
            devices.back().name = QStringLiteral("device-%1").arg(i);
            devices.back().self = i == 0;
        }
        return devices;
    }

    void drag(int device, const QPoint &by) const {
        QWidget *picture = view()->viewport();
        const QPoint from = view()->mapFromScene(card(device)->pos());
        QTest::mousePress(picture, Qt::LeftButton, {}, from);
        QTest::mouseMove(picture, from + by / 2);
        QTest::mouseMove(picture, from + by);
        QTest::mouseRelease(picture, Qt::LeftButton, {}, from + by);
    }
    /// Parts of the room that the middle of a card has.
    QPointF partOf(int device) const {
        const QRectF room = DeviceCard::roomIn(view()->scene()->sceneRect());
        const QPointF at = card(device)->pos() - room.topLeft();
        return {at.x() / room.width(), at.y() / room.height()};
    }
    static void settle() { QCoreApplication::sendPostedEvents(); }
    static bool near(const QPointF &a, const QPointF &b) { return (a - b).manhattanLength() < 1e-6; }
    QRect seenAt(int device) const { return view()->mapFromScene(card(device)->sceneBoundingRect()).boundingRect(); }
    bool isInSight(int device) const { return view()->viewport()->rect().contains(seenAt(device)); }
    QString where(int device) const {
        QString text;
        QDebug(&text) << seenAt(device) << "of" << view()->viewport()->rect();
        return text;
    }
};

QTEST_MAIN(HomePictureTest)
#include "home_picture_test.moc"
