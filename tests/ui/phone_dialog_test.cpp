// "Show on phone": the button on Train, the dialog with the code, and how the showing ends.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>

#include "tests/core/base/patience.h"
#include "tests/ui/clipped_texts.h"
#include "tests/ui/train_fixture.h"
#include "ui/base/theme.h"
#include "ui/phone/phone_page.h"
#include "ui/phone/qr_code.h"

using namespace hearth;

class PhoneDialogTest : public TrainFixture {
    Q_OBJECT

    QList<QHostAddress> m_hosts;

    PhonePage &page() const { return *m_window->findChild<PhonePage *>(); }
    void beginAt(const char *host) {
        m_hosts = {QHostAddress(QLatin1String(host))};
        beginPage();
        page().setHosts([this] { return m_hosts; });
    }
    QDialog *open() const {
        click("trainPhone");
        return find<QDialog>("phoneDialog");
    }
    QDialog *dialog() const { return m_window->findChild<QDialog *>(QStringLiteral("phoneDialog")); }
    /// It is taken apart in the event loop.
    void waitForTheEnd() const { QTRY_VERIFY_WITH_TIMEOUT(dialog() == nullptr, patience); }
    QString address() const { return find<QLineEdit>("phoneAddress")->text(); }
    QString button() const { return find<QPushButton>("trainPhone")->text(); }

