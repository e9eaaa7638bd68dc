import type { ListDeclaration } from '@atrium/contract/list.ts'
import { ActionIcon, Checkbox } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { Fragment, type ReactNode, type Ref } from 'react'
import { Select } from '../fields/select.tsx'
import { useTranslation } from '../text/use-translation.ts'
import { Tooltip } from '../tooltip/tooltip.tsx'
import { FilterBar, FilterChoice, SearchField, TableButton } from './filter-bar.tsx'
import { type ListSearch, readListSearch, withFilter } from './list-address.ts'
import { ColumnChoice, SavedFilters } from './list-views.tsx'
import type { ListState } from './use-list.ts'

/** Labels by filter value. */
type ListLabels = Record<string, string | { label: string }>

/** The current filters and the function that changes them. */
export type ListSet<List extends ListDeclaration> = {
  search: ListSearch<List>
  change: (change: Partial<Record<keyof List['filters'], string | null>>) => void
}

/** The control of a filter: with fixed labels, with choices from the answer, or custom. */
export type ListControl<List extends ListDeclaration, Answer> =
  | { label: string; placeholder: string }
  | { label: string; all: string; labels: ListLabels }
  | { label: string; labels: ListLabels }
  | { label: string; all: string; from: (answer: Answer) => readonly { _id: string; name: string }[] }
  | { label: string; isSwitch: true }
  | ((set: ListSet<List>) => ReactNode)

/** In display order. */
export type ListControls<List extends ListDeclaration, Answer> = {
  [Name in keyof List['filters']]?: ListControl<List, Answer>
}

/** Whether one of them is a search field. */
export const isSearched = (controls: object): boolean =>
  Object.values(controls).some((control: unknown) => typeof control === 'object' && 'placeholder' in (control ?? {}))

type ListBarProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = {
  at: ListState<List, Row, Answer>
  controls: ListControls<List, Answer>
  columns?: readonly { key: string; header: string }[] | undefined
  children?: ReactNode
}

/** The filters of a list, and its export. */
export function ListBar<List extends ListDeclaration, Row extends { _id: string }, Answer>(
  props: ListBarProps<List, Row, Answer>,
) {
  const { at, controls, columns, children } = props
  const { source, list, search, filters, page, selection, field, go, save } = at
  const { t } = useTranslation()
  const answer = page.data?.answer
  const change: ListSet<List>['change'] = (wanted) => go(withFilter(list, search, wanted))
  const said = search as Record<string, string | undefined>
  return (
    <FilterBar>
      {Object.entries<ListControl<List, Answer> | undefined>(controls).map(([name, control]) => {
        const filter = list.filters[name]
        if (!control || !filter) return null
        const usual = filter.kind === 'choice' ? (filter.first?.(search) ?? filter.usual) : undefined
        if (typeof control === 'function') return <Fragment key={name}>{control({ search, change })}</Fragment>
        const choose = (value: string | null) => change({ [name]: value } as never)
        return <Control key={name} control={control} value={said[name] ?? usual} {...{ answer, field, choose }} />
      })}
      {children}
      {source.views && (
        <SavedFilters store={source.views} filters={filters} onApply={(saved) => go(readListSearch(list, saved))} />
      )}
      {source.views && columns && <ColumnChoice store={source.views} columns={columns} />}
      {save && source.views && source.isSelectable && (
        <Tooltip label={t('Select rows')}>
          <ActionIcon
            size={30}
            aria-label={t('Select rows')}
            aria-pressed={selection.isOn}
            variant={selection.isOn ? 'light' : 'subtle'}
            onClick={() => selection.set(!selection.isOn)}
          >
            <IconListCheck size={18} stroke={1.5} />
          </ActionIcon>
        </Tooltip>
      )}
      {save && <TableButton save={save} />}
    </FilterBar>
  )
}

type ControlProps<Answer> = {
  control: Exclude<ListControl<ListDeclaration, Answer>, (set: never) => ReactNode>
  value: string | undefined
  answer: Answer | undefined
  field: Ref<HTMLInputElement> | undefined
  choose: (value: string | null) => void
}

function Control<Answer>({ control, value, answer, field, choose }: ControlProps<Answer>) {
  const { t } = useTranslation()
  const label = t(control.label)
  if ('placeholder' in control)
    return (
      <SearchField
        {...(field && { field })}
        label={label}
        placeholder={t(control.placeholder)}
        value={value ?? ''}
        onSearch={choose}
      />
    )
  if ('isSwitch' in control)
    return (
      <Checkbox
        w="auto"
        size="xs"
        label={label}
        checked={value === 'yes'}
        onChange={({ currentTarget }) => choose(currentTarget.checked ? 'yes' : null)}
      />
    )
  const data =
    'from' in control
      ? (answer ? control.from(answer) : []).map(({ _id, name }) => ({ value: _id, label: name }))
      : Object.entries(control.labels).map(([word, said]) => ({
          value: word,
          label: t(typeof said === 'string' ? said : said.label),
        }))
  if ('all' in control)
    return <FilterChoice label={label} all={t(control.all)} data={data} value={value} onChoose={choose} />
  return (
    <Select size="xs" aria-label={label} allowDeselect={false} data={data} value={value ?? null} onChange={choose} />
  )
}
