import { limits } from '@atrium/contract/limits.ts'
import { search } from '@atrium/contract/search.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { readGroups } from './findings.ts'

/** What the server finds, a pause after the last letter. While it looks again, what it found before stays in place. */
export function useSearch(query: string) {
  const [q] = useDebouncedValue(query.trim(), limits.filterDebounceMs)
  const asked = useQuery({
    queryKey: ['search', q],
    queryFn: async () => readGroups(await call(search, { q })),
    enabled: q !== '' && query.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
  })
  const isAsked = query.trim() !== ''
  return {
    groups: isAsked ? (asked.data ?? []) : [],
    isLooking: isAsked && (asked.isFetching || q !== query.trim()),
    error: isAsked ? asked.error : null,
  }
}
