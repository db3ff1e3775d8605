// A row or a text that a person types.
#pragma once

#include <QWidget>
#include <vector>

class QComboBox;
class QLineEdit;

namespace hearth {

struct AskedRun;

/// A field for each column: a number, one of the categories, or a text. Enter in a field asks, too. GUI thread.
class TryForm : public QWidget {
    Q_OBJECT
  public:
    /// Nobody fills in more of them.
    static constexpr qsizetype mostFields = 64;

    explicit TryForm(const AskedRun &run, QWidget *parent = nullptr);

  Q_SIGNALS:
    void asked(const QStringList &fields);
    /// A field has no number, and should.
    void refused(const QString &why);

  private:
    struct Field {
        QString name;
        QLineEdit *text = nullptr;  // or
        QComboBox *choice = nullptr;
        bool isNumber = false;
    };

    void ask();

    std::vector<Field> m_fields;
};

}  // namespace hearth
