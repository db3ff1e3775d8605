// The manual in the window.
#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace hearth {

/// The pages of resources/manual, which are compiled in. Beside the window, not in its way. GUI thread.
/// Found by their object names: "manualPages", "manualText", "manualSearch", "manualBack".
class ManualWindow : public QDialog {
    Q_OBJECT
  public:
    explicit ManualWindow(QWidget *parent = nullptr);

    /// `page` by the name of its file, without ".md"; `heading` as links write it ("what-it-does"), empty for the top.
    void showPage(const QString &page, const QString &heading = {});
    /// The names of all pages, in the order of the list.
    static QStringList pages();
    /// How links write a heading: in lower case, with "-" for spaces, without what is neither letter nor digit.
    static QString anchorOf(const QString &heading);

  private:
    void goToHeading(const QString &heading);
    void followSource(const QUrl &url);
    void find();

    QListWidget *m_pages;
    QTextBrowser *m_text;
    QLineEdit *m_search;
};

}  // namespace hearth
