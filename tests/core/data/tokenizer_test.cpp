// What frames texts, and tokenizers that are none; tokenizers.py compares tokens with other implementations.
#include "core/data/tokenizer.h"

#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

QString text(const char *words) {
    return QString::fromUtf8(words);
}

constexpr auto words = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nsmall\n##er\ncat\ndog\n";

}  // namespace

class TokenizerTest : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() { makeFolder(); }
    void oneTextIsFramed();
    void theLongerOfTwoTextsIsCut_data();
    void theLongerOfTwoTextsIsCut();
    void aVocabularyTellsWhetherCapitalsBecomeSmall_data();
    void aVocabularyTellsWhetherCapitalsBecomeSmall();
    void framesComeFromTheFile();
    void addedTokensAreFoundAsTheyStand();
    void aSplitMayKeepOrRemoveWhatItFinds_data();
    void aSplitMayKeepOrRemoveWhatItFinds();
    void bytesAreThoseOfByT5();
    void tokensBecomeTextAgain_data();
    void tokensBecomeTextAgain();
    void brokenFilesAreErrors_data();
    void brokenFilesAreErrors();
    void aLongWordTakesNoTime();
};

void TokenizerTest::oneTextIsFramed() {
    save(text("vocab.txt"), words);
    const auto tokenizer = Tokenizer::load(path());
    QVERIFY2(tokenizer, tokenizer ? "" : qPrintable(tokenizer.error().toString()));
    QCOMPARE((*tokenizer)->framed({text("SMALLER cat bird")}, 100, nullptr), (std::vector<int>{2, 5, 6, 7, 1, 3}));
    QCOMPARE((*tokenizer)->framed({text("Smaller [MASK]dog")}, 5, nullptr), (std::vector<int>{2, 5, 6, 4, 3}));
    QCOMPARE((*tokenizer)->framed({QString()}, 5, nullptr), (std::vector<int>{2, 3}));
    QCOMPARE((*tokenizer)->words(), 9);
    QCOMPARE((*tokenizer)->padding(), 0);
}

void TokenizerTest::theLongerOfTwoTextsIsCut_data() {
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<int>("most");
    QTest::addColumn<std::vector<int>>("tokens");
    QTest::addColumn<std::vector<int>>("segments");
    const auto row = [](const char *name, const char *first, const char *second, int most,
                        const std::vector<int> &tokens, const std::vector<int> &segments) {
        QTest::newRow(name) << text(first) << text(second) << most << tokens << segments;
    };
    row("both fit", "cat", "dog", 9, {2, 7, 3, 8, 3}, {0, 0, 0, 1, 1});
    row("the first is longer", "cat cat cat cat", "dog", 7, {2, 7, 7, 7, 3, 8, 3}, {0, 0, 0, 0, 0, 1, 1});
    row("the second is longer", "cat", "dog dog dog dog", 6, {2, 7, 3, 8, 8, 3}, {0, 0, 0, 1, 1, 1});
    row("both are too long", "cat cat cat cat cat", "dog dog dog", 7, {2, 7, 7, 3, 8, 8, 3}, {0, 0, 0, 0, 1, 1, 1});
    row("there is room for the frame alone", "cat", "dog", 3, {2, 3, 3}, {0, 0, 1});
    row("there is less", "cat", "dog", 2, {2, 3}, {0, 0});
}

void TokenizerTest::theLongerOfTwoTextsIsCut() {
    QFETCH(QString, first);
    QFETCH(QString, second);
    QFETCH(int, most);
    save(text("vocab.txt"), words);
    const auto tokenizer = Tokenizer::load(path(text("vocab.txt")));
    QVERIFY(tokenizer);
    std::vector<int> segments;
    const auto tokens = (*tokenizer)->framed({first, second}, static_cast<std::size_t>(most), &segments);
    QTEST(tokens, "tokens");
    QTEST(segments, "segments");
}

void TokenizerTest::aVocabularyTellsWhetherCapitalsBecomeSmall_data() {
    QTest::addColumn<QByteArray>("vocabulary");
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<bool>("lowers");
    QTest::newRow("it has none") << QByteArray("[UNK]\ncat\n") << QByteArray() << true;
    QTest::newRow("it has some") << QByteArray("[UNK]\nCat\n") << QByteArray() << false;
    QTest::newRow("it has none, and the file beside it says otherwise")
        << QByteArray("[UNK]\ncat\n") << QByteArray(R"({"do_lower_case":false})") << false;
}

