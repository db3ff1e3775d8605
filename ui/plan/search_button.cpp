#include "ui/plan/search_button.h"

#include "ui/base/widgets.h"

namespace hearth {

SearchButton::SearchButton(QPushButton *button, const QString &icon) : m_button(button), m_icon(icon) {
    connect(button, &QPushButton::clicked, this, [this] {
        if (!isRunning()) {
            Q_EMIT wanted();
            return;
        }
        cancel();
        Q_EMIT cancelled();
    });
    if (!m_icon.isEmpty())
        setThemedIcon(m_button, m_icon, &Theme::text);
}

ElidedLabel *SearchButton::makeWords(const QString &progress) {
    m_progress = progress;
    m_words = new ElidedLabel;
    m_words->setObjectName(m_button->objectName() + QStringLiteral("Words"));
    m_words->setProperty("role", QStringLiteral("secondary"));
    return m_words;
}

void SearchButton::start(PlanningProblem problem, BackgroundPlan::Search search,
                         std::function<void(const Result<Plan> &)> done) {
    m_search.start(std::move(problem), std::move(search), [this, done = std::move(done)](const Result<Plan> &found) {
        refresh();
        done(found);
    });
    refresh();
}

void SearchButton::cancel() {
    m_search.cancel();
    refresh();
}

void SearchButton::refresh() {
    if (m_cancels == isRunning())
        return;
    m_cancels = isRunning();
    if (m_cancels) {
        m_text = m_button->text();
        m_tip = m_button->toolTip();
        m_accessibleName = m_button->accessibleName();
    }
    // Whatever stands beside it does not move.
    m_button->setMinimumWidth(m_cancels ? m_button->width() : 0);
    m_button->setText(m_cancels ? tr("Cancel") : m_text);
    m_button->setToolTip(m_cancels ? QString() : m_tip);
    m_button->setAccessibleName(m_cancels ? QString() : m_accessibleName);
    if (!m_icon.isEmpty())
        setThemedIcon(m_button, m_cancels ? QStringLiteral("close") : m_icon, &Theme::text);
    if (m_words != nullptr)
        m_words->setFullText(m_cancels ? m_progress : QString());
}

}  // namespace hearth
