// Tokenizers as they lie on the disk.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/data/text_steps.h"
#include "core/data/tokenizer.h"
#include "core/data/word_models.h"

namespace hearth {

namespace {

tl::unexpected<Error> noTokenizer(const QString &path, const Sentence &cause) {
    return fail(QStringLiteral("data.no-tokenizer"), sentence("%1 is no tokenizer that can be used.").arg(path), cause,
                sentence("Name the folder of a network of Hugging Face, its tokenizer.json or vocab.txt, a model of "
                         "SentencePiece, or \"bytes\"."));
}

Result<QByteArray> contentOf(const QString &path) {
    QFile file(path);
    if (auto opened = openPlainFile(file); !opened)
        return tl::unexpected(opened.error());
    if (file.size() > Tokenizer::Limits::fileBytes)
        return noTokenizer(path, sentence("It has more than %1 bytes.").arg(Tokenizer::Limits::fileBytes));
    return file.readAll();
}

QJsonObject objectIn(const QString &path) {
    return QFileInfo(path).isFile() ? readJsonFile(path, Tokenizer::Limits::fileBytes).value_or(QJsonObject())
                                    : QJsonObject();
}

/// A token of tokenizer_config.json, as a text or as an object.
QString tokenText(const QJsonValue &value) {
    return value.isObject() ? value[QStringLiteral("content")].toString() : value.toString();
}

/// Ids are whole numbers from 0; what is none makes it -1.
int idOf(const QJsonValue &value) {
    const double id = value.toDouble(-1);
    return id >= 0 && id < Tokenizer::Limits::words ? static_cast<int>(id) : -1;
}

tl::expected<Vocabulary, Sentence> vocabularyOf(const QJsonValue &value) {
    const QJsonObject object = value.toObject();
    Vocabulary words;
    words.reserve(object.size());
    for (auto word = object.begin(); word != object.end(); ++word) {
        const int id = idOf(*word);
        if (id < 0)
            return tl::unexpected(sentence("The word \"%1\" has no id.").arg(word.key().left(60)));
        words.insert(word.key(), id);
    }
    if (words.isEmpty())
        return tl::unexpected(sentence("It has no vocabulary."));
    return words;
}

}  // namespace

/// Reads one.
class TokenizerFile {
  public:
    static Result<std::shared_ptr<const Tokenizer>> read(const QString &given);

  private:
    using Done = tl::expected<void, Sentence>;

    explicit TokenizerFile(const QString &path)
        : m_path(path), m_config(objectIn(QFileInfo(path).absolutePath() + QStringLiteral("/tokenizer_config.json"))) {}

    Done readBytes();
    Done readWords(const QByteArray &text);
    Done readPieces(const QByteArray &content);
    Done readPairs(const QByteArray &vocabulary, const QByteArray &merges);
    Done readJson(const QJsonObject &object);
    Done readModel(const QJsonObject &model, const QByteArray &charactersMap, std::optional<bool> metaspace,
                   bool areBytes, const std::vector<Tokenizer::Added> &added);
    Done readBytePairs(const QJsonObject &model, bool areBytes);
    Done readFrame(const QJsonValue &value);
    Done addPieces(const QJsonArray &from, const QJsonObject &special, std::vector<TextFrame::Piece> &to) const;
    /// -1: there is none of these.
    int firstOf(const char *key, std::initializer_list<const char *> usual) const;
    int tokenId(const QString &text) const {
        const auto found = std::ranges::find(m_added, text, &Tokenizer::Added::text);
        return found != m_added.end() ? found->id : m_made->m_model->idOf(text);
    }
    void findEnds();
    void bertFrame(int begin, int between, int secondSegment);

