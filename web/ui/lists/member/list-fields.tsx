import type { ListDeclaration, ListFilter } from '@atrium/contract/list.ts'
import type { ComboboxData } from '@mantine/core'
import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { Select } from '../../fields/select.tsx'
import { TextInput } from '../../fields/text-input.tsx'
import { useDebouncedText } from '../../fields/use-debounced-text.ts'
import { useTranslation } from '../../text/use-translation.ts'
import { countFilters, withFilter } from '../list-address.ts'
import type { ListSet } from '../list-bar.tsx'
import { wordsCharsMax } from '../search-shapes.ts'
import type { ListState } from '../use-list.ts'
import { CollapsibleFilters } from './collapsible-filters.tsx'

type At<List extends ListDeclaration, Row extends { _id: string }, Answer> = { at: ListState<List, Row, Answer> }

/** The field of a filter: one of several values, typed text, or custom. */
type ListField<List extends ListDeclaration> =
  | { label: string; labels: Record<string, string | { label: string }> }
  | { label: string; data: ComboboxData; isSearchable?: true }
  | { label: string; typed: TypedOptions }
  | ((set: ListSet<List>) => ReactNode)

/** `take`: the text to keep of what was typed. */
type TypedOptions = { take?: (current: string, typed: string) => string } & Pick<
  ComponentProps<typeof TextInput>,
  'type' | 'inputMode' | 'placeholder' | 'leftSection'
>

type FieldsProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = At<List, Row, Answer> & {
  /** In display order. */
  fields: { [Name in keyof List['filters']]?: ListField<List> | false }
}
type ListFieldsProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = FieldsProps<
  List,
  Row,
  Answer
> & {
  /** The number of columns on wide screens. */
  columns: 3 | 4 | 5
}

/** The filters of a member's list, each with a visible label. */
export function ListFields<List extends ListDeclaration, Row extends { _id: string }, Answer>({
  at,
  fields,
  columns,
}: ListFieldsProps<List, Row, Answer>) {
  return (
    <CollapsibleFilters active={countFilters(at.list, at.search)} columns={columns}>
      <Fields at={at} fields={fields} />
    </CollapsibleFilters>
  )
}

/** Choices apply at once, typed text after a short pause. */
export function Fields<List extends ListDeclaration, Row extends { _id: string }, Answer>({
  at: { list, search, asked, field: input, go },
  fields,
}: FieldsProps<List, Row, Answer>) {
  const { t } = useTranslation()
  const change: ListSet<List>['change'] = (wanted) => go(withFilter(list, search, wanted))
  const said = asked as Record<string, string | undefined>
  return (
    <>
      {Object.entries<ListField<List> | false | undefined>(fields).map(([name, field]) => {
        if (!field) return null
        if (typeof field === 'function') return <Fragment key={name}>{field({ search, change })}</Fragment>
        const choose = (value: string | null) => change({ [name]: value } as never)
        const label = t(field.label)
        if ('typed' in field) {
          const given = { ...field.typed, label, input, charsMax: charsMaxOf(list.filters[name]) }
          return <Typed key={name} {...given} value={said[name] ?? ''} onTyped={choose} />
        }
        const data =
          'data' in field
            ? field.data
            : Object.entries(field.labels).map(([value, word]) => ({
                value,
                label: t(typeof word === 'string' ? word : word.label),
              }))
        return (
          <Select
            key={name}
            size="sm"
            label={label}
            placeholder={t('Any')}
            clearable
            searchable={'isSearchable' in field}
            data={data}
            value={said[name] ?? null}
            onChange={choose}
          />
        )
      })}
    </>
  )
}

const charsMaxOf = (filter: ListFilter | undefined): number =>
  filter?.kind === 'text' ? filter.charsMax : wordsCharsMax

type TypedProps = TypedOptions & {
  label: string
  value: string
  charsMax: number
  input: ComponentProps<typeof TextInput>['ref']
  onTyped: (text: string) => void
}

function Typed({ value, charsMax, take, input, onTyped, ...rest }: TypedProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      {...rest}
      {...(rest.type === 'search' && input && { ref: input })}
      {...(rest.placeholder && { placeholder: t(rest.placeholder) })}
      size="sm"
      charsMax={charsMax}
      autoComplete="off"
      {...useDebouncedText(value, onTyped, charsMax, take)}
    />
  )
}

type SortFieldProps = {
  /** Labels by sort key and direction, such as `name asc`. */
  labels: Record<string, string>
  asked: { sort?: string | undefined; order?: string | undefined }
  onSort: (sorted: { sort: string; order: string }) => void
}

/** Sort key and direction in one field. */
export function SortField({ labels, asked: { sort, order }, onSort }: SortFieldProps) {
  const { t } = useTranslation()
  return (
    <Select
      size="sm"
      label={t('Sort by')}
      allowDeselect={false}
      data={Object.entries(labels).map(([value, label]) => ({ value, label: t(label) }))}
      value={`${sort} ${order}`}
      onChange={(value) => {
        const [by = '', direction = ''] = (value ?? '').split(' ')
        onSort({ sort: by, order: direction })
      }}
    />
  )
}
