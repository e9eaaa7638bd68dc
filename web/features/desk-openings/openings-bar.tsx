import { accountKinds, openingStates } from '@atrium/contract/opening-states.ts'
import { useTranslation } from 'react-i18next'
import { saveTable } from '../../api/save-table.ts'
import { FilterBar, FilterChoice, SearchField, TableButton } from '../../ui/filter-bar.tsx'
import { filtersOf, type OpeningSearch, withFilter } from './opening-search.ts'
import { openingWords } from './opening-words.ts'

type OpeningsBarProps = {
  search: OpeningSearch
  platforms: { _id: string; name: string }[]
  onSearch: (search: OpeningSearch) => void
}

export function OpeningsBar({ search, platforms, onSearch }: OpeningsBarProps) {
  const { t } = useTranslation()
  const filter = (name: keyof OpeningSearch) => (value: string | null) =>
    onSearch(withFilter(search, { [name]: value }))
  return (
    <FilterBar>
      <SearchField
        label={t('Search by member')}
        placeholder={t('Name, email, customer number or login')}
        value={search.q ?? ''}
        onSearch={filter('q')}
      />
      <FilterChoice
        label={t('Outcome')}
        all={t('Any outcome')}
        data={openingStates.map((value) => ({ value, label: t(openingWords[value].label) }))}
        value={search.state}
        onChoose={filter('state')}
      />
      <FilterChoice
        label={t('Kind')}
        all={t('Live and demo')}
        data={accountKinds.map((value) => ({ value, label: value === 'live' ? t('Live') : t('Demo') }))}
        value={search.kind}
        onChoose={filter('kind')}
      />
      <FilterChoice
        label={t('Platform')}
        all={t('Any platform')}
        data={platforms.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={search.platform}
        onChoose={filter('platform')}
      />
      <TableButton save={() => saveTable('/desk/api/openings/table', filtersOf(search), 'openings.csv')} />
    </FilterBar>
  )
}
