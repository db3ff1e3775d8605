// An address as a picture that the camera of a phone reads.
#pragma once

#include <QWidget>
#include <vector>

namespace hearth {

/// The modules of a QR code, without the quiet zone around them. Plain value.
struct QrMatrix {
    int width = 0;           // modules; 0: the text has no code
    std::vector<bool> dark;  // row by row

    bool isDark(int x, int y) const { return dark[static_cast<std::size_t>(y * width + x)]; }
    /// Of some hundred characters at most; the code still reads where up to 15 % of it is hidden.
    static QrMatrix of(const QString &text);
};

/// Always black on white, in the dark theme, too: cameras expect it. GUI thread.
class QrCode : public QWidget {
    Q_OBJECT
  public:
    /// White modules around the code, as ISO/IEC 18004 wants them.
    static constexpr int quietZone = 4;

    explicit QrCode(QWidget *parent = nullptr);
    /// Its accessible name, too.
    void setText(const QString &text);
    const QrMatrix &matrix() const { return m_matrix; }
    /// Where a module is drawn.
    QRect moduleRect(int x, int y) const;

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    QrMatrix m_matrix;
};

}  // namespace hearth
