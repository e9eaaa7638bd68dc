import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { answerName, labelsOfRequest } from './request-labels.ts'
import parts from './requests.module.css'

type Last = { _id: string; status: string; comment?: string | null | undefined; created_at: number }

/** The status of the member's last request of this type. */
export function LastRequest({ request }: { request: Last | null }) {
  const { t } = useTranslation()
  const pill = request && labelsOfRequest(request.status)
  return (
    <Card data-pad="xl">
      <section className={parts.side} data-stack="lg" data-shrink aria-label={t('Last Request')}>
        <h2 className={parts.panelTitle}>{t('Last Request')}</h2>
        {request && pill ? (
          <>
            <Facts
              facts={[
                { name: t('Date'), value: <Moment at={request.created_at} /> },
                { name: t('Status'), value: <StatusPill meaning={pill.meaning} label={t(pill.label)} /> },
                { name: t(answerName(request.status)), value: request.comment },
              ]}
            />
            <LinkButton to="/requests" search={{ tab: 'history', id: request._id } as never} variant="default">
              {t('Details')}
            </LinkButton>
          </>
        ) : (
          <p className={parts.about}>{t('You have not requested this yet.')}</p>
        )}
      </section>
    </Card>
  )
}
