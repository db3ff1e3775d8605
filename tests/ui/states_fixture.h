// The states that a page can be in: each row of a test puts the real window into one and names what must be seen then.
#pragma once

#include <QAbstractItemView>
#include <QLineEdit>
#include <QMap>
#include <functional>

#include "tests/core/base/patience.h"
#include "tests/ui/clipped_texts.h"
#include "tests/ui/window_fixture.h"

namespace hearth {

/// By object names.
struct Seen {
    QList<std::pair<QString, QString>> texts;  // a part of what a widget that is seen says; of a table all of its cells
    QStringList enabled;                       // buttons that can be pressed,
    QMap<QString, QString> disabled;           // that cannot, with a part of the reason in the tool tip,
    QStringList hidden;                        // and widgets that are not seen
};
using Enter = std::function<void()>;

}  // namespace hearth

Q_DECLARE_METATYPE(hearth::Seen)
Q_DECLARE_METATYPE(hearth::Enter)

namespace hearth {

/// At the smallest size, in English and in the longer language. A test of it names its states, and inherits the slots.
class StatesFixture : public WindowFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        speakEnglish();
        QCoreApplication::setApplicationVersion(QStringLiteral("0.1.0"));  // as the devices of FakeHome
    }
    void cleanupTestCase() { m_language.reset(); }
    void cleanup() { endWindow(); }

    void whatIsSeenOfIt_data() {
        QTest::addColumn<Enter>("enter");
        QTest::addColumn<Seen>("seen");
        addStates();
    }
    void whatIsSeenOfIt() {
        QFETCH(Enter, enter);
        QFETCH(Seen, seen);
        openWindow();
        enter();
        for (const auto &[name, text] : seen.texts) {
            QTRY_VERIFY2_WITH_TIMEOUT(isSeen(name), qPrintable(name), patience);
            QTRY_VERIFY2_WITH_TIMEOUT(textOf(name).contains(text),
                                      qPrintable(QStringLiteral("%1 says \"%2\"").arg(name, textOf(name))), patience);
        }
        for (const QString &name : seen.enabled)
            QVERIFY2(isSeen(name) && widget(name)->isEnabled(), qPrintable(name));
        for (auto it = seen.disabled.cbegin(); it != seen.disabled.cend(); ++it) {
            QVERIFY2(isSeen(it.key()) && !widget(it.key())->isEnabled(), qPrintable(it.key()));
            QVERIFY2(plain(widget(it.key())->toolTip()).contains(it.value()),
                     qPrintable(it.key() + QLatin1String(": ") + widget(it.key())->toolTip()));
        }
        for (const QString &name : seen.hidden)
            QVERIFY2(!isSeen(name), qPrintable(name));
        checkRoom();
    }
    void itHasRoomInGerman_data() { whatIsSeenOfIt_data(); }
    void itHasRoomInGerman() {
        QFETCH(Enter, enter);
        m_language.reset();
        m_language = std::make_unique<Language>(QLocale(QLocale::German));
        openWindow();
        enter();
        checkRoom();
        endWindow();
        m_language.reset();
        speakEnglish();
    }

  protected:
    virtual void addStates() = 0;
    static void addState(const char *name, const Enter &enter, const Seen &seen) {
        QTest::newRow(name) << enter << seen;
    }
    void checkRoom() const {
        // What is read beside the event loop is still being laid out.
        QTRY_VERIFY2_WITH_TIMEOUT(clippedTexts(*m_window).isEmpty(),
                                  qPrintable(clippedTexts(*m_window).join(QLatin1Char('\n'))), patience);
        QCOMPARE(m_window->size(), QSize(1024, 640));
    }

    /// Of a home of three devices that are ready, where nothing trains.
    virtual void openWindow() {
        makeWindow();
        m_home->demo = false;
        for (DeviceInfo &device : m_home->list)
            device.state = DeviceState::Ready;
        Q_EMIT m_home->demoChanged();
        Q_EMIT m_home->devicesChanged();
        m_window->resize(1024, 640);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void tell() const { Q_EMIT m_home->devicesChanged(); }
    DeviceInfo &device(int number) const { return m_home->list[static_cast<std::size_t>(number - 1)]; }
    QString id(int number) const { return device(number).id; }
    /// With a number of its own, behind all of the recorded run.
    void send(const RunEventBody &body, double t = 30) const { m_controller->send({++m_seq, t, body, {}}); }
    void enterState(const char *state) const { send(event::State{QString::fromLatin1(state)}); }

    static QString textsIn(const QWidget &widget) {
        QStringList texts;
        for (const QLabel *label : widget.findChildren<QLabel *>()) {
            const auto *elided = qobject_cast<const ElidedLabel *>(label);
            if (label->isVisible())
                texts << (elided != nullptr ? elided->fullText() : label->text());
        }
        return texts.join(QLatin1Char('\n'));
    }

  private:
    QWidget *widget(const QString &name) const { return m_window->findChild<QWidget *>(name); }
    bool isSeen(const QString &name) const { return widget(name) != nullptr && widget(name)->isVisible(); }
    QString textOf(const QString &name) const {
        QString text;
        if (const auto *elided = qobject_cast<ElidedLabel *>(widget(name)))
            text = elided->fullText();
        else if (const auto *label = qobject_cast<QLabel *>(widget(name)))
            text = label->text();
        else if (const auto *button = qobject_cast<QAbstractButton *>(widget(name)))
            text = button->text();
        else if (const auto *edit = qobject_cast<QLineEdit *>(widget(name)))
            text = edit->text();
        else if (const auto *figure = qobject_cast<Figure *>(widget(name)))
            text = figure->value();
        else if (const auto *view = qobject_cast<QAbstractItemView *>(widget(name)))
            text = cellsOf(*view->model());
        else if (widget(name) != nullptr)
            text = textsIn(*widget(name));
        return plain(text.remove(zeroWidthSpace));
    }
    static QString cellsOf(const QAbstractItemModel &model) {
        QStringList cells;
        for (int row = 0; row < model.rowCount(); ++row) {
            for (int column = 0; column < model.columnCount(); ++column)
                cells << model.index(row, column).data().toString();
        }
        return cells.join(QLatin1Char('\n'));
    }
    mutable quint64 m_seq = 100'000;
};

}  // namespace hearth
