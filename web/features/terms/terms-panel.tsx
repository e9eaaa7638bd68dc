import { termsTexts } from '@atrium/contract/terms/texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { BroughtIntoView } from '../../ui/feedback/brought-into-view.tsx'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { sendAcceptance, type Terms } from './fetch-terms.ts'
import { termsQuery } from './terms-check.ts'
import { TermsSheet } from './terms-sheet.tsx'
import { useIsNewer } from './use-is-newer.ts'

type TermsPanelProps = {
  terms: Terms
  /** The number of terms that follow. */
  more: number
  headingLevel: 2 | 3
  onLeave: () => void
}

/** Asks the member to accept terms or to leave. A newer version that replaces the one on the screen says so. */
export function TermsPanel(props: TermsPanelProps) {
  const { version } = props.terms
  return <Acceptance key={version} {...props} isNewer={useIsNewer(version)} />
}

function Acceptance({ terms, isNewer, ...sheet }: TermsPanelProps & { isNewer: boolean }) {
  const { t } = useTranslation()
  const form = useAcceptance(terms)
  return (
    <TermsSheet
      {...sheet}
      terms={terms}
      notice={
        isNewer && (
          <BroughtIntoView>
            <Callout meaning="red">{t(termsTexts.termsChanged)}</Callout>
          </BroughtIntoView>
        )
      }
      isTicked={form.values.isTicked}
      onTick={(isTicked) => form.change({ isTicked })}
      onAccept={form.submit}
      isPending={form.isSubmitting}
      trouble={<Refusal messages={form.refusal} isUnknown={form.isUnknown} />}
    />
  )
}

/** Removes accepted terms from the list immediately, and lets every screen retry what was refused. */
function useAcceptance(terms: Terms) {
  const client = useQueryClient()
  const renew = () => client.fetchQuery(termsQuery)
  return useCallForm({
    start: { isTicked: false },
    labels: {},
    send: () => sendAcceptance(terms),
    async onDone() {
      await client.cancelQueries({ queryKey: termsQuery.queryKey })
      const held = client.getQueryData(termsQuery.queryKey)
      const left = held?.terms.filter(({ _id }) => _id !== terms._id) ?? []
      // The remaining terms are known; their digest comes with the next list.
      client.setQueryData(termsQuery.queryKey, { terms: left, digest: held?.digest ?? '' })
      await renew().catch(() => undefined)
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'terms' })
    },
    onRefused(error) {
      // Changed, retired, or accepted in another tab meanwhile: the list shows which.
      if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found'))
        renew().catch(() => undefined)
    },
  })
}
