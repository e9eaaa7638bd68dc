import { limits } from '@atrium/contract/limits.ts'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { toast } from '../feedback/toast.ts'
import { useTranslation } from '../text/use-translation.ts'
import parts from './list-selection.module.css'
import { rowIdOf, type Selection } from './use-selection.ts'

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
      .catch((error: Error) => toast.refused(t(error.message)))
      .finally(() => setSaving(false))
  }
  return (
    <fieldset className={parts.bar} aria-label={t('Selected rows')}>
      <span aria-live="polite">
        {isFull(selection)
          ? t('Selected: {{count}} (maximum)', { count: selection.ids.size })
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
        {t('Export selected')}
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={() => selection.set(false)}>
        {t('Done')}
      </Button>
    </fieldset>
  )
}
