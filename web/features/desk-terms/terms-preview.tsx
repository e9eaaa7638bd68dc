import type { TermsText } from '@atrium/contract/terms/desk-calls.ts'
import { withParagraphs } from '@atrium/contract/terms/html.ts'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { TermsSheet } from '../terms/terms-sheet.tsx'
import parts from './desk-terms.module.css'

type TermsPreviewProps = { text: TermsText; title: string }

/** The text as in the portal, rendered by the same components. */
export function TermsPreview({ text, title }: TermsPreviewProps) {
  const { t } = useTranslation()
  const [isTicked, setTicked] = useState(false)
  const template = useDeferredValue(text.template)
  const isOver = text.blocked_portal_sections.includes('all')
  return (
    <section data-stack="md" data-shrink aria-label={title}>
      <div data-group="md" data-nowrap data-align="baseline" data-justify="between">
        <h3 className={parts.previewTitle}>{title}</h3>
        <span className={parts.quiet}>{isOver ? t('Over every page') : t('In place of a closed page')}</span>
      </div>
      <div className={parts.sheet}>
        <p className={parts.sheetTitle}>
          <bdi>{text.name || t('Untitled terms')}</bdi>
        </p>
        <TermsSheet
          terms={{
            ...text,
            template: withParagraphs(template),
            tickbox_text: text.tickbox_text || t('Text beside the checkbox'),
          }}
          more={0}
          headingLevel={3}
          isTicked={isTicked}
          onTick={setTicked}
        />
      </div>
      <p className={parts.quiet}>{t('Try the checkbox and scrolling: nothing is sent.')}</p>
    </section>
  )
}