void TokenizerTest::aVocabularyTellsWhetherCapitalsBecomeSmall() {
    QFETCH(QByteArray, vocabulary);
    QFETCH(QByteArray, config);
    QFETCH(bool, lowers);
    save(text("vocab.txt"), vocabulary);
    if (!config.isEmpty())
        save(text("tokenizer_config.json"), config);
    const auto tokenizer = Tokenizer::load(path());
    QVERIFY2(tokenizer, tokenizer ? "" : qPrintable(tokenizer.error().toString()));
    QVERIFY((*tokenizer)->lowers() == lowers);
    QVERIFY(!(*Tokenizer::load(text("bytes")))->lowers());
}

void TokenizerTest::framesComeFromTheFile() {
    save(text("tokenizer.json"), R"({"added_tokens":[{"id":0,"content":"<s>","special":true},
        {"id":1,"content":"</s>","special":true}],"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},
        "post_processor":{"type":"RobertaProcessing","cls":["<s>",0],"sep":["</s>",1]},
        "model":{"type":"BPE","vocab":{"<s>":0,"</s>":1,"a":2,"b":3,"ab":4},"merges":["a b"]}})");
    const auto tokenizer = Tokenizer::load(path());
    QVERIFY2(tokenizer, tokenizer ? "" : qPrintable(tokenizer.error().toString()));
    QCOMPARE((*tokenizer)->framed({text("aab")}, 9, nullptr), (std::vector<int>{0, 2, 4, 1}));
    QCOMPARE((*tokenizer)->framed({text("a"), text("b")}, 9, nullptr), (std::vector<int>{0, 2, 1, 1, 3, 1}));
    QCOMPARE((*tokenizer)->end(), 1);
    save(text("tokenizer.json"), R"({"post_processor":{"type":"BertProcessing","cls":["x",7],"sep":["y",1]},
        "model":{"type":"WordPiece","vocab":{"[UNK]":0}}})");
    const auto beyond = Tokenizer::load(path());
    QVERIFY(beyond);
    QCOMPARE((*beyond)->words(), 8);  // a network that knows fewer is told so
}

void TokenizerTest::addedTokensAreFoundAsTheyStand() {
    save(text("tokenizer.json"), R"({"added_tokens":[{"id":3,"content":"<m>","special":true,"lstrip":true},
        {"id":4,"content":"<m>>","special":true}],"normalizer":{"type":"Lowercase"},
        "pre_tokenizer":{"type":"WhitespaceSplit"},
        "model":{"type":"WordPiece","vocab":{"[UNK]":0,"cat":1,"##s":2}}})");
    const auto tokenizer = Tokenizer::load(path(text("tokenizer.json")));
    QVERIFY2(tokenizer, tokenizer ? "" : qPrintable(tokenizer.error().toString()));
    QCOMPARE((*tokenizer)->encode(text("CATS  <m> cat<m>><M>")), (std::vector<int>{1, 2, 3, 1, 4, 0}));
}

void TokenizerTest::aSplitMayKeepOrRemoveWhatItFinds_data() {
    QTest::addColumn<QByteArray>("split");
    QTest::addColumn<std::vector<int>>("tokens");
    const std::vector<int> words{1, 2}, all{1, 3, 2};
    QTest::newRow("words are found, the rest is removed")
        << QByteArray(R"("pattern":{"Regex":"[a-z]+"},"behavior":"Removed","invert":true)") << words;
    QTest::newRow("what is between words is found and removed")
        << QByteArray(R"("pattern":{"Regex":"[^a-z]+"},"behavior":"Removed","invert":false)") << words;
    QTest::newRow("words stand alone") << QByteArray(R"("pattern":{"Regex":"[a-z]+"},"behavior":"Isolated")") << all;
    QTest::newRow("what is between words stands alone")
        << QByteArray(R"("pattern":{"Regex":"[a-z]+"},"behavior":"Isolated","invert":true)") << all;
}

void TokenizerTest::aSplitMayKeepOrRemoveWhatItFinds() {
    QFETCH(QByteArray, split);
    QFETCH(std::vector<int>, tokens);
    save(text("tokenizer.json"), R"({"pre_tokenizer":{"type":"Split",)" + split +
                                     R"(},"model":{"type":"WordPiece","vocab":{"[UNK]":0,"a":1,"cat":2,"-":3}}})");
    const auto tokenizer = Tokenizer::load(path(text("tokenizer.json")));
    QVERIFY2(tokenizer, tokenizer ? "" : qPrintable(tokenizer.error().toString()));
    QCOMPARE((*tokenizer)->encode(text("a-cat")), tokens);
}

