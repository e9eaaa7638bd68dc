import { limits } from '@atrium/contract/limits.ts'
import type { ListView, ListViewChange } from '@atrium/contract/staff/list-views.ts'
import { ActionIcon, Button, Checkbox, CloseButton } from '@mantine/core'
import { IconBookmark, IconColumns3 } from '@tabler/icons-react'
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { toast } from '../feedback/toast.ts'
import { TextInput } from '../fields/text-input.tsx'
import { LazyPopover } from '../lazy/lazy-popover.tsx'
import { useTranslation } from '../text/use-translation.ts'
import { Tooltip } from '../tooltip/tooltip.tsx'
import parts from './list-views.module.css'

/** The store of a user's saved filters and columns of one list. */
export type ListViewStore = {
  key: string
  read: () => Promise<ListView>
  save: (change: ListViewChange) => Promise<ListView>
}
/** `isKnown`: freshly loaded, so that saving the whole overwrites nothing. */
type Views = ListView & { isKnown: boolean; error: Error | null; set: (change: Partial<ListView>) => void }

const none: ListView = { saved: [], hidden: [] }

/** Saves optimistically; a failed save is reported and the stored state refetched. */
export function useListViews(store: ListViewStore | undefined, isNeeded = true): Views {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const queryKey = ['desk-list-view', store?.key]
  const { data = none, ...reading } = useQuery({
    queryKey,
    queryFn: store?.read ?? skipToken,
    enabled: isNeeded,
    refetchOnMount: 'always',
  })
  const saving = useMutation({
    mutationFn: async (change: ListViewChange) => store?.save(change) ?? none,
    scope: { id: `list-view-${store?.key}` },
    onSuccess: ({ saved, hidden }) => queries.setQueryData(queryKey, { saved, hidden }),
    onError: (error) => {
      toast.refused(t(error.message))
      return queries.invalidateQueries({ queryKey })
    },
  })
  const { saved, hidden } = data
  const set = (change: Partial<ListView>) => {
    queries.setQueryData(queryKey, { saved, hidden, ...change })
    saving.mutate(change)
  }
  return { saved, hidden, isKnown: reading.isSuccess && !reading.isFetching, error: reading.error, set }
}

type PanelProps = { label: string; icon: ReactNode; children: (close: () => void) => ReactNode }

/** The content is mounted, and its data loaded, only while the panel is open. */
function Panel({ label, icon, children }: PanelProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <LazyPopover
      isOpen={isOpen}
      setOpen={setOpen}
      trigger={
        <Tooltip label={label}>
          <ActionIcon
            size={30}
            aria-label={label}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {icon}
          </ActionIcon>
        </Tooltip>
      }
      hasRoles={false}
      role="dialog"
      aria-label={label}
      className={parts.panel ?? ''}
    >
      {isOpen && children(() => setOpen(false))}
    </LazyPopover>
  )
}

type SavedFiltersProps = {
  store: ListViewStore
  /** The current filters. */
  filters: object
  onApply: (filters: Record<string, string>) => void
}

/** Named filters, visible only to the user who saved them. */
export function SavedFilters(props: SavedFiltersProps) {
  const { t } = useTranslation()
  return (
    <Panel label={t('Saved filters')} icon={<IconBookmark size={18} stroke={1.5} />}>
      {(close) => (
        <Saved
          {...props}
          onApply={(filters) => {
            close()
            props.onApply(filters)
          }}
        />
      )}
    </Panel>
  )
}

function Saved({ store, filters, onApply }: SavedFiltersProps) {
  const { t } = useTranslation()
  const { saved, isKnown, error, set } = useListViews(store)
  const [name, setName] = useState('')
  const wanted = name.trim()
  const others = saved.filter((each) => each.name !== wanted)
  const search = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
  const isRefused = !isKnown || wanted === '' || others.length >= limits.savedFiltersMax
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (isRefused) return
    set({ saved: [...others, { name: wanted, search }] })
    setName('')
  }
  return (
    <>
      {error && <p className={parts.help}>{t(error.message)}</p>}
      {isKnown && saved.length === 0 && (
        <p className={parts.help}>{t('Saved filters are visible only to you. The search text is not saved.')}</p>
      )}
      {saved.map((each) => (
        <div key={each.name} data-group="sm" data-nowrap data-align="center" data-justify="between" data-shrink>
          <Button size="compact-sm" variant="subtle" onClick={() => onApply(each.search)}>
            {each.name}
          </Button>
          <CloseButton
            size="sm"
            aria-label={t('Delete {{name}}', each)}
            disabled={!isKnown}
            onClick={() => set({ saved: saved.filter((other) => other !== each) })}
          />
        </div>
      ))}
      <form data-group="sm" data-nowrap data-align="end" onSubmit={add}>
        <TextInput
          size="xs"
          label={t('Save these filters as')}
          charsMax={limits.nameCharsMax}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default" disabled={isRefused}>
          {t('Save')}
        </Button>
      </form>
    </>
  )
}

type ColumnChoiceProps = { store: ListViewStore; columns: readonly { key: string; header: string }[] }

/** Chooses the visible columns; the first one, which opens the row, is always visible. */
export function ColumnChoice(props: ColumnChoiceProps) {
  const { t } = useTranslation()
  return (
    <Panel label={t('Columns')} icon={<IconColumns3 size={18} stroke={1.5} />}>
      {() => <Columns {...props} />}
    </Panel>
  )
}

function Columns({ store, columns }: ColumnChoiceProps) {
  const { hidden, isKnown, set } = useListViews(store)
  return columns
    .slice(1)
    .map(({ key, header }) => (
      <Checkbox
        key={key}
        size="xs"
        label={header}
        checked={!hidden.includes(key)}
        disabled={!isKnown}
        onChange={() =>
          set({ hidden: hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key] })
        }
      />
    ))
}
