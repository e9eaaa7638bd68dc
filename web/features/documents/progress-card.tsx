import { Button } from '@mantine/core'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { labelsOfStatus } from './document-labels.ts'
import parts from './documents.module.css'
import type { Need, Progress } from './use-documents.ts'

type ProgressCardProps = { progress: Progress; isPaused: boolean; onAdd: (need: Need) => void }

/** The progress towards approval and the missing documents; empty without requirements. */
export function ProgressCard({ progress, isPaused, onAdd }: ProgressCardProps) {
  const { t } = useTranslation()
  const { required, done, needs } = progress
  if (required === 0) return null
  const isDone = done === required
  return (
    <Card data-stack="md" data-pad="lg">
      <div data-group="sm" data-align="center" data-justify="between">
        <h2 className={parts.progressTitle}>
          {isDone ? t('Your identity is verified') : t('{{done}} of {{required}} approved', { done, required })}
        </h2>
        <StatusPill {...translated(labelsOfStatus(progress.status), t)} />
      </div>
      <div
        className={parts.bar}
        role="progressbar"
        aria-label={t('Approved documents')}
        aria-valuemin={0}
        aria-valuemax={required}
        aria-valuenow={done}
      >
        <div className={parts.filled} style={{ width: `${(done / required) * 100}%` }} />
      </div>
      {!isDone && (
        <ul data-stack="sm" aria-label={t('What we need from you')}>
          {needs.map((need) => (
            <li key={need._id} data-group="md" data-lines="sm" data-align="center">
              <span className={parts.needName}>
                {need.name}
                {need.note && <span className={parts.note}>{need.note}</span>}
              </span>
              <StatusPill {...translated(labelsOfStatus(need.standing), t)} />
              {['missing', 'pending', 'rejected'].includes(need.standing) && (
                <Button
                  size="xs"
                  variant="default"
                  disabled={isPaused}
                  aria-label={t('Add: {{name}}', { name: need.name })}
                  onClick={() => onAdd(need)}
                >
                  {t('Add')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const translated = ({ meaning, label }: ReturnType<typeof labelsOfStatus>, t: (text: string) => string) => ({
  meaning,
  label: t(label),
})
