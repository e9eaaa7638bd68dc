import { limits } from '@atrium/contract/limits.ts'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { RichTextField } from './rich-text-field.tsx'
import { SectionsPicker } from './sections-picker.tsx'
import { fieldLabels, type TermsForm } from './use-terms-form.ts'

export function TermsFields({ values: text, change, errorOf }: Pick<TermsForm, 'values' | 'change' | 'errorOf'>) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t(fieldLabels.name)}
        description={t('Shown to members above the text.')}
        labelProps={requiredLabel}
        size="sm"
        charsMax={limits.termsNameCharsMax}
        value={text.name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <RichTextField
        label={t(fieldLabels.template)}
        description={t('Headings, paragraphs, lists and links. Pasted text keeps these and loses fonts and pictures.')}
        charsMax={limits.termsTextCharsMax}
        value={text.template}
        error={errorOf('template')}
        onChange={(template) => change({ template })}
      />
      <TextInput
        label={t(fieldLabels.tickbox_text)}
        description={t('What members confirm by ticking the box, in the first person.')}
        placeholder={t('I have read the client agreement and accept it.')}
        labelProps={requiredLabel}
        size="sm"
        charsMax={limits.termsTickboxCharsMax}
        value={text.tickbox_text}
        error={errorOf('tickbox_text')}
        onChange={(event) => change({ tickbox_text: event.currentTarget.value })}
      />
      <SectionsPicker
        value={text.blocked_portal_sections}
        error={errorOf('blocked_portal_sections')}
        onChange={(blocked_portal_sections) => change({ blocked_portal_sections })}
      />
    </>
  )
}
