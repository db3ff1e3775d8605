// The name of a device, which its person may change where it stands.
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace hearth {

/// Shows a name; the pencil, or edit(), makes it a field: Enter takes what it says, Escape and leaving it give it up. A
/// name that cannot be is marked with the reason, and stays to be corrected. GUI thread.
class NameEdit : public QWidget {
    Q_OBJECT
  public:
    explicit NameEdit(QWidget *parent = nullptr);

    /// While it is edited the text stays.
    void setName(const QString &name);
    QString name() const { return m_name; }
    /// Names of others, which it may not get.
    void setTaken(const QStringList &names) { m_taken = names; }
    void setEditable(bool editable);
    /// What it means to change it.
    void setHint(const QString &hint);
    void edit();
    bool isEditing() const;
    void giveUp();

  Q_SIGNALS:
    void renamed(const QString &name);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void take();
    void showField(bool visible);
    QString whatIsWrong(const QString &name) const;

    QString m_name;
    QStringList m_taken;
    bool m_isEditable = true;
    QLabel *m_label;
    QLineEdit *m_field;
    QLabel *m_wrong;
    QPushButton *m_pencil;
};

}  // namespace hearth
