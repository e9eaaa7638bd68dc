import { limits } from '@atrium/contract/limits.ts'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { notice } from '../feedback/notice.ts'
import { useTranslation } from '../text/use-translation.ts'
import parts from './list-selection.module.css'

export type Selection = {
  isOn: boolean
  ids: ReadonlySet<string>
  set: (isOn: boolean) => void
  turn: (id: string) => void
  add: (ids: readonly string[]) => void
}

const none: ReadonlySet<string> = new Set()

/** The selected rows, across pages; a change of filters clears them. */
export function useSelection(filters: string): Selection {
  const [isOn, setOn] = useState(false)
  const [kept, setKept] = useState({ filters, ids: none })
  const ids = kept.filters === filters ? kept.ids : none
  const keep = (wanted: readonly string[]) => setKept({ filters, ids: new Set(wanted.slice(0, limits.pageSizeMax)) })
  return {
    isOn,
    ids,
    set: (on) => {
      setOn(on)
      if (!on) keep([])
    },
    turn: (id) => {
      setOn(true)
      keep(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id])
    },
    add: (more) => keep([...new Set([...ids, ...more])]),
  }
}

/** The id of a row's content, which names the row for screen readers and receives the keyboard focus. */
export const rowIdOf = (id: string): string => `row-${id}`

export function RowSelect({ selection, id }: { selection: Selection; id: string }) {
  const { t } = useTranslation()
  return (
    <Checkbox
      className={parts.box ?? ''}
      size="xs"
      aria-label={t('Select the row')}
      aria-describedby={rowIdOf(id)}
      disabled={isFull(selection) && !selection.ids.has(id)}
      checked={selection.ids.has(id)}
      onChange={() => selection.turn(id)}
    />
  )
}

const isFull = ({ ids }: Selection): boolean => ids.size >= limits.pageSizeMax

type SelectionBarProps = { selection: Selection; page: readonly { _id: string }[]; save: () => Promise<void> }

/** The actions on the selected rows. */
export function SelectionBar({ selection, page, save }: SelectionBarProps) {
  const { t } = useTranslation()
  const [isSaving, setSaving] = useState(false)
  const start = () => {
    setSaving(true)
    save()
      .catch((error: Error) => notice.refused(t(error.message)))
      .finally(() => setSaving(false))
  }
  return (
    <fieldset className={parts.bar} aria-label={t('Selected rows')}>
      <span aria-live="polite">
        {isFull(selection)
          ? t('Selected: {{count}}, the most there can be', { count: selection.ids.size })
          : t('Selected: {{count}}', { count: selection.ids.size })}
      </span>
      <Button
        size="compact-xs"
        variant="default"
        disabled={isFull(selection)}
        onClick={() => selection.add(page.map(({ _id }) => _id))}
      >
        {t('Select this page')}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        disabled={selection.ids.size === 0}
        loading={isSaving}
        onClick={start}
      >
        {t('Export the selected')}
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={() => selection.set(false)}>
        {t('Done')}
      </Button>
    </fieldset>
  )
}
