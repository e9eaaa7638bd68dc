import { Tag } from '../../ui/feedback/status-pill.tsx'
import { listInWords } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { ChangedPart, FormChange } from './form-difference.ts'
import parts from './forms.module.css'

const kindLabels = { added: 'New', removed: 'Removed', changed: 'Changed' } as const

const partLabels: Record<ChangedPart, string> = {
  name: 'name',
  description: 'description',
  type: 'kind',
  options: 'options',
  scores: 'points',
  settings: 'settings',
  condition: 'condition',
  'sent name': 'name in answers',
  place: 'place',
}

/** The changes between two versions, one line each. */
export function ChangeList({ changes }: { changes: FormChange[] }) {
  const { t } = useTranslation()
  if (changes.length === 0) return <p className={parts.quiet}>{t('No changes.')}</p>
  return (
    <ul className={parts.changes} data-stack="xs" aria-label={t('What changed')}>
      {changes.map(({ kind, what, label, parts: changed }) => (
        <li key={`${kind} ${what} ${label} ${changed.join()}`}>
          <Tag label={t(kindLabels[kind])} isStrong={kind !== 'changed'} />
          <span>
            {what === 'bands' ? t('Questionnaire results') : <bdi>{label}</bdi>}
            {what === 'step' && ` (${t('step')})`}
          </span>
          {changed.length > 0 && (
            <span className={parts.quiet}>{listInWords(changed.map((part) => t(partLabels[part])))}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
