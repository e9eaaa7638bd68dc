import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { sendAcceptance, type Terms } from './fetch-terms.ts'
import { termsQuery } from './terms-check.ts'
import { TermsSheet } from './terms-sheet.tsx'

type TermsPanelProps = {
  terms: Terms
  /** Terms still to come after these. */
  more: number
  headingLevel: 2 | 3
  onLeave: () => void
}

/** Terms as they are asked: accept them, or leave. */
export function TermsPanel({ terms, ...sheet }: TermsPanelProps) {
  const { t } = useTranslation()
  const [isTicked, setTicked] = useState(false)
  const accepting = useAccept()
  return (
    <TermsSheet
      {...sheet}
      terms={terms}
      isTicked={isTicked}
      onTick={setTicked}
      onAccept={() => accepting.mutate(terms)}
      isPending={accepting.isPending}
      trouble={accepting.error && <Callout meaning="red">{t(accepting.error.message)}</Callout>}
    />
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
