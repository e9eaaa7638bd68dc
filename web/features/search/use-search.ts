import { limits } from '@atrium/contract/limits.ts'
import { search } from '@atrium/contract/search/calls.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { readGroups, stillMatching } from './findings.ts'

/** The server's results, debounced. While new ones load, earlier ones that match as well stay visible. */
export function useSearch(query: string) {
  const words = query.trim().length > limits.searchCharsMax ? '' : query.trim()
  const [q] = useDebouncedValue(words, limits.filterDebounceMs)
  const asked = useQuery({
    queryKey: ['search', q],
    queryFn: async () => readGroups(await call(search, { q })),
    enabled: q !== '' && words !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
  })
  const isAsked = words !== ''
  const { data = [] } = asked
  const groups = q !== words || asked.isPlaceholderData ? stillMatching(data, words) : data
  return {
    groups: isAsked ? groups : [],
    isSearching: isAsked && (asked.isFetching || q !== words),
    error: isAsked ? asked.error : null,
  }
}
