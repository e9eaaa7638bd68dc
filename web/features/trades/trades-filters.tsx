import type { TradeOrder, TradeSort } from '@atrium/contract/trades.ts'
import { Button, Select } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateInput } from '../../ui/date-input.tsx'
import { useIsCompact, useIsPhone } from '../../ui/use-is-phone.ts'
import parts from './trades.module.css'
import { countTradeFilters, readTradesSearch, type TradeFilters } from './trades-search.ts'

type Sorted = { sort: TradeSort; order: TradeOrder }
type FiltersProps = {
  filters: TradeFilters
  symbols: string[]
  platform: string
  sorting: Sorted
  onChange: (change: Partial<TradeFilters & Sorted>) => void
}

/** Choices apply at once. As cards the list has no heads to sort by, so the order is chosen here. */
export function TradesFilters({ filters, symbols, platform, sorting, onChange }: FiltersProps) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const isCompact = useIsCompact()
  const [isShown, setShown] = useState(false)
  const active = countTradeFilters(filters)
  const pick = (name: 'symbol' | 'side' | 'entry') => ({
    size: 'sm',
    value: filters[name] || null,
    clearable: true,
    placeholder: t('Any'),
    onChange: (value: string | null) => onChange({ [name]: value ?? '' }),
  })
  return (
    <search className={parts.filterBar} aria-label={t('Filters')}>
      {isPhone && (
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.5} />}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          {active > 0 ? t('Filters ({{number}})', { number: active }) : t('Filters')}
        </Button>
      )}
      {(!isPhone || isShown) && (
        <div className={parts.filters}>
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
          <DateInput size="sm" label={t('From')} value={filters.from} onChange={(from) => onChange({ from })} />
          <DateInput size="sm" label={t('To')} value={filters.to} onChange={(to) => onChange({ to })} />
          {isCompact && <SortSelect sorting={sorting} onChange={onChange} />}
        </div>
      )}
    </search>
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
