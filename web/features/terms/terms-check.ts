import { limits } from '@atrium/contract/limits.ts'
import { noTerms } from '@atrium/contract/terms/header.ts'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { report } from '../../api/log.ts'
import { latestTermsDigest } from '../../api/terms-digest.ts'

/** After a failure the list is requested at most this often, although the check runs every second. */
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

/** True when the digest of the last answer differs from the loaded one. */
export function isOutdated(latest: string | null, held: string | undefined): latest is string {
  return latest !== null && latest !== (held ?? noTerms)
}

/** Fetches the list when the last answer announced a change; when it announced none pending, sets an empty list. */
export async function loadTerms(client: QueryClient): Promise<void> {
  const latest = latestTermsDigest()
  const held = client.getQueryData(termsQuery.queryKey)?.digest
  if (!isOutdated(latest, held)) return
  if (latest === noTerms) {
    client.setQueryData(termsQuery.queryKey, nothing)
    return
  }
  // Without the text nothing is shown; the server still refuses calls that need these terms.
  await client.fetchQuery(termsQuery).catch((error: unknown) => report('terms.failed', { error: String(error) }))
}

/** The pending terms as last loaded. */
export function useTerms() {
  return useQuery({ ...termsQuery, enabled: false }).data?.terms ?? nothing.terms
}

/** For the frame only: compares the terms every second with the digest of the last answers. */
export function useTermsCheck(): void {
  const client = useQueryClient()
  useEffect(() => {
    let asked: { digest: string | null; atMs: number } = { digest: null, atMs: 0 }
    const timer = setInterval(() => {
      const latest = latestTermsDigest()
      if (!isOutdated(latest, client.getQueryData(termsQuery.queryKey)?.digest)) return
      if (latest === asked.digest && performance.now() - asked.atMs < retryMs) return
      asked = { digest: latest, atMs: performance.now() }
      loadTerms(client)
    }, limits.termsCheckMs)
    return () => clearInterval(timer)
  }, [client])
}
