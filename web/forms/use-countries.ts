import { readCountries } from '@atrium/contract/workspace-settings/calls.ts'
import { call } from '../api/transport.ts'
import { useTranslation } from '../ui/text/use-translation.ts'
import { useLoadedList } from './use-loaded-list.ts'

/** For a field that asks for a country. */
export function useCountries(error: string | undefined) {
  const { t } = useTranslation()
  const countries = {
    queryKey: ['countries'],
    queryFn: async () => (await call(readCountries, {})).countries,
    staleTime: Number.POSITIVE_INFINITY,
  }
  const { entries, field } = useLoadedList(countries, error, t('No matching country'))
  return { data: entries.map(({ _id, name }) => ({ value: _id, label: name })), ...field }
}
