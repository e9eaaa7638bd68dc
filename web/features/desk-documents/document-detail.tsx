import type { DeskDocument } from '@atrium/contract/documents/desk-calls.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { calendarDay } from '../../ui/text/format.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { statusLabels } from './document-labels.ts'
import parts from './documents.module.css'
import { isOffered } from './offered-moves.ts'
import type { Verdict } from './use-documents.ts'
import { Viewer } from './viewer.tsx'

type DocumentDetailProps = {
  document: DeskDocument
  /** The member's own details, for comparison with the document. */
  person: ReactNode
  onDecide: ((what: Verdict['do']) => void) | null
}

export function DocumentDetail({ document, person, onDecide }: DocumentDetailProps) {
  const { t } = useTranslation()
  const { meaning = 'grey', label = document.status } = statusLabels[document.status] ?? {}
  const reason = document.status === 'rejected' ? document.reject_reason : document.unverify_reason
  return (
    <article className={parts.detail}>
      <header data-group="md" data-align="start" data-justify="between">
        <div>
          <h2 className={parts.title}>{document.title}</h2>
          <div className={parts.quiet}>
            {[document.category.name, document.valid_document?.name].filter(Boolean).join(' · ')}
          </div>
          <div>
            <Link to="/members/$memberId/documents" params={{ memberId: document.member._id }}>
              {t('{{name}}, customer {{number}}', {
                name: document.member.name,
                number: document.member.customer_number,
              })}
            </Link>
          </div>
          <div className={parts.quiet}>
            {t('Uploaded')} <Moment at={document.created_at} />
            {document.expires_on && (
              <>
                {' · '}
                {t('Valid until {{day}}', { day: calendarDay(document.expires_on) })}
              </>
            )}
          </div>
          {document.decided_at && (
            <div className={parts.quiet}>
              {document.decided_by === null
                ? t('Expired automatically')
                : t('Decided by {{name}}', { name: document.decided_by })}{' '}
              <Moment at={document.decided_at} />
            </div>
          )}
        </div>
        <StatusPill meaning={meaning} label={t(label)} />
      </header>
      {document.description && <p>{document.description}</p>}
      {reason && document.status !== 'approved' && <Callout meaning={meaning}>{t(reason)}</Callout>}
      {onDecide && (
        <div data-group="sm">
          {isOffered('verify', document) && <Button onClick={() => onDecide('verify')}>{t('Verify')}</Button>}
          {isOffered('reject', document) && (
            <Button variant="default" onClick={() => onDecide('reject')}>
              {t('Reject')}
            </Button>
          )}
          {isOffered('unverify', document) && (
            <Button variant="default" onClick={() => onDecide('unverify')}>
              {t('Revoke the verification')}
            </Button>
          )}
          {isOffered('release', document) && (
            <Button variant="default" onClick={() => onDecide('release')}>
              {t('Release file')}
            </Button>
          )}
        </div>
      )}
      <div className={parts.compared}>
        <Viewer document={document} />
        <Section title={t('Member details')}>{person}</Section>
      </div>
    </article>
  )
}
