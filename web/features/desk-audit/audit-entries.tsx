import { useTranslation } from 'react-i18next'
import { Moment } from '../../ui/moment.tsx'
import parts from './audit.module.css'
import { actionWords, actorWord, differencesOf } from './audit-words.ts'
import type { AuditEntry } from './use-audit.ts'

type AuditEntriesProps = {
  entries: AuditEntry[]
  isBusy: boolean
  /** On a member's own page everything is about that member. */
  isMemberShown: boolean
}

/** Who did what, when and from where, with what changed spelled out. */
export function AuditEntries({ entries, isBusy, isMemberShown }: AuditEntriesProps) {
  const { t } = useTranslation()
  return (
    <ol className={parts.entries} aria-label={t('Audit log')} aria-busy={isBusy}>
      {entries.map((entry) => (
        <li key={entry._id} className={parts.entry}>
          <div className={parts.line}>
            <strong>{t(actionWords(entry.action))}</strong>
            <Moment at={entry.at} />
          </div>
          <div className={parts.more}>
            <span>
              <bdi>{entry.actor.name ?? t(actorWord(entry.actor.kind))}</bdi>
              {entry.actor.name && ` (${t(actorWord(entry.actor.kind))})`}
            </span>
            {isMemberShown && entry.member && (
              <span>
                {t('about')} <bdi>{entry.member.name}</bdi> {'·'}{' '}
                {t('No. {{number}}', { number: entry.member.customer_number })}
              </span>
            )}
            {entry.address && <span>{t('from {{address}}', { address: entry.address })}</span>}
          </div>
          <Changes entry={entry} />
        </li>
      ))}
    </ol>
  )
}

function Changes({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  const differences = differencesOf(entry.before, entry.after)
  if (differences.length === 0) return null
  return (
    <dl className={parts.changes}>
      {differences.map(({ name, before, after }) => (
        <div key={name} className={parts.change}>
          <dt>{name}</dt>
          <dd>
            {before !== null && <del>{before}</del>}
            {before !== null && after !== null && <span aria-hidden>{' \u2192 '}</span>}
            {after !== null && <ins>{after}</ins>}
            {before !== null && after === null && <span>{t('nothing')}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
