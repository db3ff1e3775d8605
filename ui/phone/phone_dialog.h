// "Show on phone": the address of the page as a QR code and as text, what it means, and how it ends.
#pragma once

#include <QDialog>

class QComboBox;
class QLineEdit;

namespace hearth {

class PhonePage;
class QrCode;

/// Of a page that is shown: closes when it ends, and the page goes on when this is closed. GUI thread; `page` outlives
/// it, but for its destructor.
class PhoneDialog : public QDialog {
    Q_OBJECT
  public:
    explicit PhoneDialog(PhonePage &page, QWidget *parent = nullptr);

  private:
    void showAddress(int network);

    PhonePage &m_page;
    QrCode *m_code;
    QComboBox *m_network;
    QLineEdit *m_address;
};

}  // namespace hearth
