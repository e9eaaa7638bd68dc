import { Button } from '@mantine/core'
import { IconArrowLeft, IconCheck } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { LinkButton, TextLink } from '../../ui/layout/link-button.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import { readListSearch } from '../../ui/lists/list-address.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Conversation } from './conversation.tsx'
import { ModelCard } from './model-card.tsx'
import { ReplyBox } from './reply-box.tsx'
import { labelsOfStatus, memberStatuses, pickedLabels, priorityLabels } from './ticket-labels.ts'
import parts from './ticket-parts.module.css'
import { ticketsList } from './tickets-list.ts'
import { useSeen, useTicketChange } from './use-ticket-changes.ts'
import type { Ticket } from './use-tickets.ts'

/** Returns to the lists with their tab and page. */
export function BackLink() {
  const { t } = useTranslation()
  const search = readListSearch(ticketsList, useSearch({ strict: false }))
  return (
    <LinkButton
      to="/support"
      search={search as never}
      variant="subtle"
      className={parts.back ?? ''}
      leftSection={<IconArrowLeft size={18} stroke={1.5} aria-hidden />}
    >
      {t('BACK')}
    </LinkButton>
  )
}

/** Closes a ticket that is not closed yet. */
export function CloseButton({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation()
  const change = useTicketChange(ticket)
  if (ticket.status === 'resolved' || ticket.status === 'closed') return null
  return (
    <Button
      variant="default"
      leftSection={<IconCheck size={18} stroke={1.5} aria-hidden />}
      loading={change.isPending}
      onClick={() => change.mutate({ status: 'resolved' })}
    >
      {t('Close Ticket')}
    </Button>
  )
}

/** One ticket: its text, its answers and its subject. */
export function TicketView({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation()
  useSeen(ticket)
  const { merged_into, model } = ticket
  return (
    <div data-columns="aside">
      <div data-stack="xl" data-shrink>
        {merged_into && (
          <Callout meaning="blue">
            {t('This conversation continues in another ticket.')}{' '}
            <TextLink to="/support" search={{ id: merged_into._id } as never} inherit>
              {t('Ticket {{ticket}}', merged_into)}
            </TextLink>
          </Callout>
        )}
        <Card className={parts.card} data-stack="lg" data-pad="xl">
          <div>
            <h2 className={parts.label}>{t('Subject')}</h2>
            <p className={parts.words}>{ticket.subject}</p>
          </div>
          <div>
            <h2 className={parts.label}>{t('Description')}</h2>
            <p className={parts.words}>{ticket.description}</p>
          </div>
        </Card>
        <Section title={t('Response Thread')}>
          <Conversation entries={ticket.conversation} />
        </Section>
        <ReplyBox key={ticket._id} ticket={ticket} />
      </div>
      <aside className={parts.side} data-stack="xl" data-shrink aria-label={t('About this ticket')}>
        <About ticket={ticket} />
        {model && <ModelCard model={model} />}
      </aside>
    </div>
  )
}

function About({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation()
  const { label, meaning } = labelsOfStatus(ticket.status)
  return (
    <Card className={parts.card} data-stack="lg" data-pad="xl">
      <Facts
        facts={[
          { name: t('Status'), value: <StatusPill meaning={meaning} label={t(label)} /> },
          { name: t('Ticket Number'), value: ticket.ticket, copy: ticket.ticket },
          { name: t('Filed on'), value: <Moment at={ticket.created_at} /> },
          { name: t('Assigned to'), value: ticket.taken_by?.name ?? t('Nobody yet') },
        ]}
      />
      <Pickers ticket={ticket} />
    </Card>
  )
}

function Pickers({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation()
  const change = useTicketChange(ticket)
  if (ticket.status === 'closed') return null
  const status = memberStatuses.find((name) => name === ticket.status) ?? 'open'
  return (
    <>
      <Select
        label={t('Change status')}
        data={memberStatuses.map((value) => ({
          value,
          label: t(pickedLabels[value]),
          // Only the staff member who took the ticket can set it back to open.
          disabled: value === 'open' && ticket.status === 'taken' && ticket.taken_by !== null,
        }))}
        value={status}
        allowDeselect={false}
        readOnly={change.isPending}
        onChange={(value) => {
          const picked = memberStatuses.find((name) => name === value)
          if (picked && picked !== status) change.mutate({ status: picked })
        }}
      />
      <Select
        label={t('Priority')}
        data={Object.entries(priorityLabels).map(([value, label]) => ({ value, label: t(label) }))}
        value={ticket.priority}
        allowDeselect={false}
        readOnly={change.isPending}
        onChange={(value) => {
          if (value === 'low' || value === 'medium' || value === 'high') change.mutate({ priority: value })
        }}
      />
    </>
  )
}
