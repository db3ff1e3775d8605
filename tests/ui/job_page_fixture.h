// The Job page of the real window over a fake home: what the tests of its parts share.
#pragma once

#include <QDir>
#include <QImage>
#include <QLineEdit>
#include <QTemporaryDir>

#include "core/profile/model_profile.h"
#include "tests/core/base/patience.h"
#include "tests/ui/window_fixture.h"
#include "ui/job/job_draft.h"

namespace hearth {

class JobPageFixture : public WindowFixture {
  protected:
    static constexpr int holidayPictures = 30;
    std::unique_ptr<QTemporaryDir> m_folder;  // of one test function

    /// What gets a name gets it in a folder of this test alone.
    void beginTests() {
        speakEnglish();
        QVERIFY(m_userHome.isValid());
        qputenv("XDG_DATA_HOME", m_userHome.path().toLocal8Bit());
    }
    void openJobPage() {
        m_folder = std::make_unique<QTemporaryDir>();
        makeWindow();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        goTo("railJob");
    }
    const Job &job() const { return m_window->jobDraft().job(); }
    QString chosen() const { return job().model; }
    /// As the controller is told; the default one where the page refuses.
    Job started() const {
        m_controller->started.reset();
        goTo("railJob");
        click("jobStart");
        return m_controller->started.value_or(Job());
    }
    void type(const char *field, const QString &value) const { find<QLineEdit>(field)->setText(value); }
    void enter(const char *line, const QString &value) const {
        type(line, value);
        Q_EMIT find<QLineEdit>(line)->editingFinished();
    }
    QString number(const char *what, const QString &model) const {
        return text(qPrintable(QLatin1String(what) + model));
    }
    QString write(const QString &name, const QByteArray &content) const {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write");
        return file.fileName();
    }

    /// "holiday", a folder of pictures of two classes.
    void makeHoliday() const {
        for (int i = 0; i < holidayPictures; ++i) {
            const QString kind = i % 2 == 0 ? QStringLiteral("sea") : QStringLiteral("hills");
            QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("holiday/") + kind));
            QImage picture(40 + i, 30, QImage::Format_RGB32);
            picture.fill(QColor(i * 8, 100, 200 - i));
            QVERIFY(picture.save(m_folder->filePath(QStringLiteral("holiday/%1/%2.png").arg(kind).arg(i))));
        }
    }

    /// As this computer may have measured it.
    ModelProfile profileOf(const Model &model) const {
        ModelProfile profile;
        profile.device = m_home->list.front().id;
        profile.model = model.name;
        profile.modelSha256 = QString::fromLatin1(model.sha256());
        profile.library = QStringLiteral("libtorch 1.13.1");
        profile.precision = QStringLiteral("float32");
        profile.threads = m_home->list.front().threads;
        profile.times.batch = {1, 128};
        for (const Layer &layer : model.layers) {
            LayerFacts facts;
            facts.name = layer.name;
            facts.outputBytes = facts.gradientBytes = facts.savedBytes = 4096;
            facts.parameterBytes = facts.trainableBytes = 1 << 20;
            profile.layers.push_back(facts);
            profile.times.forward.push_back({0.001, 0.1});
            profile.times.backward.push_back({0.002, 0.1});
        }
        return profile;
    }

  private:
    QTemporaryDir m_userHome;
};

}  // namespace hearth
