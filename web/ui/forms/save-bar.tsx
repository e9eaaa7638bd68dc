import { Button } from '@mantine/core'
import { useTranslation } from '../text/use-translation.ts'
import parts from './save-bar.module.css'

type SaveBarProps = { isDirty: boolean; isSaving: boolean; onUndo: () => void }

/** The save and undo buttons of a form. */
export function SaveBar({ isDirty, isSaving, onUndo }: SaveBarProps) {
  const { t } = useTranslation()
  return (
    <div className={parts.bar}>
      <Button type="submit" loading={isSaving} disabled={!isDirty}>
        {t('Save changes')}
      </Button>
      <Button variant="subtle" disabled={!isDirty || isSaving} onClick={onUndo}>
        {t('Discard changes')}
      </Button>
      {!isDirty && <span className={parts.note}>{t('No changes to save.')}</span>}
    </div>
  )
}
