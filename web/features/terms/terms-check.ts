import { limits } from '@atrium/contract/limits.ts'
import { noTerms } from '@atrium/contract/terms/header.ts'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { report } from '../../api/log.ts'
import { toldTerms } from '../../api/told-terms.ts'

/** After a failure the same list is asked for again only so often; a check a second is never a call a second. */
const retryMs = 10_000

export const termsQuery = queryOptions({
  queryKey: ['terms'],
  queryFn: async () => {
    const { fetchTerms } = await import('./fetch-terms.ts')
    return fetchTerms()
  },
  staleTime: 0,
  retry: false,
})

type Held = { terms: []; digest: string }
const nothing: Held = { terms: [], digest: noTerms }

/** True when what the last answer said is not what is held. */
export function isOutdated(told: string | null, held: string | undefined): told is string {
  return told !== null && told !== (held ?? noTerms)
}

/** Fetches the list when the last answer said that it changed; when it said that there are none, that is the list. */
export async function loadTerms(client: QueryClient): Promise<void> {
  const told = toldTerms()
  const held = client.getQueryData(termsQuery.queryKey)?.digest
  if (!isOutdated(told, held)) return
  if (told === noTerms) {
    client.setQueryData(termsQuery.queryKey, nothing)
    return
  }
  // Without the text nothing is shown; the server refuses what waits for it all the same.
  await client.fetchQuery(termsQuery).catch((error: unknown) => report('terms.failed', { error: String(error) }))
}

/** What is pending, compared every second with what the last answers said of it. */
export function useTerms() {
  const client = useQueryClient()
  const { data } = useQuery({ ...termsQuery, enabled: false })
  useEffect(() => {
    let asked: { digest: string | null; atMs: number } = { digest: null, atMs: 0 }
    const timer = setInterval(() => {
      const told = toldTerms()
      if (!isOutdated(told, client.getQueryData(termsQuery.queryKey)?.digest)) return
      if (told === asked.digest && performance.now() - asked.atMs < retryMs) return
      asked = { digest: told, atMs: performance.now() }
      loadTerms(client)
    }, limits.termsCheckMs)
    return () => clearInterval(timer)
  }, [client])
  return data?.terms ?? nothing.terms
}
