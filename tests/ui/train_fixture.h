// The Train page in the real window, with a clock of its own.
#pragma once

#include "tests/core/base/patience.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/widgets.h"
#include "ui/train/live_plot.h"
#include "ui/train/train_page.h"
#include "ui/train/train_plots.h"

namespace hearth {

/// The slots of QTestLib (`init`, …) are the test's own and call these.
class TrainFixture : public WindowFixture {
  protected:
    void beginPage() {
        makeWindow();
        m_now = 1000;
        find<TrainPage>("trainPage")->setClock([this] { return m_now; });
        m_window->show();
        goTo("railTrain");
    }
    /// A page that comes into sight is brought up to date at once.
    void playAll() const {
        play();
        goTo("railHome");
        goTo("railTrain");
    }
    QString subtitle() const { return plain(find<ElidedLabel>("trainPageSubtitle")->fullText()); }

    qint64 m_now = 0;  // milliseconds
};

}  // namespace hearth
