import type { ListDeclaration } from '@atrium/contract/list.ts'
import { Button, Skeleton } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useIsPhone } from '../../layout/use-is-phone.ts'
import { useTranslation } from '../../text/use-translation.ts'
import parts from './collapsible-filters.module.css'

type CollapsibleFiltersProps = {
  /** The number of active filters, shown on a phone, where the filters are collapsed. */
  active: number
  /** The number of columns on wide screens. */
  columns: 3 | 4 | 5
  children: ReactNode
}

const widths = { 3: parts.three, 4: '', 5: parts.five }

/** The filters of a member's list: visible on wide screens, behind a button on a phone. */
export function CollapsibleFilters({ active, columns, children }: CollapsibleFiltersProps) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const [isShown, setShown] = useState(false)
  return (
    <search data-stack="md" aria-label={t('Filters')}>
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
      {(!isPhone || isShown) && <div className={`${parts.filters} ${widths[columns]}`}>{children}</div>}
    </search>
  )
}

/** The room of a list's fields until their code has loaded. */
export function RoomForFields({ list }: { list: ListDeclaration }) {
  return Object.keys(list.filters).map((name) => <Skeleton key={name} className={parts.room ?? ''} />)
}
