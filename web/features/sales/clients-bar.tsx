import { clientStatuses } from '@atrium/contract/members/sales.ts'
import { IconSearch } from '@tabler/icons-react'
import { Select } from '../../ui/fields/select.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useRestingText } from '../../ui/lists/use-resting-text.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { statusLabels } from './client-labels.ts'
import parts from './clients.module.css'
import { type ClientsSearch, readClientsSearch } from './clients-search.ts'

type ClientsBarProps = { search: ClientsSearch; onChange: (change: Partial<ClientsSearch>) => void }

/** Typed text applies after a short pause, choices immediately. */
export function ClientsBar({ search, onChange }: ClientsBarProps) {
  const { t } = useTranslation()
  const orders = [
    { value: 'name asc', label: t('Name, A to Z') },
    { value: 'name desc', label: t('Name, Z to A') },
    { value: 'customer_number asc', label: t('Client number') },
    { value: 'live_count desc', label: t('Most live accounts') },
    { value: 'live_count asc', label: t('Fewest live accounts') },
    { value: 'demo_count desc', label: t('Most demo accounts') },
    { value: 'status asc', label: t('Status') },
  ]
  return (
    <search className={parts.bar} aria-label={t('Filters')}>
      <TextInput
        size="sm"
        className={parts.search ?? ''}
        label={t('Name or client number')}
        leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
        charsMax={100}
        {...useRestingText(search.q, (q) => onChange({ q }), 100)}
      />
      <Select
        size="sm"
        label={t('Status')}
        placeholder={t('Any')}
        clearable
        data={clientStatuses.map((value) => ({ value, label: t(statusLabels[value].label) }))}
        value={search.status || null}
        onChange={(status) => onChange({ status: readClientsSearch({ status }).status })}
      />
      <Select
        size="sm"
        label={t('Sort by')}
        allowDeselect={false}
        data={orders}
        value={`${search.sort} ${search.order}`}
        onChange={(value) => {
          const [sort, order] = (value ?? '').split(' ')
          const chosen = readClientsSearch({ sort, order })
          onChange({ sort: chosen.sort, order: chosen.order })
        }}
      />
    </search>
  )
}
