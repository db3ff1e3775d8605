#include "ui/job/pictures_card.h"

#include <QCheckBox>
#include <QComboBox>
#include <utility>

#include "core/model/loss_facts.h"
#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/run/job_value_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr int asItIs = -1;  // of a job that says something else than any of the choices

/// Nothing where two pictures cannot be one.
Augmentation chosen(int strength, const Job &job, const Shape &input) {
    auto augmentation = Augmentation::usual(static_cast<Augmentation::Strength>(strength), input[1]);
    augmentation.flip = job.augment.flip;
    if (LossFacts::byName(job.loss)->answers != LossFacts::Answers::Classes)
        augmentation.mixup = augmentation.cutmix = 0;
    return augmentation;
}

}  // namespace

PicturesCard::PicturesCard(JobDraft &draft, QWidget *parent)
    : JobCard(tr("Pictures"), parent),
      m_draft(draft),
      m_fit(new QComboBox),
      m_vary(new QComboBox),
      m_mirror(new QCheckBox(tr("Mirror every second one, left to right"))),
      m_note(makeLabel({}, "small")) {
    m_fit->setObjectName(QStringLiteral("jobFit"));
    m_fit->setAccessibleName(tr("How pictures become the network's input"));
    m_fit->addItem(tr("Fitted as the data need it"), asItIs);
    for (int fit = 0; fit < pictureFitNames().size(); ++fit)
        m_fit->addItem(jobValueText(QStringLiteral("fit"), pictureFitNames()[fit]), fit);
    connect(m_fit, &QComboBox::activated, this, [this] {
        const int fit = m_fit->currentData().toInt();
        m_draft.setFit(fit == asItIs ? std::nullopt : std::optional(static_cast<PictureFit>(fit)));
    });
    m_vary->setObjectName(QStringLiteral("jobVary"));
    m_vary->setAccessibleName(tr("How training pictures are varied"));
    using Strength = Augmentation::Strength;
    for (const auto &[strength, text] : {std::pair(Strength::None, tr("Not varied")),
                                         {Strength::Light, tr("Varied lightly")},
                                         {Strength::Usual, tr("Varied as is usual")},
                                         {Strength::Strong, tr("Varied strongly")}})
        m_vary->addItem(text, static_cast<int>(strength));
    connect(m_vary, &QComboBox::activated, this, &PicturesCard::vary);
    for (QComboBox *box : {m_fit, m_vary})  // as wide as the card, whatever language says it
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_mirror->setObjectName(QStringLiteral("jobMirror"));
    m_mirror->setToolTip(tr("Not for letters and digits."));
    connect(m_mirror, &QCheckBox::clicked, this, [this](bool mirrors) {
        Augmentation augmentation = m_draft.choices().augment;
        augmentation.flip = mirrors;
        m_draft.setAugmentation(augmentation);
    });
    m_note->setObjectName(QStringLiteral("jobVaryNote"));
    m_note->setWordWrap(true);
    for (QWidget *each : {static_cast<QWidget *>(m_fit), static_cast<QWidget *>(m_vary),
                          static_cast<QWidget *>(m_mirror), static_cast<QWidget *>(m_note)})
        body()->addWidget(each);
    connect(&draft, &JobDraft::changed, this, &PicturesCard::refresh);
    hide();
}

void PicturesCard::setInput(const hearth::Shape &input) {
    if (std::exchange(m_input, input) == input)
        return;
    setVisible(!input.empty());
    refresh();
}

void PicturesCard::vary() {
    if (const int strength = m_vary->currentData().toInt(); strength != asItIs)
        m_draft.setAugmentation(chosen(strength, m_draft.choices(), m_input));
}

void PicturesCard::refresh() {
    if (m_input.empty())
        return;
    const Job &job = m_draft.choices();
    m_fit->setCurrentIndex(m_fit->findData(job.fit ? static_cast<int>(*job.fit) : asItIs));
    m_mirror->setChecked(job.augment.flip);
    // What none of the choices says is one more, as long as it lasts.
    const int own = m_vary->findData(asItIs), choices = own < 0 ? m_vary->count() : own;
    int index = choices - 1;
    while (index >= 0 && chosen(m_vary->itemData(index).toInt(), job, m_input) != job.augment)
        --index;
    if (index >= 0 && own >= 0)
        m_vary->removeItem(own);
    else if (index < 0 && own < 0)
        m_vary->addItem(tr("Varied as this job says"), asItIs);
    m_vary->setCurrentIndex(index < 0 ? choices : index);
    m_note->setText(described());
}

QString PicturesCard::described() const {
    const Augmentation &augmentation = m_draft.choices().augment;
    QStringList told;
    if (augmentation.crop < 1)
        told << tr("a random part of %1 at least").arg(formatPercent(augmentation.crop));
    if (augmentation.shift > 0)
        told << tr("moved by %n pixel(s) at most", nullptr, augmentation.shift);
    if (augmentation.colour > 0)
        told << tr("colours changed by %1 at most").arg(formatPercent(augmentation.colour));
    if (augmentation.randomOps > 0)
        told << tr("%n change(s) of RandAugment", nullptr, augmentation.randomOps);
    if (augmentation.mixup > 0)
        told << tr("mixed with another one");
    if (augmentation.cutmix > 0)
        told << tr("with a part of another one");
    if (told.isEmpty())
        return tr("The network sees each picture the same every time.");
    return tr("In every pass anew: %1. Test pictures are not varied.").arg(told.join(QStringLiteral(", ")));
}

}  // namespace hearth
