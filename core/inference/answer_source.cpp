#include "core/inference/answer_source.h"

namespace hearth {

void AnswerSource::fail(const Error &error) {
    if (m_hasFailed)
        return;
    m_hasFailed = true;
    Q_EMIT failed(error);
}

}  // namespace hearth