  private Q_SLOTS:
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        speakEnglish();
        beginAt("127.0.0.1");
    }
    void cleanup() {
        endWindow();
        ThemeManager::instance().setChoice(ThemeChoice::System);
    }

    void nothingIsShownUntilSomebodyWantsIt() {
        QVERIFY(!page().isShown());
        QCOMPARE(button(), QStringLiteral("Show on phone …"));
        const QDialog *shown = open();
        QVERIFY(shown->isVisible());
        QVERIFY(page().isShown());
        QCOMPARE(QStringList{address()}, page().addresses());
        QVERIFY(text("phoneFirewall").contains(QString::number(page().port())));
        click("phoneClose");
    }

    void itGoesOnBehindTheDialog() {
        open();
        const QString before = address();
        click("phoneClose");
        waitForTheEnd();
        QVERIFY(page().isShown());
        QCOMPARE(button(), QStringLiteral("Shown on phone"));
        open();
        QCOMPARE(address(), before);
        click("phoneClose");
    }

    void itStopsForGood() {
        open();
        const QString before = address();
        click("phoneStop");
        waitForTheEnd();
        QVERIFY(!page().isShown());
        QCOMPARE(button(), QStringLiteral("Show on phone …"));
        open();
        QVERIFY(address() != before);
        click("phoneClose");
    }

    void itEndsWithTheWindow() {
        open();
        click("phoneClose");
        waitForTheEnd();
        QVERIFY(m_window->close());
        QVERIFY(!page().isShown());
    }

    void itEndsWithTheDemo() {
        open();
        m_home->leaveDemo();
        waitForTheEnd();
        QVERIFY(!page().isShown());
        QCOMPARE(button(), QStringLiteral("Show on phone …"));
    }

    void theAddressIsCopied() {
        open();
        click("phoneCopy");
        QCOMPARE(QApplication::clipboard()->text(), address());
        click("phoneClose");
    }

    void ofSeveralNetworksOneIsChosen() {
        m_hosts << QHostAddress(QStringLiteral("192.168.1.7"));
        open();
        auto *network = find<QComboBox>("phoneNetwork");
        QVERIFY(network->isVisible());
        QCOMPARE(network->count(), 2);
        const QString first = address();
        network->setFocus();
        QTest::keyClick(network, Qt::Key_Down);
        QVERIFY(address().startsWith(QLatin1String("http://192.168.1.7:")));
        QVERIFY(address() != first);
        QVERIFY(find<QrCode>("phoneCode")->accessibleName().contains(address()));
        click("phoneClose");
    }

    void ofOneNetworkNoneIsChosen() {
        open();
        QVERIFY(!find<QComboBox>("phoneNetwork")->isVisible());
        click("phoneClose");
    }

    void withoutANetworkTheWindowSaysWhatToDo() {
        m_hosts.clear();
        click("trainPhone");
        QVERIFY(dialog() == nullptr);
        QVERIFY(!page().isShown());
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QVERIFY(text("errorWhat").contains(QLatin1String("phone")));
    }

    void aNetworkThatIsLeftDoesNotKeepItFromStopping() {
        open();
        click("phoneClose");
        waitForTheEnd();
        m_hosts.clear();
        open();
        QVERIFY(text("phoneHow").startsWith(QLatin1String("This computer has left its network.")));
        click("phoneStop");
        waitForTheEnd();
        QVERIFY(!page().isShown());
    }

    void allOfItIsReachedByKeyboard() {
        QDialog *shown = open();
        QVERIFY(shown->focusWidget() == find<QPushButton>("phoneClose"));
        QStringList reached;
        for (int i = 0; i < 10 && !reached.contains(QLatin1String("phoneClose")); ++i) {
            QTest::keyClick(shown, Qt::Key_Tab);
            reached << shown->focusWidget()->objectName();
        }
        for (const char *name : {"phoneAddress", "phoneCopy", "phoneStop", "phoneClose"})
            QVERIFY2(reached.contains(QLatin1String(name)), name);
        QTest::keyClick(shown, Qt::Key_Escape);
        waitForTheEnd();
        QVERIFY(page().isShown());
    }

    void itFitsAtTheSmallestSize_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << "en";
        QTest::newRow("German") << "de";
    }
    void itFitsAtTheSmallestSize() {
        QFETCH(QString, language);
        endWindow();
        m_language = std::make_unique<Language>(QLocale(language));
        beginAt("2001:db8:1234:5678:9abc:def0:1234:5678");
        m_hosts << QHostAddress(QStringLiteral("2001:db8:1234:5678:9abc:def0:1234:9999"));
        m_window->resize(1024, 640);
        play(QStringLiteral("training"));
        const QDialog *shown = open();
        QTRY_COMPARE_WITH_TIMEOUT(clippedTexts(*shown), QStringList(), patience);
        QVERIFY2(shown->width() <= 1024 && shown->height() <= 640,
                 qPrintable(QStringLiteral("%1x%2").arg(shown->width()).arg(shown->height())));
        click("phoneClose");
        waitForTheEnd();
        QTRY_COMPARE_WITH_TIMEOUT(clippedTexts(*m_window), QStringList(), patience);
    }

    void theCodeIsBlackOnWhiteInBothThemes_data() {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << static_cast<int>(ThemeChoice::Light);
        QTest::newRow("dark") << static_cast<int>(ThemeChoice::Dark);
    }
    void theCodeIsBlackOnWhiteInBothThemes() {
        QFETCH(int, theme);
        ThemeManager::instance().setChoice(static_cast<ThemeChoice>(theme));
        open();
        auto *code = find<QrCode>("phoneCode");
        const QrMatrix &matrix = code->matrix();
        QVERIFY(matrix.width >= 21);
        const QImage image = code->grab().toImage();
        const qreal ratio = image.devicePixelRatio();
        for (int y = -QrCode::quietZone; y < matrix.width + QrCode::quietZone; ++y) {
            for (int x = -QrCode::quietZone; x < matrix.width + QrCode::quietZone; ++x) {
                const bool inside = x >= 0 && y >= 0 && x < matrix.width && y < matrix.width;
                const QPoint middle = code->moduleRect(x, y).center() * ratio;
                QVERIFY(code->rect().contains(code->moduleRect(x, y)));
                QCOMPARE(image.pixelColor(middle), QColor(inside && matrix.isDark(x, y) ? Qt::black : Qt::white));
            }
        }
        click("phoneClose");
    }

    void aCodeHasItsThreeEyes() {
        const QrMatrix matrix = QrMatrix::of(QStringLiteral("http://192.168.178.23:47590/AAAAAAAAAAAAAAAAAAAAAA/"));
        QCOMPARE((matrix.width - 17) % 4, 0);
        const auto isEye = [&matrix](int left, int top) {
            for (int y = 0; y < 7; ++y) {
                for (int x = 0; x < 7; ++x) {
                    const int ring = std::max(std::abs(x - 3), std::abs(y - 3));
                    if (matrix.isDark(left + x, top + y) != (ring != 2))
                        return false;
                }
            }
            return true;
        };
        QVERIFY(isEye(0, 0));
        QVERIFY(isEye(matrix.width - 7, 0));
        QVERIFY(isEye(0, matrix.width - 7));
        QVERIFY(!isEye(matrix.width - 7, matrix.width - 7));
    }
};

QTEST_MAIN(PhoneDialogTest)
#include "phone_dialog_test.moc"
