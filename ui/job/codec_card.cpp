#include "ui/job/codec_card.h"

#include <QCheckBox>
#include <QComboBox>

#include "core/base/block_codecs.h"
#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/run/run_model.h"
#include "ui/words/codec_words.h"

namespace hearth {

CodecCard::CodecCard(JobDraft &draft, const RunModel &run, QWidget *parent)
    : JobCard(tr("Between stages"), parent),
      m_draft(draft),
      m_run(run),
      m_codec(new QComboBox),
      m_note(makeLabel({}, "small")),
      m_offer(makeLabel({}, "secondary")),
      m_gradients(new QCheckBox(tr("Round gradients inside groups"))),
      m_gradientNote(makeLabel({}, "small")) {
    m_codec->setObjectName(QStringLiteral("jobCodec"));
    m_codec->setAccessibleName(tr("Compression between stages"));
    m_codec->addItem(tr("Send numbers as they are"), static_cast<int>(CodecChoice::None));
    m_codec->addItem(tr("Compress to 16 or 8 bits where links are slow"), static_cast<int>(CodecChoice::Auto));
    m_codec->addItem(tr("Compress to 4 bits as well"), static_cast<int>(CodecChoice::Strong));
    // As wide as the card, whatever language says it.
    m_codec->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_codec, &QComboBox::activated, this,
            [this] { m_draft.setCodec(static_cast<CodecChoice>(m_codec->currentData().toInt())); });
    m_note->setObjectName(QStringLiteral("jobCodecNote"));
    m_note->setWordWrap(true);
    m_offer->setObjectName(QStringLiteral("jobCodecOffer"));
    m_offer->setWordWrap(true);
    body()->addWidget(m_codec);
    body()->addWidget(m_note);
    body()->addWidget(m_offer);
    m_gradients->setObjectName(QStringLiteral("jobGradientCodec"));
    connect(m_gradients, &QCheckBox::clicked, this,
            [this](bool checked) { m_draft.setGradientCodec(checked ? bfp8Codec : noCodec()); });
    m_gradientNote->setObjectName(QStringLiteral("jobGradientNote"));
    m_gradientNote->setWordWrap(true);
    body()->addWidget(m_gradients);
    body()->addWidget(m_gradientNote);
    connect(&draft, &JobDraft::changed, this, &CodecCard::refresh);
    connect(&run, &RunModel::planChanged, this, &CodecCard::refreshOffer);
    connect(&run, &RunModel::cleared, this, &CodecCard::refreshOffer);
    refresh();
}

void CodecCard::refresh() {
    const Job &choices = m_draft.choices();
    m_codec->setCurrentIndex(m_codec->findData(static_cast<int>(choices.codec)));
    // Float64 is there to be compared exactly.
    m_codec->setEnabled(choices.precision != Precision::Float64 || choices.codec != CodecChoice::None);
    switch (choices.codec) {
        case CodecChoice::None:
            m_note->setText(tr("Exact: nothing is rounded on its way between devices."));
            break;
        case CodecChoice::Auto:
            m_note->setText(
                tr("Rounds what crosses slow links, up to four times fewer bytes. Numbers change by "
                   "less than 1 %, which training hardly notices."));
            break;
        case CodecChoice::Strong:
            m_note->setText(
                tr("Up to eight times fewer bytes. Numbers change by about a tenth: the trained "
                   "network may be a little less accurate."));
            break;
    }
    m_gradients->setChecked(choices.gradientCodec != &noCodec());
    m_gradients->setEnabled(choices.precision != Precision::Float64 || m_gradients->isChecked());
    m_gradientNote->setText(m_gradients->isChecked()
                                ? tr("To 8 bits, in groups of up to four devices. What rounding takes is added to the "
                                     "next round's gradients, so nothing is lost.")
                                : tr("Exact: devices of a group sum their gradients as they are."));
    refreshOffer();
}

/// What the last plan of this network was told.
void CodecCard::refreshOffer() {
    const Job &choices = m_draft.choices();
    const std::optional<Job> &judged = m_run.job();
    const std::optional<Plan> &plan = m_run.plan();
    const bool offers = choices.codec == CodecChoice::None && judged && haveSameNetwork(*judged, choices) &&
                        judged->batch == choices.batch && plan && plan->prediction && plan->prediction->codecGain;
    m_offer->setVisible(offers);
    if (offers)
        m_offer->setText(codecOfferText(*plan->prediction->codecGain));
}

}  // namespace hearth