    const QString m_path;
    const QJsonObject m_config;
    std::shared_ptr<Tokenizer> m_made = std::make_shared<Tokenizer>();
    std::vector<Tokenizer::Added> m_added;
};

int TokenizerFile::firstOf(const char *key, std::initializer_list<const char *> usual) const {
    if (const QString named = tokenText(m_config[QLatin1String(key)]); !named.isEmpty())
        return tokenId(named);
    for (const char *name : usual) {
        if (const int id = tokenId(QString::fromLatin1(name)); id >= 0)
            return id;
    }
    return -1;
}

void TokenizerFile::findEnds() {
    Tokenizer &made = *m_made;
    made.m_words = std::max(made.m_words, made.m_model->words());
    for (const Tokenizer::Added &token : m_added) {
        made.m_words = std::max(made.m_words, token.id + 1);
        made.m_addedTexts.insert(token.id, token.isSpecial ? QString() : token.text);
    }
    for (const auto *frame : {&made.m_frame.one, &made.m_frame.two}) {
        for (const TextFrame::Piece &piece : *frame)
            made.m_words = std::max(made.m_words, piece.id + 1);
    }
    made.m_end = firstOf("eos_token", {"<|endoftext|>", "</s>", "[SEP]", "<|end_of_text|>", "<eos>"});
    made.m_padding = firstOf("pad_token", {"[PAD]", "<pad>"});
    if (made.m_padding < 0)
        made.m_padding = std::max(0, made.m_end);
}

TokenizerFile::Done TokenizerFile::readBytes() {
    m_made->m_model = plainBytes();
    m_made->m_words = m_made->m_model->words();
    m_made->m_end = 1;
    m_made->m_frame = {{{TextFrame::first, 0}, {1, 0}},
                       {{TextFrame::first, 0}, {1, 0}, {TextFrame::second, 0}, {1, 0}}};
    return {};
}

void TokenizerFile::bertFrame(int begin, int between, int secondSegment) {
    m_made->m_frame = {{{begin, 0}, {TextFrame::first, 0}, {between, 0}},
                       {{begin, 0},
                        {TextFrame::first, 0},
                        {between, 0},
                        {TextFrame::second, secondSegment},
                        {between, secondSegment}}};
}

TokenizerFile::Done TokenizerFile::readWords(const QByteArray &text) {
    Vocabulary words;
    bool hasCapitals = false;
    int id = 0;
    for (QByteArray line : text.split('\n')) {
        if (line.endsWith('\r'))
            line.chop(1);
        const QString word = QString::fromUtf8(line);
        if (!word.isEmpty() && !words.contains(word))
            words.insert(word, id);
        ++id;
        hasCapitals = hasCapitals || (!word.startsWith(u'[') &&
                                      std::ranges::any_of(word, [](QChar letter) { return letter.isUpper(); }));
    }
    if (!words.contains(QStringLiteral("[UNK]")))
        return tl::unexpected(sentence("Its vocabulary has no word \"%1\".").arg(QStringLiteral("[UNK]")));
    const bool lowers = m_config[QStringLiteral("do_lower_case")].toBool(!hasCapitals);
    m_made->m_normalisers.emplace_back(BertSteps{true, m_config[QStringLiteral("tokenize_chinese_chars")].toBool(true),
                                                 m_config[QStringLiteral("strip_accents")].toBool(lowers), lowers});
    m_made->m_lowers = lowers;
    m_made->m_splitters.emplace_back(splitAsBert);
    for (const char *special : {"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"}) {
        if (const auto found = words.constFind(QString::fromLatin1(special)); found != words.constEnd())
            m_added.push_back({found.key(), *found, false, true, false, false});
    }
    m_made->m_model = wordPieces(words, words[QStringLiteral("[UNK]")], QStringLiteral("##"), 100);
    const int begin = tokenId(QStringLiteral("[CLS]")), between = tokenId(QStringLiteral("[SEP]"));
    if (begin >= 0 && between >= 0)
        bertFrame(begin, between, 1);
    m_made->m_raw = Tokenizer::finderOf(m_added);
    return {};
}

TokenizerFile::Done TokenizerFile::readPieces(const QByteArray &content) {
    m_made->m_model = sentencePieces(content);
    if (!m_made->m_model)
        return tl::unexpected(sentence("SentencePiece cannot read it."));
    if (const int end = tokenId(QStringLiteral("</s>")); end >= 0)
        m_made->m_frame = {{{TextFrame::first, 0}, {end, 0}},
                           {{TextFrame::first, 0}, {end, 0}, {TextFrame::second, 0}, {end, 0}}};
    return {};
}

TokenizerFile::Done TokenizerFile::readPairs(const QByteArray &vocabulary, const QByteArray &merges) {
    QJsonArray pairs;
    for (const QByteArray &line : merges.split('\n')) {
        if (!line.startsWith("#version") && !line.trimmed().isEmpty())
            pairs << QString::fromUtf8(line).trimmed();
    }
    const QJsonObject words = QJsonDocument::fromJson(vocabulary).object();
    QJsonArray added;
    if (const QJsonValue end = words[QStringLiteral("<|endoftext|>")]; end.isDouble()) {
        added << QJsonObject{{QStringLiteral("id"), end},
                             {QStringLiteral("content"), QStringLiteral("<|endoftext|>")},
                             {QStringLiteral("special"), true}};
    }
    return readJson(
        {{QStringLiteral("added_tokens"), added},
         {QStringLiteral("pre_tokenizer"), QJsonObject{{QStringLiteral("type"), QStringLiteral("ByteLevel")},
                                                       {QStringLiteral("add_prefix_space"),
                                                        m_config[QStringLiteral("add_prefix_space")].toBool(false)}}},
         {QStringLiteral("model"), QJsonObject{{QStringLiteral("type"), QStringLiteral("BPE")},
                                               {QStringLiteral("vocab"), words},
                                               {QStringLiteral("merges"), pairs}}}});
}

TokenizerFile::Done TokenizerFile::readBytePairs(const QJsonObject &model, bool areBytes) {
    for (const char *key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        if (!model[QLatin1String(key)].toString().isEmpty())
            return tl::unexpected(sentence("It has \"%1\", which nothing here does.").arg(QLatin1String(key)));
    }
    auto words = vocabularyOf(model[QStringLiteral("vocab")]);
    if (!words)
        return tl::unexpected(words.error());
    BytePairs pairs;
    pairs.vocabulary = std::move(*words);
    for (const QJsonValue merge : model[QStringLiteral("merges")].toArray()) {
        const QString text = merge.toString();
        const qsizetype space = text.indexOf(u' ');
        if (merge.isArray())
            pairs.merges.emplace_back(merge[0].toString(), merge[1].toString());
        else if (space > 0)
            pairs.merges.emplace_back(text.left(space), text.mid(space + 1));
        else
            return tl::unexpected(sentence("A merge is no pair of words."));
    }
    const QString unknown = model[QStringLiteral("unk_token")].toString();
    pairs.unknown = unknown.isEmpty() ? -1 : pairs.vocabulary.value(unknown, -1);
    pairs.fusesUnknown = model[QStringLiteral("fuse_unk")].toBool();
    pairs.fallsBack = model[QStringLiteral("byte_fallback")].toBool();
    pairs.ignoresMerges = model[QStringLiteral("ignore_merges")].toBool();
    pairs.areBytes = areBytes;
    m_made->m_model = bytePairs(std::move(pairs));
    return {};
}

TokenizerFile::Done TokenizerFile::readModel(const QJsonObject &model, const QByteArray &charactersMap,
                                             std::optional<bool> metaspace, bool areBytes,
                                             const std::vector<Tokenizer::Added> &added) {
    QString kind = model[QStringLiteral("type")].toString();
    if (kind.isEmpty())  // of old files
        kind = model.contains(QStringLiteral("merges")) ? QStringLiteral("BPE") : QStringLiteral("WordPiece");
    if (kind == QLatin1String("Unigram")) {
        UnigramPieces pieces;
        for (const QJsonValue piece : model[QStringLiteral("vocab")].toArray())
            pieces.pieces.emplace_back(piece[0].toString(), static_cast<float>(piece[1].toDouble()));
        pieces.unknown = idOf(model[QStringLiteral("unk_id")]);
        pieces.charactersMap = charactersMap;
        pieces.fallsBack = model[QStringLiteral("byte_fallback")].toBool();
        pieces.addsSpace = metaspace.value_or(false);
        for (const Tokenizer::Added &token : added) {
            if (token.isSpecial)
                pieces.special.push_back(token.id);
        }
        m_made->m_model = sentencePieces(pieces);
        return m_made->m_model ? Done() : tl::unexpected(sentence("SentencePiece cannot read it."));
    }
    if (metaspace || !charactersMap.isEmpty())
        return tl::unexpected(
            sentence("It has a step \"%1\", which nothing here does.").arg(QLatin1String("Metaspace")));
    if (kind == QLatin1String("BPE"))
        return readBytePairs(model, areBytes);
    if (kind != QLatin1String("WordPiece"))
        return tl::unexpected(sentence("It has a step \"%1\", which nothing here does.").arg(kind.left(60)));
    auto words = vocabularyOf(model[QStringLiteral("vocab")]);
    if (!words)
        return tl::unexpected(words.error());
    const QString unknown = model[QStringLiteral("unk_token")].toString(QStringLiteral("[UNK]"));
    if (!words->contains(unknown))
        return tl::unexpected(sentence("Its vocabulary has no word \"%1\".").arg(unknown.left(60)));
    const int id = words->value(unknown);
    m_made->m_model = wordPieces(std::move(*words), id,
                                 model[QStringLiteral("continuing_subword_prefix")].toString(QStringLiteral("##")),
                                 model[QStringLiteral("max_input_chars_per_word")].toInt(100));
    return {};
}

TokenizerFile::Done TokenizerFile::addPieces(const QJsonArray &from, const QJsonObject &special,
                                             std::vector<TextFrame::Piece> &to) const {
    to.clear();
    for (const QJsonValue each : from) {
        const QJsonValue text = each[QStringLiteral("Sequence")], token = each[QStringLiteral("SpecialToken")];
        const QJsonValue known = text.isObject() ? text : token;
        const int segment = known[QStringLiteral("type_id")].toInt();
        const QString name = known[QStringLiteral("id")].toString();
        if (text.isObject()) {
            to.push_back({name == QLatin1String("B") ? TextFrame::second : TextFrame::first, segment});
            continue;
        }
        for (const QJsonValue id : special[name][QStringLiteral("ids")].toArray()) {
            if (idOf(id) < 0)
                return tl::unexpected(sentence("The word \"%1\" has no id.").arg(name.left(60)));
            to.push_back({idOf(id), segment});
        }
    }
    return {};
}

TokenizerFile::Done TokenizerFile::readFrame(const QJsonValue &value) {
    QList<QJsonValue> steps{value};
    if (value[QStringLiteral("type")].toString() == QLatin1String("Sequence")) {
        steps.clear();
        for (const QJsonValue step : value[QStringLiteral("processors")].toArray())
            steps << step;
    }
    for (const QJsonValue &step : std::as_const(steps)) {
        const QString kind = step[QStringLiteral("type")].toString();
        if (kind == QLatin1String("TemplateProcessing")) {
            const QJsonObject special = step[QStringLiteral("special_tokens")].toObject();
            if (auto added = addPieces(step[QStringLiteral("single")].toArray(), special, m_made->m_frame.one); !added)
                return added;
            if (auto added = addPieces(step[QStringLiteral("pair")].toArray(), special, m_made->m_frame.two); !added)
                return added;
        } else if (kind == QLatin1String("BertProcessing") || kind == QLatin1String("RobertaProcessing")) {
            const int begin = idOf(step[QStringLiteral("cls")][1]), between = idOf(step[QStringLiteral("sep")][1]);
            if (begin < 0 || between < 0)
                return tl::unexpected(sentence("The word \"%1\" has no id.").arg(QLatin1String("sep")));
            bertFrame(begin, between, kind.startsWith(u'B') ? 1 : 0);
            if (kind.startsWith(u'R'))
                m_made->m_frame.two.insert(m_made->m_frame.two.begin() + 2, {between, 0});
        } else if (!kind.isEmpty() && kind != QLatin1String("ByteLevel")) {
            return tl::unexpected(sentence("It has a step \"%1\", which nothing here does.").arg(kind.left(60)));
        }
    }
    return {};
}

TokenizerFile::Done TokenizerFile::readJson(const QJsonObject &object) {
    QByteArray charactersMap;
    std::optional<bool> metaspace;
    auto normalisers = normalisersOf(object[QStringLiteral("normalizer")], &charactersMap);
    if (!normalisers)
        return tl::unexpected(normalisers.error());
    const QJsonObject model = object[QStringLiteral("model")].toObject();
    bool areBytes = false;
    auto splitters = splittersOf(object[QStringLiteral("pre_tokenizer")], &metaspace, &areBytes);
    if (!splitters)
        return tl::unexpected(splitters.error());
    m_made->m_normalisers = std::move(*normalisers);
    // SentencePiece splits at white space by itself.
    if (model[QStringLiteral("type")].toString() != QLatin1String("Unigram"))
        m_made->m_splitters = std::move(*splitters);
    std::vector<Tokenizer::Added> raw, normal;
    for (const QJsonValue token : object[QStringLiteral("added_tokens")].toArray()) {
        const auto flag = [&](const char *key) { return token[QLatin1String(key)].toBool(); };
        const Tokenizer::Added added{token[QStringLiteral("content")].toString(),
                                     idOf(token[QStringLiteral("id")]),
                                     flag("normalized"),
                                     flag("special"),
                                     flag("lstrip"),
                                     flag("rstrip")};
        if (added.id < 0 || added.text.isEmpty())
            return tl::unexpected(sentence("The word \"%1\" has no id.").arg(added.text.left(60)));
        m_added.push_back(added);
        (added.isNormal ? normal : raw).push_back(added);
    }
    if (auto read = readModel(model, charactersMap, metaspace, areBytes, m_added); !read)
        return read;
    m_made->m_raw = Tokenizer::finderOf(std::move(raw));
    m_made->m_normal = Tokenizer::finderOf(std::move(normal));
    return readFrame(object[QStringLiteral("post_processor")]);
}

Result<std::shared_ptr<const Tokenizer>> TokenizerFile::read(const QString &given) {
    QString path = given;
    if (QFileInfo(given).isDir()) {
        for (const char *name : {"tokenizer.json", "vocab.txt", "vocab.json", "spiece.model", "sentencepiece.bpe.model",
                                 "tokenizer.model"}) {
            path = QDir(given).filePath(QString::fromLatin1(name));
            if (QFileInfo(path).isFile())
                break;
        }
    }
    TokenizerFile file(path);
    file.m_made->m_file = given == QLatin1String("bytes") ? given : QFileInfo(path).fileName();
    Done done;
    if (given == QLatin1String("bytes")) {
        return file.readBytes()
            .transform([&] { return std::shared_ptr<const Tokenizer>(file.m_made); })
            .map_error([&](const Sentence &cause) { return noTokenizer(given, cause).value(); });
    }
    const auto content = contentOf(path);
    if (!content)
        return tl::unexpected(content.error());
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("txt")) {
        done = file.readWords(*content);
    } else if (suffix == QLatin1String("model")) {
        done = file.readPieces(*content);
    } else if (QFileInfo(path).fileName() == QLatin1String("vocab.json")) {
        const auto merges = contentOf(QFileInfo(path).absolutePath() + QStringLiteral("/merges.txt"));
        if (!merges)
            return tl::unexpected(merges.error());
        done = file.readPairs(*content, *merges);
    } else {
        const auto object = parseJsonObject(*content, path);
        if (!object)
            return tl::unexpected(object.error());
        done = file.readJson(*object);
    }
    if (!done)
        return noTokenizer(path, done.error());
    file.findEnds();
    if (file.m_made->m_words > Tokenizer::Limits::words)
        return noTokenizer(path, sentence("It has more than %1 words.").arg(Tokenizer::Limits::words));
    return file.m_made;
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::load(const QString &path) {
    return TokenizerFile::read(path);
}

}  // namespace hearth
