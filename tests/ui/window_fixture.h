// The real window over a fake home, found by object names: what the tests of its pages share.
#pragma once

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

#include "tests/ui/run_fixture.h"
#include "ui/shell/main_window.h"
#include "ui/words/format.h"

namespace hearth {

/// With the devices of the recorded run. The slots of QTestLib (`init`, …) are the test's own and call these.
class WindowFixture : public RunFixture {
  protected:
    std::unique_ptr<FakeHomeSource> m_home;
    std::unique_ptr<FakeController> m_controller;
    std::unique_ptr<FakeQuestions> m_questions;
    std::unique_ptr<MainWindow> m_window;

    void makeWindow() {
        m_home = std::make_unique<FakeHomeSource>();
        m_home->list = RecordedRun::devices(m_events);
        m_controller = std::make_unique<FakeController>();
        m_questions = std::make_unique<FakeQuestions>();
        m_window = std::make_unique<MainWindow>(*m_home, *m_controller, *m_questions);
    }
    void showWindowOfOwnHome() {
        makeWindow();
        m_home->demo = false;
        Q_EMIT m_home->devicesChanged();
        m_window->show();
    }
    void endWindow() {
        m_window.reset();
        m_questions.reset();
        m_controller.reset();
        m_home.reset();
    }

    template <class Widget>
    Widget *find(const char *name) const {
        auto *widget = m_window->findChild<Widget *>(QLatin1String(name));
        if (widget == nullptr)
            qFatal("no widget is called %s", name);
        return widget;
    }
    void click(const char *name) const { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    void choose(const char *action) const { find<QAction>(action)->trigger(); }
    void goTo(const char *railButton) const { QTest::mouseClick(find<QToolButton>(railButton), Qt::LeftButton); }
    /// As a person reads it.
    QString text(const char *name) const { return find<QLabel>(name)->text().remove(zeroWidthSpace); }
    int place() const { return find<QStackedWidget>("pages")->currentIndex(); }
    /// Opens the recorded run and plays the events up to the first of `state`, or all.
    void play(const QString &untilState = {}) const {
        m_controller->open(QStringLiteral("run"));
        for (const RunEvent &one : m_events) {
            m_controller->send(one);
            const auto *state = std::get_if<event::State>(&one.body);
            if (state != nullptr && state->state == untilState)
                return;
        }
    }
};

}  // namespace hearth
