import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useTranslation } from '../ui/text/use-translation.ts'

type LoadedList<Entry> = { queryKey: QueryKey; queryFn: () => Promise<Entry[]>; staleTime: number }

/** For a field that offers a list. One that did not load says so, and is requested again when the field is opened. */
export function useLoadedList<Entry>(query: LoadedList<Entry>, error: string | undefined, noMatch: string) {
  const { t } = useTranslation()
  const list = useQuery(query)
  return {
    entries: list.data ?? [],
    isLoading: list.isPending,
    field: {
      error: list.data || !list.error ? error : t(list.error.message),
      nothingFoundMessage: list.isFetching ? t('Loading') : noMatch,
      onDropdownOpen: () => {
        if (list.isError) void list.refetch()
      },
    },
  }
}
