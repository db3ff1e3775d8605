// Two file descriptors as one sequential device that never blocks.
#pragma once

#include <QByteArray>
#include <QIODevice>
#include <QSocketNotifier>

namespace hearth {

/// Does not own the descriptors. readChannelFinished() at the end of file and on errors. One thread.
class FdDevice : public QIODevice {
    Q_OBJECT

  public:
    FdDevice(int input, int output, QObject *parent = nullptr);
    ~FdDevice() override;

    bool isSequential() const override { return true; }
    qint64 bytesAvailable() const override { return m_input.size() - m_taken; }
    qint64 bytesToWrite() const override { return m_output.size() - m_written; }
    void close() override;

  protected:
    qint64 readData(char *data, qint64 maximum) override;
    qint64 writeData(const char *data, qint64 size) override;

  private:
    static constexpr qsizetype readBytes = 256 << 10;
    void fill();
    void drain();
    void end();

    int m_inputFd;
    int m_outputFd;
    QSocketNotifier m_readable;
    QSocketNotifier m_writable;
    QByteArray m_input;   // at most readBytes, from m_taken on unread
    QByteArray m_output;  // from m_written on unsent
    qsizetype m_taken = 0;
    qsizetype m_written = 0;
    qint64 m_unreported = 0;  // written, but bytesWritten() is still to come
    bool m_ended = false;
};

}  // namespace hearth
