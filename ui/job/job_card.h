// One group of settings on the Job page.
#pragma once

#include <QFrame>

class QVBoxLayout;

namespace hearth {

/// A card with a heading. GUI thread.
class JobCard : public QFrame {
    Q_OBJECT
  public:
    explicit JobCard(const QString &heading, QWidget *parent = nullptr);
    /// Under the heading.
    QVBoxLayout *body() const { return m_body; }

  private:
    QVBoxLayout *m_body;
};

}  // namespace hearth