void TokenizerTest::bytesAreThoseOfByT5() {
    const auto tokenizer = Tokenizer::load(text("bytes"));
    QVERIFY(tokenizer);
    QCOMPARE((*tokenizer)->framed({text("aé")}, 9, nullptr), (std::vector<int>{100, 198, 172, 1}));
    QCOMPARE((*tokenizer)->words(), 259);
    QCOMPARE((*tokenizer)->decode((*tokenizer)->framed({text("aé\n")}, 9, nullptr)), text("aé\n"));
}

void TokenizerTest::tokensBecomeTextAgain_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    const auto row = [](const char *name, const char *file, const char *content, const char *before,
                        const char *after) {
        QTest::newRow(name) << text(file) << QByteArray(content) << text(before) << text(after);
    };
    row("pieces of words", "vocab.txt", words, "SMALLER  cat [MASK] dog", "smaller cat dog");
    row("bytes as letters", "tokenizer.json", R"({"added_tokens":[{"id":4,"content":"<|endoftext|>","special":true}],
        "pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},
        "model":{"type":"BPE","vocab":{"a":0,"Ã":1,"©":2,"Ġ":3},"merges":[]}})",
        "é a<|endoftext|>a", "é aa");
    row("letters, and bytes for others", "tokenizer.json", R"({"normalizer":{"type":"Replace","pattern":{"String":" "},
        "content":"▁"},"model":{"type":"BPE","byte_fallback":true,"vocab":{"▁":0,"a":1,"<0x0A>":2,"▁a":3,"<0xC3>":4,
        "<0xA9>":5},"merges":["▁ a"]}})",
        "a a\na é", "a a\na é");
    row("the likeliest pieces", "tokenizer.json", R"({"pre_tokenizer":{"type":"Metaspace","add_prefix_space":true},
        "model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["▁a",-1],["b",-2],["▁",-3],["a",-3]]}})",
        "ab a", " ab a");
}

void TokenizerTest::tokensBecomeTextAgain() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, before);
    save(file, content);
    const auto tokenizer = Tokenizer::load(path());
    QVERIFY2(tokenizer, tokenizer ? "" : qPrintable(tokenizer.error().toString()));
    QTEST((*tokenizer)->decode((*tokenizer)->encode(before)), "after");
}

void TokenizerTest::brokenFilesAreErrors_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("an empty file") << text("tokenizer.json") << QByteArray();
    QTest::newRow("no vocabulary") << text("tokenizer.json") << QByteArray(R"({"model":{"type":"BPE","merges":[]}})");
    QTest::newRow("an id that is none") << text("tokenizer.json")
                                        << QByteArray(R"({"model":{"type":"WordPiece","vocab":{"[UNK]":0,"a":-3}}})");
    QTest::newRow("an id beyond all bounds")
        << text("tokenizer.json") << QByteArray(R"({"model":{"type":"WordPiece","vocab":{"[UNK]":0,"a":1e15}}})");
    QTest::newRow("another model") << text("tokenizer.json") << QByteArray(R"({"model":{"type":"WordLevel"}})");
    QTest::newRow("an unknown step")
        << text("tokenizer.json")
        << QByteArray(R"({"normalizer":{"type":"Nmt"},"model":{"type":"WordPiece","vocab":{"[UNK]":0}}})");
    QTest::newRow("no word for what is unknown") << text("vocab.txt") << QByteArray("a\nb\n");
    QTest::newRow("no SentencePiece model") << text("spiece.model") << QByteArray("\x0a\xff\xff\xff\xff");
}

void TokenizerTest::brokenFilesAreErrors() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    save(name, content);
    const auto tokenizer = Tokenizer::load(path());
    QVERIFY(!tokenizer);
    QVERIFY2(tokenizer.error().toString().contains(name), qPrintable(tokenizer.error().toString()));
}

/// Pairs are found by a queue: a million letters in a row take a second, not a day.
void TokenizerTest::aLongWordTakesNoTime() {
    save(text("tokenizer.json"), R"({"pre_tokenizer":{"type":"ByteLevel"},
        "model":{"type":"BPE","vocab":{"a":0,"aa":1,"aaaa":2},"merges":["a a","aa aa"]}})");
    const auto tokenizer = Tokenizer::load(path());
    QVERIFY(tokenizer);
    QCOMPARE((*tokenizer)->encode(QString(1'000'000, u'a')).size(), std::size_t{250'000});
}

QTEST_GUILESS_MAIN(TokenizerTest)
#include "tokenizer_test.moc"
