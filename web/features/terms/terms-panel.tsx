import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { sendAcceptance, type Terms } from './fetch-terms.ts'
import { termsQuery } from './terms-check.ts'
import { TermsSheet } from './terms-sheet.tsx'

type TermsPanelProps = {
  terms: Terms
  /** The number of terms that follow. */
  more: number
  headingLevel: 2 | 3
  onLeave: () => void
}

/** Asks the member to accept terms or to leave. */
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

/** Removes accepted terms from the list immediately, and lets every screen retry what was refused. */
function useAccept() {
  const client = useQueryClient()
  const renew = () => client.fetchQuery(termsQuery)
  return useMutation({
    mutationFn: sendAcceptance,
    onSuccess: async (_answer, { _id }) => {
      await client.cancelQueries({ queryKey: termsQuery.queryKey })
      const held = client.getQueryData(termsQuery.queryKey)
      const left = held?.terms.filter((terms) => terms._id !== _id) ?? []
      // The remaining terms are known; their digest comes with the next list.
      client.setQueryData(termsQuery.queryKey, { terms: left, digest: held?.digest ?? '' })
      await renew().catch(() => undefined)
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'terms' })
    },
    onError: (error) => {
      // Changed, retired, or accepted in another tab meanwhile: the list shows which.
      if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found'))
        renew().catch(() => undefined)
    },
  })
}
