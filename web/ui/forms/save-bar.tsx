import { Button } from '@mantine/core'
import { useTranslation } from '../text/use-translation.ts'
import parts from './save-bar.module.css'

type SaveBarProps = {
  isDirty: boolean
  isSaving: boolean
  /** A file of the form is on its way. */
  isWaiting?: boolean
  onUndo: () => void
}

/** The save and undo buttons of a form. */
export function SaveBar({ isDirty, isSaving, isWaiting = false, onUndo }: SaveBarProps) {
  const { t } = useTranslation()
  return (
    <div className={parts.bar}>
      <Button type="submit" loading={isSaving} disabled={!isDirty || isWaiting}>
        {isWaiting ? t('Sending the file') : t('Save changes')}
      </Button>
      <Button variant="subtle" disabled={!(isDirty || isWaiting) || isSaving} onClick={onUndo}>
        {t('Discard changes')}
      </Button>
      {!isDirty && !isWaiting && <span className={parts.note}>{t('No changes to save.')}</span>}
    </div>
  )
}
