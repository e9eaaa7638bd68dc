import { Box, Button, Checkbox } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { RichText } from '../../ui/text/rich-text.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './terms-panel.module.css'

type TermsSheetProps = {
  terms: { name: string; template: string; tickbox_text: string }
  /** The number of terms that follow. */
  more: number
  /** The level of the headings in the text: one below the heading above it. */
  headingLevel: 2 | 3
  isTicked: boolean
  onTick: (isTicked: boolean) => void
  /** Absent in the preview for staff. */
  onAccept?: () => void
  onLeave?: () => void
  isPending?: boolean
  /** Above the text. */
  notice?: ReactNode
  trouble?: ReactNode
}

/** The text of the terms, the checkbox, and the buttons to accept or leave. */
export function TermsSheet({ terms, more, headingLevel, isTicked, onTick, ...rest }: TermsSheetProps) {
  const { t } = useTranslation()
  const { onAccept, onLeave, isPending = false, notice, trouble } = rest
  const accept = (event: FormEvent) => {
    event.preventDefault()
    if (isTicked) onAccept?.()
  }
  return (
    <form className={parts.panel} onSubmit={accept}>
      {notice}
      <Box
        component="section"
        className={parts.text ?? ''}
        aria-label={terms.name}
        tabIndex={0}
        {...(onAccept && { 'data-autofocus': true })}
      >
        <RichText html={terms.template} headingLevel={headingLevel} />
      </Box>
      <Checkbox
        label={terms.tickbox_text}
        checked={isTicked}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
      {trouble}
      <div className={parts.foot} data-group="sm" data-align="center" data-justify="end">
        <p className={parts.more}>
          {isTicked ? t('Accept to continue.') : t('Tick the box to continue.')}{' '}
          {more > 0 && t('{{count}} more to read after these.', { count: more })}
        </p>
        <Button variant="default" onClick={onLeave}>
          {t('Logout')}
        </Button>
        <Button type="submit" disabled={!isTicked} loading={isPending}>
          {t('Accept')}
        </Button>
      </div>
    </form>
  )
}
