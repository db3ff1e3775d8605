#include "core/data/jpeg.h"

#include <csetjmp>
#include <cstdio>
// After cstdio, which it needs and does not include.
#include <jpeglib.h>
// After jpeglib.h.
#include <jerror.h>

#include <QTransform>
#include <algorithm>

#include "core/data/exif.h"
#include "core/data/picture_memory.h"

namespace hearth {
namespace {

/// A picture in passes is held as a whole, in coefficients of two bytes.
constexpr qint64 mostPassBytes = qint64{512} << 20;
/// Many passes over a large picture take minutes (libjpeg-turbo: two issues with the JPEG standard); cameras and
/// programs make about ten.
constexpr int mostPasses = 100;
constexpr unsigned eighths = 8;
/// Of a picture that is turned and mirrored, at once.
constexpr qint64 mostCopies = 3;

struct Failure {
    jpeg_error_mgr handler;  // first: libjpeg gives a pointer to it
    jmp_buf place;
};

[[noreturn]] void giveUp(j_common_ptr info) {
    std::longjmp(reinterpret_cast<Failure *>(info->err)->place, 1);
}

void takeWarning(j_common_ptr info, int level) {
    const int code = info->err->msg_code;
    if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE))
        giveUp(info);
}

void countPasses(j_common_ptr info) {
    if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > mostPasses) {
        info->err->msg_code = JERR_BAD_PROGRESSION;
        giveUp(info);
    }
}

/// libjpeg's session. Its methods call what may jump, and so have nothing to destroy.
class Session {
  public:
    explicit Session(const QByteArray &bytes) {
        m_info.err = jpeg_std_error(&m_failure.handler);
        m_failure.handler.error_exit = giveUp;
        m_failure.handler.emit_message = takeWarning;
        m_progress.progress_monitor = countPasses;
        m_ready = start(bytes.constData(), static_cast<unsigned long>(bytes.size()));
    }
    ~Session() { jpeg_destroy_decompress(&m_info); }
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    bool readHeader() {
        if (!m_ready || setjmp(m_failure.place) != 0)
            return false;
        return jpeg_read_header(&m_info, TRUE) == JPEG_HEADER_OK;
    }
    bool begin(unsigned scale) {
        if (setjmp(m_failure.place) != 0)
            return false;
        m_info.scale_num = scale;
        m_info.scale_denom = eighths;
        m_info.out_color_space = JCS_RGB;
        return jpeg_start_decompress(&m_info) == TRUE;
    }
    bool readRows(uchar *to, qsizetype bytesPerRow) {
        if (setjmp(m_failure.place) != 0)
            return false;
        while (m_info.output_scanline < m_info.output_height) {
            JSAMPROW row = to + m_info.output_scanline * bytesPerRow;
            jpeg_read_scanlines(&m_info, &row, 1);
        }
        return jpeg_finish_decompress(&m_info) == TRUE;
    }
    Sentence failure() {
        if (m_info.err->msg_code == JWRN_JPEG_EOF || m_info.err->msg_code == JWRN_HIT_MARKER)
            return sentence("It is cut short.");
        char text[JMSG_LENGTH_MAX];
        m_info.err->format_message(reinterpret_cast<j_common_ptr>(&m_info), text);
        return sentence("It is damaged: %1.").arg(QString::fromLatin1(text));
    }
    const jpeg_decompress_struct &info() const { return m_info; }
    int orientation() const {
        for (auto *marker = m_info.marker_list; marker != nullptr; marker = marker->next) {
            const int found = exifOrientation(std::as_bytes(std::span(marker->data, marker->data_length)));
            if (found != 1)
                return found;
        }
        return 1;
    }

  private:
    bool start(const char *bytes, unsigned long count) {
        if (setjmp(m_failure.place) != 0)
            return false;
        jpeg_create_decompress(&m_info);
        m_info.progress = &m_progress;
        jpeg_save_markers(&m_info, JPEG_APP0 + 1, 0xffff);
        jpeg_mem_src(&m_info, reinterpret_cast<const unsigned char *>(bytes), count);
        return true;
    }

    jpeg_decompress_struct m_info{};
    jpeg_progress_mgr m_progress{};
    Failure m_failure{};
    bool m_ready = false;
};

bool isTurned(int orientation) {
    return orientation >= 5;
}

QImage upright(const QImage &picture, int orientation) {
    const bool mirrored = orientation == 2 || orientation == 4 || orientation == 5 || orientation == 7;
    static constexpr int degrees[] = {0, 0, 0, 180, 180, 90, 90, 270, 270};
    QImage result = mirrored ? picture.mirrored(true, false) : picture;
    if (mirrored && isTurned(orientation))
        return result.transformed(QTransform().rotate(orientation == 5 ? 270 : 90));
    if (const int turn = degrees[orientation]; turn != 0)
        result = result.transformed(QTransform().rotate(turn));
    return result;
}

}  // namespace

bool isJpeg(const QByteArray &bytes) {
    return bytes.startsWith(QByteArrayLiteral("\xff\xd8\xff"));
}

unsigned jpegPart(double wanted) {
    // Halves, for which libjpeg-turbo has vectors; other scales take longer than all of the picture.
    unsigned part = eighths;
    while (part > 1 && wanted * eighths * 2 <= part)
        part /= 2;
    return part;
}

tl::expected<QImage, Sentence> decodeJpeg(const QByteArray &bytes, const ScaleChoice &scale) {
    Session session(bytes);
    if (!session.readHeader())
        return tl::unexpected(session.failure());
    const auto &info = session.info();
    if (info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK)
        return QImage();
    const auto width = static_cast<int>(info.image_width), height = static_cast<int>(info.image_height);
    const bool comesInPasses = jpeg_has_multiple_scans(const_cast<jpeg_decompress_struct *>(&info)) == TRUE;
    const qint64 passBytes = comesInPasses ? qint64{2} * width * height * info.num_components : 0;
    if (passBytes > mostPassBytes) {
        return tl::unexpected(
            sentence("It has %1×%2 pixels and comes in passes, which takes too much memory.").arg(width).arg(height));
    }
    const int orientation = session.orientation();
    const double wanted = scale(isTurned(orientation) ? QSize(height, width) : QSize(width, height));
    const unsigned part = jpegPart(wanted);
    const qint64 pixels = (qint64{width} * part / eighths + 1) * (qint64{height} * part / eighths + 1);
    auto memory = pictureMemory().take(passBytes + 3 * pixels * (orientation == 1 ? 1 : mostCopies));
    if (!session.begin(part))
        return tl::unexpected(session.failure());
    QImage picture(static_cast<int>(info.output_width), static_cast<int>(info.output_height), QImage::Format_RGB888);
    if (picture.isNull())
        return tl::unexpected(sentence("It has %1×%2 pixels, which take too much memory.").arg(width).arg(height));
    if (!session.readRows(picture.bits(), picture.bytesPerLine()))
        return tl::unexpected(session.failure());
    return holding(upright(picture, orientation), std::move(memory));
}

}  // namespace hearth
