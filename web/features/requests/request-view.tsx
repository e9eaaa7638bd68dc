import { IconArrowLeft } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { answerName, labelsOfRequest } from './request-labels.ts'
import parts from './requests.module.css'
import { historyOf } from './requests-list.ts'
import type { OneRequest } from './use-requests.ts'

/** Returns to the history with its filters and page. */
export function BackToHistory() {
  const { t } = useTranslation()
  const search = useSearch({ strict: false }) as Record<string, unknown>
  return (
    <LinkButton
      to="/requests"
      search={historyOf(search) as never}
      variant="subtle"
      className={parts.back ?? ''}
      leftSection={<IconArrowLeft size={18} stroke={1.5} aria-hidden />}
    >
      {t('BACK')}
    </LinkButton>
  )
}

/** One request: its type, its answers and its status. */
export function RequestView({ request, answers }: { request: OneRequest; answers: ReactNode }) {
  const { t } = useTranslation()
  const pill = labelsOfRequest(request.status)
  return (
    <div data-columns="aside">
      <div data-stack="lg" data-shrink>
        <Card data-pad="xl">
          <h2 className={parts.panelTitle}>{request.subject}</h2>
          {request.description && <p className={parts.about}>{request.description}</p>}
        </Card>
        {answers && (
          <Section title={t('Your answers')}>
            <Card data-pad="xl">{answers}</Card>
          </Section>
        )}
      </div>
      <aside className={parts.side} data-stack="lg" data-shrink>
        <Card data-pad="xl">
          <Facts
            facts={[
              { name: t('Status'), value: <StatusPill meaning={pill.meaning} label={t(pill.label)} /> },
              { name: t('Number'), value: request.number, copy: request.number },
              { name: t('Date'), value: <Moment at={request.created_at} /> },
              { name: t(answerName(request.status)), value: request.comment },
            ]}
          />
        </Card>
      </aside>
    </div>
  )
}
