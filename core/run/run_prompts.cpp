#include "core/run/run_prompts.h"

#include <algorithm>
#include <array>

#include "core/data/preparation.h"
#include "core/data/tokenizer.h"

namespace hearth {
namespace {

constexpr qint64 usualTokens = 16;

/// Token ids in, as many rows of words out.
bool continuesTexts(const Model &model, const Dataset &data) {
    const Shape &output = model.layers.back().shape.outputs.front().shape;
    return data.parts().size() == 1 && output.size() == 2 && data.sample().dtype == DType::Int64 &&
           data.sample().shape == Shape{output.front()};
}

/// The beginning of the first text that is not learnt.
Result<PromptTokens> beginning(const Dataset &data, const std::shared_ptr<const Tokenizer> &tokenizer) {
    constexpr std::array splits{Split::Validation, Split::Test, Split::Train};
    const auto split = std::ranges::find_if(splits, [&](Split one) { return data.count(one) > 0; });
    const qint64 length = data.sample().elements();
    std::vector<qint64> sample(static_cast<std::size_t>(length));
    const qint64 first = 0;
    if (auto read = data.readSamples(*split, 0, {&first, 1}, std::as_writable_bytes(std::span(sample))); !read)
        return tl::unexpected(read.error());
    // A half of what the network sees, so that it also sees what it says.
    sample.resize(static_cast<std::size_t>(std::clamp<qint64>(length / 2, 1, usualTokens)));
    return PromptTokens::of({sample.begin(), sample.end()}, tokenizer, length);
}

}  // namespace

Result<std::vector<PromptTokens>> promptsOf(const Job &job, const Model &model, const Dataset &data) {
    std::vector<PromptTokens> prompts;
    if (job.prompts && job.prompts->isEmpty())
        return prompts;
    const auto tokenizer = tokenizerOfPlainTexts(data);
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    if (!*tokenizer || !continuesTexts(model, data)) {
        if (!job.prompts)
            return prompts;
        return fail(QStringLiteral("job.prompts"), sentence("The network cannot continue prompts."),
                    sentence("Only one that learns plain texts does."),
                    sentence("Take \"prompts\" out of the job, or train on plain texts."));
    }
    if (!job.prompts) {
        return beginning(data, *tokenizer).map([](const PromptTokens &prompt) { return std::vector{prompt}; });
    }
    for (const QString &text : *job.prompts) {
        auto prompt = PromptTokens::of(text, *tokenizer, data.sample().elements());
        if (!prompt) {
            Error error = prompt.error();
            error.code = QStringLiteral("job.prompts");
            error.what = sentence("The prompt \"%1\" of the job cannot be continued.").arg(text.left(40));
            return tl::unexpected(error);
        }
        prompts.push_back(std::move(*prompt));
    }
    return prompts;
}

}  // namespace hearth
