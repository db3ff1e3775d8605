// Plain texts, one after the other, for language models.
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QStringDecoder>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <thread>

#include "core/base/files.h"
#include "core/data/split_files.h"
#include "core/data/texts.h"
#include "core/data/thread_team.h"
#include "core/data/tokenizer.h"
#include "core/data/watched_file.h"

namespace hearth {
namespace {

constexpr qint64 mostTextBytes = qint64{1} << 30;
/// A file is cut at the ends of lines into pieces of at least this size, each of which trains or tests as a whole.
constexpr qsizetype pieceBytes = 16 << 10;
constexpr int mostTokenThreads = 8;
/// So many become tokens together: what they take on the way is small beside the tokens of all.
constexpr std::size_t piecesAtOnce = 1024;
/// After so many words somebody may give up.
constexpr int wordsBetween = 1024;

struct Piece {
    Split split = Split::Train;
    QByteArray text;
};

/// Takes a file apart, in parts that are read one after the other: a long line makes a long piece. One thread.
class PieceReader {
  public:
    /// `named` is the side of all its pieces; nullopt: the content of each decides.
    PieceReader(QFile &file, std::optional<Split> named) : m_file(file), m_named(named) {}
    /// The next piece; empty at the end. `left` is how many bytes there may be, and below 0 ends the reading.
    QByteArray next(qint64 &left) {
        m_hash.reset();
        QByteArray piece, part = m_file.read(pieceBytes);
        for (bool isLine = false; !part.isEmpty(); isLine = true) {
            // Not the size that the file tells: some file systems tell none, and logs grow.
            left -= part.size();
            if (left < 0)
                break;
            const QString decoded = m_decoder(part);
            m_isText = m_isText && !m_decoder.hasError() && !decoded.contains(QChar::Null);
            if (!m_named)
                m_hash.addData(part);
            piece += part;
            if (isLine && part.endsWith('\n'))
                break;
            part = m_file.readLine(pieceBytes);
        }
        return piece;
    }
    /// All so far.
    bool isText() const { return m_isText; }
    /// Of the last piece.
    Split split() const {
        return m_named ? *m_named : isForTest(hashOfDigest(m_hash.result())) ? Split::Test : Split::Train;
    }

  private:
    QFile &m_file;
    const std::optional<Split> m_named;
    QStringDecoder m_decoder{QStringDecoder::Utf8};
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    bool m_isText = true;
};

/// Ids of a vocabulary, in two bytes each where all of them fit.
class TokenRow {
  public:
    explicit TokenRow(int words = 0) : m_areSmall(words <= 1 << 16) {}
    void append(const std::vector<int> &tokens) {
        for (const int token : tokens)
            m_areSmall ? m_small.push_back(static_cast<quint16>(token)) : m_large.push_back(token);
    }
    qint64 size() const { return static_cast<qint64>(m_areSmall ? m_small.size() : m_large.size()); }
    qint64 operator[](qint64 index) const {
        const auto i = static_cast<std::size_t>(index);
        return m_areSmall ? m_small[i] : m_large[i];
    }

  private:
    bool m_areSmall;
    std::vector<quint16> m_small;
    std::vector<int> m_large;
};

using Tokens = std::array<TokenRow, allSplits.size()>;

class BlocksDataset final : public Dataset, public OfAnyLength {
  public:
    BlocksDataset(const QString &name, std::shared_ptr<const Tokens> tokens, int words, qint64 bytes,
                  std::vector<BrokenFile> broken)
        : m_tokens(std::move(tokens)), m_words(words) {
        m_name = name;
        m_kind = QStringLiteral("text");
        m_fileBytes = bytes;
        m_broken = std::move(broken);
        m_classes = words;
        setLength(usualTextLength);
    }
    void setPreparation(const QJsonObject &preparation) { m_preparation = preparation; }
    /// The file or folder, and when it was written; of what is in a folder nobody asks.
    void setSource(const QString &path, const QDateTime &written) {
        m_path = path;
        m_written = written;
    }
    bool hasOwnSizes() const override { return true; }
    bool hasChanged() const override { return QFileInfo(m_path).lastModified() != m_written; }
    std::shared_ptr<const Dataset> ofLength(qint64 length) const override {
        auto other = std::make_shared<BlocksDataset>(*this);
        other->setLength(length);
        return other;
    }
    /// The last token has none that follows.
    qint64 count(Split split) const override {
        const qint64 tokens = of(split).size();
        return tokens > 0 ? (tokens - 1) / m_label.shape.front() : 0;
    }
    Result<void> readSamples(Split split, std::size_t, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return read(split, indices, 0, out);
    }
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        return read(split, indices, 1, out);
    }

  private:
    const TokenRow &of(Split split) const { return (*m_tokens)[static_cast<std::size_t>(split)]; }
    void setLength(qint64 length) {
        m_label = {DType::Int64, {length}, false};
        m_parts = {{QStringLiteral("tokens"), m_label, WholeRange{0, m_words - 1}}};
    }
    Result<void> read(Split split, std::span<const qint64> indices, qint64 ahead, std::span<std::byte> out) const {
        const qint64 length = m_label.shape.front();
        std::byte *to = out.data();
        for (const qint64 index : indices) {
            for (qint64 i = 0; i < length; ++i, to += sizeof(qint64)) {
                const qint64 token = of(split)[index * length + i + ahead];
                std::memcpy(to, &token, sizeof token);
            }
        }
        return {};
    }

