import type { TradeOrder, TradeSort } from '@atrium/contract/trades/calls.ts'
import { Select } from '../../ui/fields/select.tsx'
import { useIsCompact } from '../../ui/layout/use-is-phone.ts'
import { DayFilters, FoldingFilters } from '../../ui/lists/folding-filters.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { countTradeFilters, readTradesSearch, type TradeFilters } from './trades-search.ts'

type Sorted = { sort: TradeSort; order: TradeOrder }
type FiltersProps = {
  filters: TradeFilters
  symbols: string[]
  platform: string
  sorting: Sorted
  onChange: (change: Partial<TradeFilters & Sorted>) => void
}

/** Choices apply immediately. The card layout has no column heads, so the order is chosen here. */
export function TradesFilters({ filters, symbols, platform, sorting, onChange }: FiltersProps) {
  const { t } = useTranslation()
  const isCompact = useIsCompact()
  const pick = (name: 'symbol' | 'side' | 'entry') => ({
    size: 'sm',
    value: filters[name] || null,
    clearable: true,
    placeholder: t('Any'),
    onChange: (value: string | null) => onChange({ [name]: value ?? '' }),
  })
  return (
    <FoldingFilters active={countTradeFilters(filters)} columns={5}>
      <Select
        label={t('Symbol')}
        searchable
        data={[...new Set([...symbols, filters.symbol])].filter((symbol) => symbol !== '')}
        {...pick('symbol')}
      />
      <Select
        label={t('Side')}
        data={[
          { value: 'buy', label: t('BUY') },
          { value: 'sell', label: t('SELL') },
        ]}
        {...pick('side')}
      />
      {platform === 'mt5' && (
        <Select
          label={t('Entry')}
          data={[
            { value: 'in', label: t('In') },
            { value: 'out', label: t('Out') },
          ]}
          {...pick('entry')}
        />
      )}
      <DayFilters from={filters.from} to={filters.to} onChange={onChange} />
      {isCompact && <SortSelect sorting={sorting} onChange={onChange} />}
    </FoldingFilters>
  )
}

function SortSelect({ sorting, onChange }: { sorting: Sorted; onChange: (sorted: Sorted) => void }) {
  const { t } = useTranslation()
  return (
    <Select
      size="sm"
      label={t('Sort by')}
      allowDeselect={false}
      data={[
        { value: 'time desc', label: t('Newest first') },
        { value: 'time asc', label: t('Oldest first') },
        { value: 'profit desc', label: t('Highest profit') },
        { value: 'profit asc', label: t('Highest loss') },
        { value: 'volume desc', label: t('Largest volume') },
        { value: 'symbol asc', label: t('Symbol, A to Z') },
      ]}
      value={`${sorting.sort} ${sorting.order}`}
      onChange={(value) => {
        const [sort, order] = (value ?? '').split(' ')
        const chosen = readTradesSearch({ sort, order })
        onChange({ sort: chosen.sort, order: chosen.order })
      }}
    />
  )
}
