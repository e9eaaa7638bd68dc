import type { MemberKycDocuments as KycDocuments } from '@atrium/contract/documents/desk-calls.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { focusHeadingWhenLost } from '../../ui/feedback/focus-heading.ts'
import { RecordError } from '../../ui/feedback/record-error.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Select } from '../../ui/fields/select.tsx'
import { ScanMark } from '../../ui/files/scan-mark.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { eventLabels, statusLabels } from './document-labels.ts'
import parts from './documents.module.css'
import { ElsewhereDialog } from './elsewhere-dialog.tsx'
import { RequestDialog } from './request-dialog.tsx'
import { LoadingSkeleton } from './skeleton.tsx'
import { kycDocumentsQuery, useKycDocumentsChange } from './use-documents.ts'

const general = 'GENERAL'

/** One member's KYC documents: requirements, submissions and history. */
export function MemberKycDocuments({ memberId, mayDecide }: { memberId: string; mayDecide: boolean }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(kycDocumentsQuery(memberId))
  const [dialog, setDialog] = useState<'request' | 'elsewhere' | null>(null)
  if (!data)
    return (
      <WorkPage>
        {error ? (
          <RecordError error={error} notFound={t('Member not found')} onRetry={() => refetch()} />
        ) : (
          <LoadingSkeleton />
        )}
      </WorkPage>
    )
  const mayChange = mayDecide && data.member.status !== 'erased'
  const { meaning = 'grey', label = '' } = statusLabels[data.member.documents_status] ?? {}
  return (
    <WorkPage
      help={
        <>
          <Link className={parts.link} to="/members/{-$memberId}" params={{ memberId }}>
            {t('{{name}}, customer {{number}}', { name: data.member.name, number: data.member.customer_number })}
          </Link>{' '}
          <StatusPill meaning={meaning} label={t(label)} />
        </>
      }
      actions={
        mayChange && (
          <>
            <Button size="xs" onClick={() => setDialog('request')}>
              {t('Ask for another document')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setDialog('elsewhere')}>
              {data.papers_elsewhere ? t('Require documents here') : t('Verified outside the portal')}
            </Button>
          </>
        )
      }
    >
      <div className={parts.columns}>
        <Section title={t('Required documents')}>
          <Needs memberDocuments={data} mayChange={mayChange} />
        </Section>
        <Documents documents={data.documents} />
      </div>
      <History history={data.history} />
      {dialog === 'request' && <RequestDialog memberDocuments={data} onClose={() => setDialog(null)} />}
      {dialog === 'elsewhere' && <ElsewhereDialog memberDocuments={data} onClose={() => setDialog(null)} />}
    </WorkPage>
  )
}

function Documents({ documents }: Pick<KycDocuments, 'documents'>) {
  const { t } = useTranslation()
  return (
    <Section title={t('Documents')}>
      <Card>
        {documents.length === 0 ? (
          <EmptyState drawing="list" title={t('No documents yet')} />
        ) : (
          <ul data-plain>
            {documents.map((document) => (
              <li key={document._id} className={parts.row}>
                <span className={parts.grow}>
                  <Link to="/documents/{-$documentId}" params={{ documentId: document._id }} search={{ state: 'all' }}>
                    {document.title}
                  </Link>
                  <span className={parts.quiet}>
                    {[document.category.name, document.valid_document?.name].filter(Boolean).join(' · ')}
                    {' · '}
                    <Moment at={document.created_at} />
                  </span>
                  <ScanMark scan={document.file.scan} />
                </span>
                <StatusPill
                  meaning={statusLabels[document.status]?.meaning ?? 'grey'}
                  label={t(statusLabels[document.status]?.label ?? document.status)}
                />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Section>
  )
}

function History({ history }: Pick<KycDocuments, 'history'>) {
  const { t } = useTranslation()
  return (
    <Section title={t('History')}>
      <Card>
        {history.length === 0 ? (
          <EmptyState drawing="list" title={t('No events yet')} />
        ) : (
          <ul data-plain>
            {history.map((happened) => (
              <li key={happened._id} className={parts.row}>
                <span className={parts.grow}>
                  <span>{t(eventLabels[happened.event] ?? happened.event)}</span>
                  <span className={parts.quiet}>
                    {[happened.document, happened.note && t(happened.note)].filter(Boolean).join(' · ')}
                  </span>
                </span>
                <span className={parts.quiet}>
                  {happened.staff_name ?? t(happened.by === 'member' ? 'Member' : 'System')}
                  {' · '}
                  <Moment at={happened.at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Section>
  )
}

function Needs({ memberDocuments, mayChange }: { memberDocuments: KycDocuments; mayChange: boolean }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const change = useKycDocumentsChange(memberDocuments.member._id)
  const refused = (error: Error) => toast.refused(t(error.message))
  const { member, kyc_category_id: seen } = memberDocuments
  const askToSet = async (kyc_category_id: string | null) => {
    if (kyc_category_id === seen) return
    const set = sets.find(({ _id }) => _id === kyc_category_id)?.name ?? t('General')
    const yes = await confirm({
      title: t('Require the documents of {{set}} from {{name}}?', { set, name: member.name }),
      body: t('If this begins or ends their approval, it does so at once, and they are notified by email.'),
      action: t('Change the set'),
      isDangerous: true,
    })
    if (yes) change.mutate({ do: 'set', kyc_category_id, seen }, { onError: refused })
  }
  const askToStop = async ({ _id: request, name }: KycDocuments['needs'][number]) => {
    const yes = await confirm({
      title: t('Stop requesting {{name}} from {{member}}?', { name, member: member.name }),
      body: t('If this begins or ends their approval, it does so at once, and they are notified by email.'),
      action: t('Stop requesting'),
      stay: t('Keep requesting'),
      isDangerous: true,
    })
    if (!yes) return
    change.mutate({ do: 'withdraw', request }, { onError: refused, onSettled: focusHeadingWhenLost })
  }
  const sets = memberDocuments.kyc_categories.filter(
    ({ archived, _id }) => !archived || _id === memberDocuments.kyc_category_id,
  )
  return (
    <Card>
      {sets.length > 0 && (
        <div className={parts.row}>
          <Select
            className={parts.grow ?? ''}
            size="xs"
            label={t('Document set')}
            allowDeselect={false}
            disabled={!mayChange || change.isPending}
            data={[
              { value: general, label: t('General') },
              ...sets.map(({ _id, name }) => ({ value: _id, label: name })),
            ]}
            value={seen ?? general}
            onChange={(value) => askToSet(value === general ? null : value)}
          />
        </div>
      )}
      {memberDocuments.needs.length === 0 && <EmptyState drawing="list" title={t('Nothing is required')} />}
      <ul data-plain>
        {memberDocuments.needs.map((need) => (
          <li key={need._id} className={parts.row}>
            <span className={parts.grow}>
              {need.name}
              {need.note && <span className={parts.quiet}>{need.note}</span>}
            </span>
            <StatusPill
              meaning={statusLabels[need.standing]?.meaning ?? 'grey'}
              label={t(statusLabels[need.standing]?.label ?? need.standing)}
            />
            {mayChange && need.kind === 'request' && (
              <Button
                size="compact-xs"
                variant="default"
                loading={change.isPending}
                aria-label={t('Stop requesting {{name}}', { name: need.name })}
                onClick={() => askToStop(need)}
              >
                {t('Stop requesting')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
