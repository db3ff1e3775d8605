#include "core/train/cut_sender.h"

#include <utility>

#include "core/train/round_recorder.h"

namespace hearth {

void CutSender::put(CutPiece piece) {
    check();
    if (!piece.there && m_thread.isIdle() && !m_writer.takesTime(piece))
        return send(piece);
    m_thread.post([this, piece = std::move(piece)] {
        try {
            send(piece);
        } catch (...) {
            m_failure = std::current_exception();
            m_hasFailed = true;
            m_tellFailure();
        }
    });
}

void CutSender::send(const CutPiece &piece) {
    for (const auto &there : {piece.there, piece.rectifiedThere}) {
        if (there)
            there->wait();
    }
    CutWriter::Written written = m_writer.write(piece);
    const qsizetype bytes = written.payload.size;
    m_sent.savedBytes += piece.raw.size - bytes;
    m_sent.frames.push_back(
        {piece.device, written.header, bytes, RoundRecorder::now(), written.loss, written.encoded, written.packed});
    m_send(piece.device, written.header, std::move(written.payload));
}

CutSender::Sent CutSender::take() {
    m_thread.finish();
    check();
    return std::exchange(m_sent, {});
}

void CutSender::check() {
    if (!m_hasFailed)
        return;
    m_thread.finish();
    std::rethrow_exception(m_failure);
}

}  // namespace hearth
