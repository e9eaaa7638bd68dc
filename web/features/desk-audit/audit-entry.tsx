import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Amount } from '../../ui/money/amount.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { PlatformProblem } from '../../ui/text/platform-problem.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { actionLabels } from './action-labels.ts'
import parts from './audit.module.css'
import { differencesOf, labelOfActor, type NamesInLog } from './audit-labels.ts'
import { SubjectLink } from './subject-link.tsx'
import type { AuditEntry } from './use-audit.ts'

type AuditEntryProps = {
  entry: AuditEntry
  names: NamesInLog
  /** False on a member's own page, where every entry concerns that member. */
  isMemberShown: boolean
}

/** Actor, action, time and origin of an entry, with its changes spelled out. */
export function AuditEntryLine({ entry, names, isMemberShown }: AuditEntryProps) {
  const { t } = useTranslation()
  return (
    <div className={parts.entry}>
      <div className={parts.line}>
        <span className={parts.what}>
          <strong>{t(actionLabels(entry.action))}</strong>
          <Subject entry={entry} names={names} />
        </span>
        <Moment at={entry.at} />
      </div>
      <div className={parts.more}>
        <span>
          <bdi>{entry.actor.name ?? t(labelOfActor(entry.actor.kind))}</bdi>
          {entry.actor.name && ` (${t(labelOfActor(entry.actor.kind))})`}
        </span>
        {isMemberShown && entry.member && (
          <span>
            {t('about')}{' '}
            <Link to="/members/{-$memberId}" params={{ memberId: entry.member._id }}>
              <bdi>{entry.member.name}</bdi>
            </Link>{' '}
            {'\u00b7'} {t('No. {{number}}', { number: entry.member.customer_number })}
          </span>
        )}
        {entry.address && <span>{t('from {{address}}', { address: entry.address })}</span>}
      </div>
      <Changes entry={entry} names={names} />
    </div>
  )
}

/** The subject by number or name, with its amount; omitted when it is the member or actor already shown. */
function Subject({ entry, names }: { entry: AuditEntry; names: NamesInLog }) {
  const { subject, member, actor } = entry
  const named = names[subject._id]
  if (!named || subject._id === member?._id || subject._id === actor._id) return null
  return (
    <>
      <SubjectLink entry={entry} name={named.name} />
      {named.currency && <Amount amount={named.amount} currency={named.currency} />}
    </>
  )
}

/** Mirrored where the text runs to the left. */
function Becomes() {
  const { t } = useTranslation()
  return <IconArrowRight size={14} stroke={1.5} className={parts.becomes} role="img" aria-label={t('changed to')} />
}

function Changes({ entry, names }: { entry: AuditEntry; names: NamesInLog }) {
  const { t } = useTranslation()
  const differences = differencesOf(entry.before, entry.after, names)
  if (differences.length === 0) return null
  return (
    <dl className={parts.changes}>
      {differences.map(({ name, before, after, isProblem = false }) => (
        <div key={name} className={parts.change} data-group="md" data-nowrap>
          <dt>{name}</dt>
          <dd>
            {before !== null && (
              <del>
                <Value text={before} isProblem={isProblem} />
              </del>
            )}
            {before !== null && after !== null && <Becomes />}
            {after !== null && (
              <ins>
                <Value text={after} isProblem={isProblem} />
              </ins>
            )}
            {before !== null && after === null && <span>{t('nothing')}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ text, isProblem }: { text: string; isProblem: boolean }) {
  if (!isProblem) return text
  return <PlatformProblem problem={text} show={(said) => said.text} />
}
