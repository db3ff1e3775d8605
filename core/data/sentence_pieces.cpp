// Unigram models, by Google's library.
#include <sentencepiece_processor.h>

#include <QtEndian>
#include <cstring>

#include "core/data/word_models.h"

namespace hearth {
namespace {

class SentencePieces final : public WordModel {
  public:
    bool load(const QByteArray &model) {
        return m_processor.LoadFromSerializedProto({model.constData(), static_cast<std::size_t>(model.size())}).ok();
    }
    void append(const QString &word, std::vector<int> &ids) const override {
        const QByteArray text = word.toUtf8();
        std::vector<int> found;
        if (m_processor.Encode({text.constData(), static_cast<std::size_t>(text.size())}, &found).ok())
            ids.insert(ids.end(), found.begin(), found.end());
    }
    int words() const override { return m_processor.GetPieceSize(); }
    int idOf(const QString &word) const override {
        const std::string piece = word.toStdString();
        const int id = m_processor.PieceToId(piece);
        return id >= 0 && id < words() && m_processor.IdToPiece(id) == piece ? id : -1;
    }

    void appendText(int id, QByteArray &to) const override {
        if (id < 0 || id >= words() || m_processor.IsControl(id))
            return;
        QString piece = QString::fromStdString(m_processor.IdToPiece(id));
        if (m_processor.IsByte(id))
            to += static_cast<char>(piece.mid(3, 2).toInt(nullptr, 16));
        else
            to += piece.replace(QChar(0x2581), u' ').toUtf8();
    }

  private:
    sentencepiece::SentencePieceProcessor m_processor;
};

/// Fields of a protocol buffer (sentencepiece_model.proto), one after the other.
class Fields {
  public:
    void number(int field, quint64 value) {
        varint(static_cast<quint64>(field) << 3U);
        varint(value);
    }
    void real(int field, float value) {
        varint(static_cast<quint64>(field) << 3U | 5U);
        char bytes[sizeof value];
        qToLittleEndian(value, bytes);
        m_bytes.append(bytes, sizeof bytes);
    }
    void bytes(int field, const QByteArray &value) {
        varint(static_cast<quint64>(field) << 3U | 2U);
        varint(static_cast<quint64>(value.size()));
        m_bytes += value;
    }
    const QByteArray &all() const { return m_bytes; }

  private:
    void varint(quint64 value) {
        for (; value >= 0x80; value >>= 7U)
            m_bytes += static_cast<char>(value | 0x80U);
        m_bytes += static_cast<char>(value);
    }
    QByteArray m_bytes;
};

}  // namespace

std::shared_ptr<const WordModel> sentencePieces(const QByteArray &model) {
    auto made = std::make_shared<SentencePieces>();
    return made->load(model) ? made : nullptr;
}

std::shared_ptr<const WordModel> sentencePieces(const UnigramPieces &pieces) {
    enum Kind { Normal = 1, Unknown = 2, Control = 3, Byte = 6 };
    Fields model;
    for (int id = 0; const auto &[text, score] : pieces.pieces) {
        const bool isByte = pieces.fallsBack && text.size() == 6 && text.startsWith(QLatin1String("<0x"));
        const bool isSpecial = std::find(pieces.special.begin(), pieces.special.end(), id) != pieces.special.end();
        Fields piece;
        piece.bytes(1, text.toUtf8());
        piece.real(2, score);
        piece.number(3, id == pieces.unknown ? Unknown : isByte ? Byte : isSpecial ? Control : Normal);
        model.bytes(1, piece.all());
        ++id;
    }
    Fields trainer;
    trainer.number(3, 1);  // Unigram
    trainer.number(35, pieces.fallsBack ? 1 : 0);
    model.bytes(2, trainer.all());
    Fields normaliser;
    normaliser.bytes(1, "own");
    normaliser.bytes(2, pieces.charactersMap);
    normaliser.number(3, pieces.addsSpace ? 1 : 0);
    normaliser.number(4, 1);  // spaces in a row are one
    normaliser.number(5, 1);  // and stand as U+2581
    model.bytes(3, normaliser.all());
    return sentencePieces(model.all());
}

}  // namespace hearth
