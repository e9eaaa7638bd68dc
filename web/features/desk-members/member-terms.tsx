import { scopeLabels } from '@atrium/contract/access/scope-labels.ts'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { listInWords } from '../../ui/text/format.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-detail.module.css'
import { termsQuery } from './use-members.ts'

/** The terms that this member has yet to accept, and those accepted: version, time and origin. */
export function MemberTerms({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const terms = useQuery(termsQuery(memberId))
  if (!terms.data && terms.error) return <ErrorState error={terms.error} onRetry={() => terms.refetch()} />
  if (!terms.data) return <Skeleton height={60} />
  const { pending, accepted } = terms.data
  if (pending.length + accepted.length === 0) return <p className={parts.nothing}>{t('No terms to accept yet.')}</p>
  return (
    <ul data-plain>
      {pending.map(({ _id, name, version, blocked_portal_sections }) => (
        <li key={_id} className={parts.row}>
          <TermsName id={_id} name={name} version={version} />
          <StatusPill meaning="amber" label={t('Pending')} />
          <span className={parts.rowMore}>
            {t('Until then closed: {{sections}}', {
              sections: listInWords(blocked_portal_sections.map((scope) => t(scopeLabels[scope]))),
            })}
          </span>
        </li>
      ))}
      {accepted.map(({ _id, name, version, accepted_at, address, device }) => (
        <li key={`${_id} ${version}`} className={parts.row}>
          <TermsName id={_id} name={name} version={version} />
          <Moment at={accepted_at} />
          <span className={parts.rowMore}>
            {address ?? t('Unknown address')} {'·'} {device}
          </span>
        </li>
      ))}
    </ul>
  )
}

function TermsName({ id, name, version }: { id: string; name: string; version: number }) {
  const { t } = useTranslation()
  return (
    <span className={parts.rowName}>
      <Link to="/terms/$termsId/{-$part}" params={{ termsId: id, part: 'versions' }} search={{ version }}>
        <bdi>{name}</bdi>
      </Link>
      <Tag label={t('Version {{version}}', { version })} />
    </span>
  )
}
