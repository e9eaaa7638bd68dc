import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { isConflict } from '../../api/api-error.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './profile-dialogs.module.css'

type SaveProblemProps = { error: Error | null; now: string }

/** An error that belongs to no field. After a conflict it shows the stored value, so that saving again overwrites it knowingly. */
export function SaveProblem({ error, now }: SaveProblemProps) {
  const { t } = useTranslation()
  if (!error) return null
  if (!isConflict(error)) return <Callout meaning="red">{t(error.message)}</Callout>
  return (
    <Callout meaning="amber">
      {t(error.message)} {t('Currently saved: {{now}}. Save again to replace it.', { now: now || t('nothing') })}
    </Callout>
  )
}

type DialogButtonsProps = { isSaving: boolean; onCancel: () => void; aside?: ReactNode; save?: string }

export function DialogButtons({ isSaving, onCancel, aside, save }: DialogButtonsProps) {
  const { t } = useTranslation()
  return (
    <div className={parts.buttons} data-group="sm" data-justify="end">
      {aside && <div className={parts.aside}>{aside}</div>}
      <Button variant="default" disabled={isSaving} onClick={onCancel}>
        {t('Cancel')}
      </Button>
      <Button type="submit" loading={isSaving}>
        {save ?? t('Save')}
      </Button>
    </div>
  )
}
