// What a person may rely on anywhere: nothing moves under the pointer, the focus is seen, lists show their entries.
#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>

#include "core/plan/steps.h"
#include "tests/core/base/patience.h"
#include "tests/core/plan/hand_problem.h"
#include "tests/ui/clipped_texts.h"
#include "tests/ui/plan_page_fixture.h"
#include "ui/base/notice_bar.h"
#include "ui/history/confusion_matrix.h"
#include "ui/home/assistant_dialog.h"
#include "ui/home/install_list.h"
#include "ui/plan/plan_draft.h"
#include "ui/plan/round_chart.h"
#include "ui/train/train_devices.h"

using namespace hearth;

class MannersTest : public PlanPageFixture {
    Q_OBJECT

    /// Where all that is seen of a page stands, by its address: names are not unique.
    static QMap<const QWidget *, QRect> places(const QWidget *page) {
        QTest::qWait(0);
        QMap<const QWidget *, QRect> all;
        for (const QWidget *widget : page->findChildren<QWidget *>()) {
            // What lies over the page may come.
            if (widget->isVisible() && widget->objectName() != QLatin1String("floatStack"))
                all[widget] = QRect(widget->mapTo(page, QPoint()), widget->size());
        }
        return all;
    }
    /// What stands elsewhere, of all that is there before and after.
    static QString moved(const QMap<const QWidget *, QRect> &before, const QMap<const QWidget *, QRect> &after) {
        for (auto one = before.cbegin(); one != before.cend(); ++one) {
            if (after.contains(one.key()) && after[one.key()] != *one)
                return describe(one.key());
        }
        return {};
    }
    QWidget *page() const { return find<QStackedWidget>("pages")->currentWidget(); }
    /// places() of the page once nothing moves any more.
    QMap<const QWidget *, QRect> settledPlaces() const {
        constexpr int looks = 20;  // ten milliseconds apart; plots are drawn every fifty
        QMap<const QWidget *, QRect> last;
        int same = 0;
        const auto hasSettled = [&] {
            const auto current = places(page());
            same = current == last ? same + 1 : 0;
            last = current;
            // The list of runs is read in a thread.
            return same >= looks && (place() != HistoryPlace || m_controller->past.isKnown());
        };
        if (!QTest::qWaitFor(hasSettled, patience))
            qFatal("%s does not come to rest", qPrintable(page()->objectName()));
        return last;
    }
    /// What is read and computed in the background has come.
    void settleJob() {
        QTRY_VERIFY_WITH_TIMEOUT(text("trainedNote").startsWith(QLatin1String("Weights")) &&
                                     text("modelFacts").contains(QLatin1String("layers")) &&
                                     text("jobDataNote").contains(QLatin1String("pictures to train")),
                                 patience);
        QTest::qWait(0);
    }
    static QImage inked(QWidget *button) {
        QImage image = button->grab().toImage().convertToFormat(QImage::Format_Grayscale8);
        const int paper = qGray(image.pixel(2, 2));
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const int ink = std::abs(qGray(image.pixel(x, y)) - paper) > 24 ? 0 : 255;
                image.setPixel(x, y, qRgb(ink, ink, ink));
            }
        }
        return image;
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        makeWindow();
        m_window->resize(1024, 640);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanup() { endWindow(); }

    void anErrorMovesNothing_data() {
        QTest::addColumn<int>("place");
        const QStringList names{QStringLiteral("Home"), QStringLiteral("Job"), QStringLiteral("Plan"),
                                QStringLiteral("Train"), QStringLiteral("History")};
        for (int place = HomePlace; place <= HistoryPlace; ++place)
            QTest::newRow(qPrintable(names[place])) << place;
    }
    void anErrorMovesNothing() {
        QFETCH(int, place);
        play(QStringLiteral("training"));
        m_window->showPlace(place);
        if (place == JobPlace)
            settleJob();
        const auto before = settledPlaces();
        Q_EMIT m_controller->failed({QStringLiteral("run.test"), QStringLiteral("The run could not start."),
                                     QStringLiteral("Memory is short."), QStringLiteral("Close something.")});
        const auto *panel = find<QWidget>("errorPanel");
        QTRY_VERIFY_WITH_TIMEOUT(panel->isVisible() && panel->height() > 0 && panel->width() == page()->width(),
                                 patience);
        const auto after = places(page());
        QCOMPARE(moved(before, after), QString());
        const QStringList clipped = clippedTexts(*panel);
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
        m_window->resize(1200, 700);
        QTRY_COMPARE_WITH_TIMEOUT(panel->mapTo(m_window.get(), QPoint(0, panel->height())).y(),
                                  page()->mapTo(m_window.get(), QPoint(0, page()->height())).y(), patience);
        m_window->showPlace((place + 1) % 5);
        QVERIFY2(panel->visibleRegion().contains(panel->rect().center()), "another page lies over it");
    }

    void aNoticeOfHistoryMovesNothing() {
        m_window->showPlace(HistoryPlace);
        const auto before = settledPlaces();
        auto *notice = m_window->findChild<NoticeBar *>(QStringLiteral("historyNotice"));
        notice->say(QStringLiteral("The rounds are in /home/somebody/rounds.csv."));
        const auto after = places(page());
        QVERIFY(notice->isVisible());
        QCOMPARE(moved(before, after), QString());
    }

    void aNoticeOfTheWindowKeepsAwayFromItsEdges() {
        const auto *messages = find<QWidget>("floatStack");
        QCOMPARE(messages->height(), 0);
        auto *notice = m_window->findChild<NoticeBar *>(QStringLiteral("windowNotice"));
        notice->say(QStringLiteral("The support bundle is in /home/somebody/hearth-support.zip."));
        QTRY_VERIFY_WITH_TIMEOUT(messages->height() > 0 && messages->height() == notice->height(), patience);
        const QRect shown = notice->contentsRect();
        QVERIFY(shown.left() >= 24 && notice->width() - shown.right() > 24 && notice->height() - shown.bottom() > 16);
        notice->findChild<QPushButton *>(QStringLiteral("windowNoticeButton"))->click();
        QTRY_COMPARE_WITH_TIMEOUT(messages->height(), 0, patience);
    }

    void aReasonMovesNoField() {
        m_window->showPlace(JobPlace);
        const auto *below = find<QLineEdit>("jobWeightDecay");
        const auto *scrolled = find<QWidget>("jobScroll");
        settleJob();
        const QPoint before = below->mapTo(scrolled, QPoint());
        find<QLineEdit>("jobLearningRate")->setText(QStringLiteral("-1"));
        find<QLineEdit>("jobMomentum")->setText(QStringLiteral("much"));
        QVERIFY(!text("jobLearningRateReason").isEmpty() && !text("jobMomentumReason").isEmpty());
        QTest::qWait(0);
        QCOMPARE(below->mapTo(scrolled, QPoint()), before);
    }

    void theFocusIsSeenOnAWrongField() {
        m_window->showPlace(JobPlace);
        auto *field = find<QLineEdit>("jobLearningRate");
        field->setText(QStringLiteral("-1"));
        QVERIFY(showActive(*m_window));
        const QColor focus = ThemeManager::instance().theme().focus;
        const auto edge = [field] { return field->grab().toImage().pixelColor(field->width() / 2, 0); };
        find<QLineEdit>("jobMomentum")->setFocus();
        QVERIFY(edge() != focus);
        field->setFocus();
        QCOMPARE(edge(), focus);
    }

    void returnPressesTheButtonThatHasTheFocus() {
        QVERIFY(showActive(*m_window));
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space}) {
            Q_EMIT m_controller->failed({QStringLiteral("x"), QStringLiteral("Something failed."), {}, {}});
            find<QPushButton>("closeError")->setFocus(Qt::TabFocusReason);
            QTest::keyClick(find<QPushButton>("closeError"), key);
            QVERIFY2(!find<QWidget>("errorPanel")->isVisible(), qPrintable(QString::number(key)));
        }
    }

    void theFocusIsSeenOnPlots() {
        play();
        m_window->showPlace(TrainPlace);
        QVERIFY(showActive(*m_window));
        const QColor focus = ThemeManager::instance().theme().focus;
        int plots = 0;
        for (QWidget *widget : page()->findChildren<QWidget *>()) {
            if (!widget->isVisible() || !widget->inherits("QCustomPlot"))
                continue;
            ++plots;
            const auto edge = [widget] { return widget->grab().toImage().pixelColor(widget->width() / 2, 0); };
            QVERIFY(edge() != focus);
            widget->setFocus(Qt::TabFocusReason);
            QCOMPARE(edge(), focus);
        }
        QVERIFY(plots > 2);
    }

    void theFocusIsSeenWhereKeysScrollOrChoose() {
        AssistantDialog assistant(*m_home);
        InstallList steps;
        ConfusionMatrix matrix;
        const QColor focus = ThemeManager::instance().theme().focus;
        const std::pair<QWidget *, QWidget *> all[] = {
            {&assistant, assistant.findChild<QWidget *>(QStringLiteral("assistantScroll"))},
            {&steps, &steps},
            {&matrix, &matrix}};
        for (const auto &[window, widget] : all) {
            QVERIFY(showActive(*window));
            const auto edge = [widget = widget] { return widget->grab().toImage().pixelColor(widget->width() / 2, 0); };
            widget->clearFocus();
            QVERIFY(edge() != focus);
            widget->setFocus(Qt::TabFocusReason);
            QCOMPARE(edge(), focus);
        }
    }

    void lockedAndUnlockedDifferInShape() {
        endWindow();
        openPlanPage();
        auto *lock = page()->findChild<QPushButton *>(
            QStringLiteral("lock-") +
            m_window->run().devices().name(m_window->run().plan()->stages[0].shares[0].device));
        QVERIFY(lock);
        const QImage open = inked(lock);
        lock->click();
        QVERIFY(lock->isChecked());
        QVERIFY(inked(lock) != open);
    }

    void theNameOfALaneIsReadWhole() {
        endWindow();
        openPlanPage();
        const auto *chart = find<RoundChart>("roundChart");
        QTRY_VERIFY_WITH_TIMEOUT(!chart->laneNames().isEmpty(), patience);
        QStringList read{QString()};
        for (int y = 0; y < chart->sizeHint().height(); ++y) {
            if (const QString text = chart->toolTipAt({chart->width() / 16, y}); text != read.last())
                read << text;
        }
        QCOMPARE(read, QStringList{QString()} + chart->laneNames() + QStringList{QString()});
    }

    void aBarOfADeviceWithSeveralStagesTellsStageAndMicroBatch() {
        PlanningProblem problem = test::byHand(4, {1, 1}, 2);
        problem.microBatch = 1;
        problem.links.fallback = LinkProfile::Link{1, 0, Duplex::Full};
        Placement placement{1, Schedule::OneForwardOneBackward, {}};
        for (int s = 0; s < 4; ++s)
            placement.stages.push_back({s, s + 1, {{s % 2, 1}}, 2});
        PlanDraft draft;
        QWidget parent;
        RoundChart chart(draft, &parent);
        chart.resize(2000, 400);
        draft.begin(problem, planOf(problem, QStringLiteral("test"), placement));
        chart.refresh();
        QSet<QString> numbers, hints;
        for (int y = 0; y < chart.height(); y += 4) {
            for (int x = 0; x < chart.width(); x += 4) {
                numbers << chart.numberAt({x, y});
                hints << chart.toolTipAt({x, y}).section(QLatin1Char(':'), 0, 0);
            }
        }
        QSet<QString> expected{QString()};
        for (int stage = 1; stage <= 4; ++stage)
            expected << QStringLiteral("%1.1").arg(stage) << QStringLiteral("%1.2").arg(stage);
        QCOMPARE(numbers, expected);
        QVERIFY(hints.contains(QStringLiteral("Stage 3, forward of micro-batch 2")));
        QVERIFY(hints.contains(QStringLiteral("Transfer of micro-batch 2 between stages 2 and 3")));
    }

    void whyAPlannerHasNoPlanIsReadWhole() {
        endWindow();
        openPlanPage();
        click("planCompare");
        const QAbstractItemModel *planners = find<QTableView>("plannerTable")->model();
        QTRY_VERIFY_WITH_TIMEOUT(planners->rowCount() > 0, patience);
        for (int row = 0; row < planners->rowCount(); ++row) {
            for (int column = 0; column < planners->columnCount(); ++column) {
                const QModelIndex cell = planners->index(row, column);
                QVERIFY(cell.data(Qt::ToolTipRole).toString().startsWith(cell.data().toString()));
            }
        }
    }

    void dropDownListsShowEveryEntry() {
        play();
        int lists = 0;
        for (int place = HomePlace; place <= HistoryPlace; ++place) {
            m_window->showPlace(place);
            for (auto *box : page()->findChildren<QComboBox *>()) {
                if (!box->isVisible() || box->count() == 0)
                    continue;
                ++lists;
                box->showPopup();
                QAbstractItemView *view = box->view();
                QTRY_VERIFY_WITH_TIMEOUT(view->isVisible(), patience);
                view->setFocus();
                QTest::qWait(0);
                const QString name = box->objectName();
                QVERIFY2(view->verticalScrollBar()->maximum() == 0, qPrintable(name));
                QVERIFY2(view->horizontalScrollBar()->maximum() == 0, qPrintable(name));
                for (int row = 0; row < box->count(); ++row) {
                    const QRect entry = view->visualRect(box->model()->index(row, box->modelColumn()));
                    QVERIFY2(entry.top() >= 0 && entry.bottom() < view->viewport()->height(), qPrintable(name));
                    QVERIFY2(view->sizeHintForColumn(0) <= view->viewport()->width(), qPrintable(name));
                }
                box->hidePopup();
            }
        }
        QVERIFY(lists >= 4);
    }

    void aStripOfManyDevicesShowsTheirStates() {
        m_window->showPlace(TrainPlace);
        play(QStringLiteral("training"));
        std::vector<DeviceInfo> many = m_home->list;
        for (int extra = 0; extra < 4; ++extra) {
            many.push_back(many.back());
            many.back().id[0] = QChar(u'0' + extra);
            many.back().name = QStringLiteral("another-%1").arg(extra);
            many.back().self = false;
        }
        m_home->set(many);
        click("trainShowDevices");
        auto *strip = m_window->findChild<TrainDevices *>();
        QTRY_VERIFY_WITH_TIMEOUT(strip->horizontalScrollBar()->maximum() > 0, patience);
        QTest::qWait(0);
        QVERIFY2(strip->widget()->height() <= strip->viewport()->height() &&
                     strip->viewport()->height() >= strip->widget()->minimumSizeHint().height(),
                 qPrintable(QStringLiteral("%1 of %2")
                                .arg(strip->viewport()->height())
                                .arg(strip->widget()->minimumSizeHint().height())));
    }
};

QTEST_MAIN(MannersTest)
#include "manners_test.moc"
