// What all five places have in common: a title line with one primary action, and a reason when there is nothing to see.
#pragma once

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QWidget>

namespace hearth {

class ElidedLabel;
class FloatStack;

/// A title with a sentence under it, actions on the right, and below either the content or an empty state that says
/// what is missing and leads there.
class Page : public QWidget {
    Q_OBJECT
  public:
    /// `objectName` is "homePage" and so on; its parts are named after it.
    Page(const QString &objectName, const QString &title, QWidget *parent = nullptr);

    void setSubtitle(const QString &text);
    QString subtitle() const;

  Q_SIGNALS:
    /// A link of this page asks for another place (index of the rail).
    void placeWanted(int place);

  protected:
    /// The one primary action, rightmost.
    QPushButton *makePrimary(const QString &objectName, const QString &text);
    /// To the left of the primary action, left to right in order of adding.
    void addAction(QWidget *widget);
    void setContent(QWidget *content);
    /// A message that comes and goes over the lower edge of the content.
    void addFloating(QWidget *panel);
    /// `link` leads to `place`; with -1 its button, which is returned, leads where the caller connects it to. Null
    /// without a link.
    QPushButton *setEmptyState(const QString &iconName, const QString &heading, const QString &text,
                               const QString &link, int place);
    /// Something else is missing now than was said with `setEmptyState`.
    void setEmptyText(const QString &heading, const QString &text);
    void showEmpty(bool empty);

  private:
    QLabel *m_title;
    ElidedLabel *m_subtitle;
    QHBoxLayout *m_actions;
    QStackedWidget *m_body;
    FloatStack *m_floating = nullptr;
    QWidget *m_empty = nullptr;
    QLabel *m_emptyHeading = nullptr, *m_emptyText = nullptr;
    QWidget *m_content = nullptr;
};

}  // namespace hearth
