import { Box, Button, Checkbox } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { Callout } from '../../ui/state.tsx'
import { sendAcceptance, type Terms } from './fetch-terms.ts'
import { termsQuery } from './terms-check.ts'
import parts from './terms-panel.module.css'

type TermsPanelProps = {
  terms: Terms
  /** Terms still to come after these. */
  more: number
  /** The level of the headings in the text: one below what stands over it. */
  headingLevel: 2 | 3
  onLeave: () => void
}

/** The text to read, the box to tick, and the two ways on: accept, or leave. */
export function TermsPanel({ terms, more, headingLevel, onLeave }: TermsPanelProps) {
  const { t } = useTranslation()
  const [isTicked, setTicked] = useState(false)
  const accepting = useAccept()
  const accept = (event: FormEvent) => {
    event.preventDefault()
    if (isTicked && !accepting.isPending) accepting.mutate(terms)
  }
  return (
    <form className={parts.panel} onSubmit={accept}>
      <Box component="section" className={parts.text ?? ''} aria-label={terms.name} data-autofocus tabIndex={0}>
        <RichText html={terms.template} headingLevel={headingLevel} />
      </Box>
      <Checkbox
        label={terms.tickbox_text}
        checked={isTicked}
        onChange={(event) => setTicked(event.currentTarget.checked)}
      />
      {accepting.error && <Callout meaning="red">{t(accepting.error.message)}</Callout>}
      <div className={parts.foot}>
        <p className={parts.more}>
          {isTicked ? t('Accept to continue.') : t('Tick the box to continue.')}{' '}
          {more > 0 && t('{{count}} more to read after these.', { count: more })}
        </p>
        <Button variant="default" onClick={onLeave}>
          {t('Logout')}
        </Button>
        <Button type="submit" disabled={!isTicked} loading={accepting.isPending}>
          {t('Accept')}
        </Button>
      </div>
    </form>
  )
}

/** Accepted terms go at once, and every screen asks again for what it was refused. */
function useAccept() {
  const client = useQueryClient()
  const renew = () => client.fetchQuery(termsQuery)
  return useMutation({
    mutationFn: sendAcceptance,
    onSuccess: async (_answer, { _id }) => {
      await client.cancelQueries({ queryKey: termsQuery.queryKey })
      const held = client.getQueryData(termsQuery.queryKey)
      const left = held?.terms.filter((terms) => terms._id !== _id) ?? []
      // What is left is known; the newest word for it comes with the list itself.
      client.setQueryData(termsQuery.queryKey, { terms: left, digest: held?.digest ?? '' })
      await renew().catch(() => undefined)
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'terms' })
    },
    onError: (error) => {
      // Changed, retired, or accepted in another tab meanwhile: the list says which.
      if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found'))
        renew().catch(() => undefined)
    },
  })
}