    std::shared_ptr<const Tokens> m_tokens;
    int m_words = 0;
    QString m_path;
    QDateTime m_written;
};

/// The side that the first folder below the set's own says, or else the file's name.
std::optional<Split> namedSplit(const QString &set, const QString &path) {
    const QString inside = QDir(set).relativeFilePath(path);
    const auto byFolder =
        inside.contains(QLatin1Char('/')) ? splitOf(inside.section(QLatin1Char('/'), 0, 0)) : std::nullopt;
    return byFolder ? byFolder : splitOf(QFileInfo(path).completeBaseName());
}

/// Adds what is in a file; without a side of its own, each piece is sorted by its content.
Result<void> addFile(const QString &path, std::optional<Split> named, qint64 &left, std::vector<Piece> &pieces,
                     std::vector<BrokenFile> &broken, const CheckProgress &progress) {
    const QString name = QFileInfo(path).fileName();
    WatchedFile file(path, progress);
    if (auto opened = openPlainFile(file); !opened) {
        broken.push_back({name, opened.error().cause});
        return {};
    }
    const std::size_t before = pieces.size();
    PieceReader reader(file, named);
    while (true) {
        const QByteArray piece = reader.next(left);
        if (file.isGivenUp())
            return lookGivenUp();
        if (left < 0) {
            return fail(QStringLiteral("data.too-many"), sentence("%1 is too large for one data set.").arg(path),
                        sentence("All texts together have more than %1 bytes.").arg(mostTextBytes),
                        sentence("Take a part of it."));
        }
        if (piece.isEmpty())
            break;
        if (auto on = mayGoOn(progress, static_cast<qint64>(pieces.size())); !on)
            return on;
        if (!reader.isText()) {
            pieces.resize(before);
            broken.push_back({name, sentence("It is no valid UTF-8.")});
            return {};
        }
        pieces.push_back({reader.split(), piece});
    }
    if (file.error() == QFileDevice::NoError)
        return {};
    return fail(QStringLiteral("data.unreadable"), sentence("The file %1 could not be read.").arg(path),
                file.errorString() + QLatin1Char('.'),
                sentence("Check whether its disk is there, and whether somebody changes it."));
}

Result<Tokens> tokensOf(const Tokenizer &tokenizer, std::vector<Piece> pieces, const CheckProgress &progress) {
    Tokens tokens;
    tokens.fill(TokenRow(tokenizer.words()));
    std::vector<std::vector<int>> found(piecesAtOnce);
    std::atomic<bool> goesOn = true;
    const auto ask = [&](std::size_t piece) {
        if (progress && !progress(static_cast<qint64>(piece), 0))
            goesOn = false;
        return goesOn.load();
    };
    ThreadTeam team(std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, mostTokenThreads));
    for (std::size_t first = 0; first < pieces.size(); first += piecesAtOnce) {
        const std::size_t count = std::min(piecesAtOnce, pieces.size() - first);
        std::atomic<std::size_t> next = 0;
        const auto work = [&] {
            for (std::size_t i = next++; i < count && ask(first + i); i = next++) {
                const auto goesOnWithin = [&ask, &goesOn, piece = first + i, words = 0]() mutable {
                    return goesOn && (++words % wordsBetween != 0 || ask(piece));
                };
                found[i] = tokenizer.encode(QString::fromUtf8(pieces[first + i].text), goesOnWithin);
                if (tokenizer.end() >= 0)
                    found[i].push_back(tokenizer.end());
            }
        };
        team.runInAll(work);
        if (!goesOn)
            return lookGivenUp();
        for (std::size_t i = 0; i < count; ++i) {
            Piece &piece = pieces[first + i];
            tokens[static_cast<std::size_t>(piece.split)].append(found[i]);
            piece.text.clear();
        }
    }
    TokenRow &test = tokens[static_cast<std::size_t>(Split::Test)];
    if (test.size() == 0)
        test = tokens[static_cast<std::size_t>(Split::Validation)];
    return tokens;
}

}  // namespace

Result<std::shared_ptr<const Dataset>> blocksOf(const QString &name, const TextFacts &facts,
                                                const CheckProgress &progress) {
    const auto tokenizer = Tokenizer::load(facts.tokenizer);
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    const QDateTime written = QFileInfo(facts.path).lastModified();
    QStringList paths{facts.path};
    if (QFileInfo(facts.path).isDir()) {
        paths.clear();
        QDirIterator files(facts.path, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            paths << files.next();
            if (auto on = mayGoOn(progress, paths.size()); !on)
                return tl::unexpected(on.error());
        }
        paths.sort();
    }
    qint64 left = mostTextBytes;
    std::vector<Piece> pieces;
    std::vector<BrokenFile> broken;
    for (const QString &path : std::as_const(paths)) {
        if (auto added = addFile(path, namedSplit(facts.path, path), left, pieces, broken, progress); !added)
            return tl::unexpected(added.error());
    }
    auto tokens = tokensOf(**tokenizer, std::move(pieces), progress);
    if (!tokens)
        return tl::unexpected(tokens.error());
    auto set = std::make_shared<BlocksDataset>(name, std::make_shared<const Tokens>(std::move(*tokens)),
                                               (*tokenizer)->words(), mostTextBytes - left, std::move(broken));
    set->setPreparation(facts.toJson(name));
    set->setSource(facts.path, written);
    if (set->count(Split::Train) > 0 && set->count(Split::Test) > 0)
        return set;
    return fail(QStringLiteral("data.empty"), sentence("There is too little text in %1.").arg(facts.path),
                sentence("It makes %1 {1|block|blocks} of %2 {2|token|tokens} to train with and %3 to test.")
                    .arg(set->count(Split::Train))
                    .arg(usualTextLength)
                    .arg(set->count(Split::Test)),
                sentence("Name a folder with more texts, or with folders or files called train and test."));
}

}  // namespace hearth
