#include "core/base/foreign_file.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/files.h"

namespace hearth {
namespace {

enum class Foreign { Zip, Archive, Pickle, Office, Pdf, Heic, Avif, Video, Hdf5, Gguf, Weights, Picture };

struct Magic {
    std::size_t at;  // bytes from the beginning
    std::string_view text;
    Foreign kind;
};

// The brands of "ftyp" that are no pictures are those of videos.
constexpr std::array magics{
    Magic{0, "PK\x03\x04", Foreign::Zip},
    Magic{0, "PK\x05\x06", Foreign::Zip},  // without a file in it
    Magic{0, "\x1F\x8B", Foreign::Archive},
    Magic{0, "BZh", Foreign::Archive},
    Magic{0, "\xFD\x37zXZ", Foreign::Archive},
    Magic{0, "\x28\xB5\x2F\xFD", Foreign::Archive},
    Magic{0, "7z\xBC\xAF", Foreign::Archive},
    Magic{0, "Rar!", Foreign::Archive},
    Magic{257, "ustar", Foreign::Archive},
    Magic{0, "\x80\x02", Foreign::Pickle},
    Magic{0, "\x80\x03", Foreign::Pickle},
    Magic{0, "\x80\x04", Foreign::Pickle},
    Magic{0, "\x80\x05", Foreign::Pickle},
    Magic{0, "\xD0\xCF\x11\xE0", Foreign::Office},  // before they were ZIP
    Magic{0, "%PDF", Foreign::Pdf},
    Magic{4, "ftypheic", Foreign::Heic},
    Magic{4, "ftypheix", Foreign::Heic},
    Magic{4, "ftyphev", Foreign::Heic},
    Magic{4, "ftypmif1", Foreign::Heic},
    Magic{4, "ftypmsf1", Foreign::Heic},
    Magic{4, "ftypavif", Foreign::Avif},
    Magic{4, "ftypavis", Foreign::Avif},
    Magic{4, "ftyp", Foreign::Video},
    Magic{0, "\x89HDF", Foreign::Hdf5},
    Magic{0, "GGUF", Foreign::Gguf},
    Magic{4, std::string_view("\0\0\0\0{", 5), Foreign::Weights},  // safetensors: the length of JSON, and the JSON
    Magic{0, "\xFF\xD8\xFF", Foreign::Picture},
    Magic{0, "\x89PNG", Foreign::Picture}};

std::string_view viewOf(const QByteArray &bytes) {
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

/// By the names of the files in it, which also stand at its end.
Foreign kindOfZip(const QByteArray &begin, const QByteArray &end) {
    const auto names = [&](const char *part) { return begin.contains(part) || end.contains(part); };
    if (names("/data.pkl"))
        return Foreign::Pickle;
    const bool isOffice = names("[Content_Types].xml") || names("vnd.oasis.opendocument");
    return isOffice ? Foreign::Office : Foreign::Zip;
}

ForeignFile toldOf(Foreign kind) {
    switch (kind) {
        case Foreign::Zip:
        case Foreign::Archive:
            break;
        case Foreign::Pickle:
            return {sentence("It is a pickle, as PyTorch saves weights and networks; to open one may run a program."),
                    sentence("Export the network as ONNX with torch.onnx.export(), or save it as a folder with "
                             "save_pretrained().")};
        case Foreign::Office:
            return {sentence("It is a document of an office program."),
                    sentence("Save a table as CSV there, or a text as plain text (.txt).")};
        case Foreign::Pdf:
            return {sentence("It is a PDF document."),
                    sentence("Save its text as plain text (.txt), or its tables as CSV.")};
        case Foreign::Heic:
            return {sentence("It is a HEIC picture, as many phones take them."),
                    sentence("Convert such pictures to JPEG; phones can also be set to take JPEGs.")};
        case Foreign::Avif:
            return {sentence("It is an AVIF picture."), sentence("Convert such pictures to JPEG or PNG.")};
        case Foreign::Video:
            return {sentence("It is a video."), sentence("Save single pictures of it as JPEG or PNG.")};
        case Foreign::Hdf5:
            return {sentence("It is an HDF5 file, as Keras saves networks."),
                    sentence("Export the network as ONNX, with tf2onnx for example.")};
        case Foreign::Gguf:
            return {sentence("It is a network for llama.cpp (GGUF)."),
                    sentence("Choose the folder of that network which has config.json and model.safetensors.")};
        case Foreign::Weights:
            return {sentence("It has weights, and does not say of which network."),
                    sentence("Put the config.json that belongs to it into its folder, and choose it again.")};
        case Foreign::Picture:
            return {sentence("It is a picture."),
                    sentence("Choose the folder that has a folder of pictures for each class.")};
    }
    return {sentence("It is an archive."), sentence("Unpack it, and choose the folder or file that was in it.")};
}

}  // namespace

Error ForeignFile::refusal(const QString &path) const {
    return {QStringLiteral("file.foreign"), sentence("Hearth cannot read %1 as it is.").arg(path), what, cure};
}

std::optional<ForeignFile> foreignContent(const QByteArray &begin, const QByteArray &end) {
    const std::string_view bytes = viewOf(begin);
    const auto *found = std::ranges::find_if(magics, [bytes](const Magic &magic) {
        return bytes.size() >= magic.at && bytes.substr(magic.at).starts_with(magic.text);
    });
    if (found == magics.end())
        return std::nullopt;
    return toldOf(found->kind == Foreign::Zip ? kindOfZip(begin, end) : found->kind);
}

std::optional<ForeignFile> foreignFile(const QString &path) {
    QFile file(path);
    // What is read once only, such as "/dev/fd/63", is left alone.
    if (!QFileInfo(path).isFile() || !openPlainFile(file))
        return std::nullopt;
    const QByteArray begin = file.read(ForeignFile::Limits::begin);
    file.seek(std::max<qint64>(0, file.size() - ForeignFile::Limits::end));
    return foreignContent(begin, file.read(ForeignFile::Limits::end));
}

Result<void> refuseForeign(const QString &path) {
    if (const auto foreign = foreignFile(path))
        return tl::unexpected(foreign->refusal(path));
    return {};
}

}  // namespace hearth
