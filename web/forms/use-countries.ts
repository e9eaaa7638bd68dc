import { readCountries } from '@atrium/contract/workspace-settings/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/transport.ts'
import { useTranslation } from '../ui/text/use-translation.ts'

/** For a field that asks for a country. A list that did not load says so, and is requested again when it is opened. */
export function useCountries(error: string | undefined) {
  const { t } = useTranslation()
  const countries = useQuery({
    queryKey: ['countries'],
    queryFn: async () => (await call(readCountries, {})).countries,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return {
    data: (countries.data ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
    error: countries.data || !countries.error ? error : t(countries.error.message),
    nothingFoundMessage: countries.isFetching ? t('Loading') : t('No matching country'),
    onDropdownOpen: () => {
      if (countries.isError) void countries.refetch()
    },
  }
}
