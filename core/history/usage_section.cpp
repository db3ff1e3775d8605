#include "core/history/usage_section.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>

#include "core/base/sentence.h"
#include "core/data/preparation.h"
#include "core/data/tokenizer.h"
#include "core/history/markdown.h"
#include "core/history/usage_python.h"

namespace hearth {
namespace {

constexpr qsizetype mostListed = 1000;  // classes and columns; all are in the files

QString exact(double value) {
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString exact(const std::vector<double> &values) {
    QStringList texts;
    for (const double value : values)
        texts << exact(value);
    return texts.join(QStringLiteral(", "));
}

QString pictureWords(const NetworkUse &use) {
    const Shape &sample = use.data.samples.front().shape;
    const InputTransform &input = use.data.input;
    const char *fit = use.fit == PictureFit::Crop    ? "its middle fills it"
                      : use.fit == PictureFit::Whole ? "all of it stands before black"
                                                     : "all of it is stretched to it";
    QString words = QStringLiteral(
                        "A picture becomes %1 pixels wide and %2 high, %3: %4. Its bytes, channel by channel, are "
                        "multiplied by %5;")
                        .arg(sample[2])
                        .arg(sample[1])
                        .arg(sample[0] == 1 ? QStringLiteral("grey") : QStringLiteral("red, green and blue"),
                             QLatin1String(fit), exact(input.scale));
    if (input.repeatChannels > 1)
        words += QStringLiteral(" the channels are repeated %1 times;").arg(input.repeatChannels);
    words += QStringLiteral(
                 " of each channel the mean (%1) is taken off, and what is left is divided by the deviation (%2).")
                 .arg(exact(use.means()), exact(use.deviations()));
    if (input.pad[0] > 0 || input.pad[1] > 0)
        words += Sentence::filled(
            QStringLiteral(" Then {1|comes|come} %1 {1|row|rows} of zeros above and below, and %2 {2|column|columns} "
                           "left and right."),
            {QString::number(input.pad[0]), QString::number(input.pad[1])});
    return words + QLatin1Char('\n');
}

QString columnWords(const TableColumn &column) {
    QStringList names;
    for (const QString &category : column.categories)
        names << plainMarkdown(category);
    const QString words = column.isNumber()
                              ? QStringLiteral("(value − %1) / %2").arg(exact(column.mean), exact(column.deviation))
                              : QStringLiteral("1 for its own, else 0: ") + names.join(QStringLiteral(", "));
    return column.lacks ? words + QStringLiteral("; then 1 where it is missing, else 0") : words;
}

QString rowWords(const std::vector<TableColumn> &columns) {
    QString words = QStringLiteral(
        "A row becomes these numbers, in this order; of a value that is missing all are 0.\n\n"
        "| Column | Numbers |\n|---|---|\n");
    qsizetype left = mostListed;
    for (const TableColumn &column : columns) {
        if (left-- == 0)
            break;
        words += QStringLiteral("| ") + plainMarkdown(column.name) + QStringLiteral(" | ") + columnWords(column) +
                 QStringLiteral(" |\n");
    }
    const auto all = static_cast<qsizetype>(columns.size());
    return all > mostListed ? words + QStringLiteral("\nThere are %1 more.\n").arg(all - mostListed) : words;
}

QString textWords(const NetworkUse &use) {
    const Tokenizer &tokenizer = *use.preparation->tokenizer();
    const bool areBytes = tokenizer.file() == QLatin1String("bytes");
    QString words = areBytes ? QStringLiteral("The tokens of a text are its bytes (UTF-8), numbered as for ByT5.")
                             : QStringLiteral(
                                   "The tokenizer that makes tokens of a text is the file %1; keep it with the "
                                   "network (the run's folder has a copy in \"tokenizer\").")
                                   .arg(plainMarkdown(tokenizer.file()));
    words += QStringLiteral(" The network sees %1 tokens at once; fewer are filled up with %2.")
                 .arg(use.data.samples.front().elements())
                 .arg(tokenizer.padding());
    if (use.takes == NetworkUse::Takes::Prompts)
        words += QStringLiteral(" Behind each token it tells the next one.");
    return words + QLatin1Char('\n');
}

QString sampleWords(const NetworkUse &use) {
    switch (use.takes) {
        case NetworkUse::Takes::Pictures:
            return pictureWords(use);
        case NetworkUse::Takes::Rows:
            return rowWords(use.preparation->tableColumns());
        case NetworkUse::Takes::Texts:
        case NetworkUse::Takes::Prompts:
            return textWords(use);
        case NetworkUse::Takes::Arrays:
            break;
    }
    return QStringLiteral("The network takes the numbers of its arrays as they are.\n");
}

QString classWords(const QStringList &classes) {
    QStringList numbered;
    for (qsizetype i = 0; i < std::min(classes.size(), mostListed); ++i)
        numbered << QStringLiteral("%1 %2").arg(i).arg(plainMarkdown(classes[i]));
    if (classes.size() > mostListed)
        numbered << QStringLiteral("and %1 more").arg(classes.size() - mostListed);
    return numbered.isEmpty() ? QStringLiteral("Outputs are logits, one for each class.\n")
                              : QStringLiteral("Outputs are logits of these classes, by number: %1.\n")
                                    .arg(numbered.join(QStringLiteral(", ")));
}

QString answerWords(const NetworkUse &use) {
    if (use.hasQuantity()) {
        const RowLabels &labels = use.preparation->labels();
        return QStringLiteral("The output times %1, plus %2, is \"%3\" in the unit of its table.\n")
            .arg(exact(labels.deviation), exact(labels.mean), plainMarkdown(labels.column));
    }
    if (use.takes == NetworkUse::Takes::Prompts)
        return QStringLiteral("Outputs are logits of the tokens.\n");
    if (use.answers == LossFacts::Answers::Classes)
        return classWords(use.data.classes);
    return use.answers == LossFacts::Answers::YesOrNo
               ? QStringLiteral("Outputs are logits: 1 / (1 + exp(−x)) is how likely \"yes\" is.\n")
               : QStringLiteral("Outputs are numbers as the data have them.\n");
}

}  // namespace

QString usageSection(const QString &runFolder) {
    const QString title = QStringLiteral("\n## How to use it\n\n");
    const auto use = NetworkUse::load(runFolder);
    if (!use)
        return title + QStringLiteral("The run does not say what became of its samples.\n");
    return title + sampleWords(*use) + QLatin1Char('\n') + answerWords(*use) +
           QStringLiteral(
               "\nThe ONNX file and the safetensors have these values as metadata, where this program reads them:\n\n"
               "```python\n") +
           usagePython(*use).join(QLatin1Char('\n')) +
           QStringLiteral("```\n\nWith PyTorch and the safetensors it begins like this:\n\n```python\n") +
           usagePyTorch() + QStringLiteral("```\n");
}

}  // namespace hearth
