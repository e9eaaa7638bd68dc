import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { otherLabel } from '@atrium/contract/unknown-values.ts'
import { Button } from '@mantine/core'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { type Fact, Facts } from '../../ui/layout/facts.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { Section } from '../../ui/layout/page.tsx'
import shared from '../../ui/layout/work-detail.module.css'
import { Amount } from '../../ui/money/amount.tsx'
import { typeLabel } from '../../ui/money/transaction-type.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { platformName } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AnswerBox } from './answer-box.tsx'
import { DeskConversation } from './desk-conversation.tsx'
import { MemberContext } from './member-context.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { pageOfSubject } from './subject-pages.ts'
import parts from './ticket-desk.module.css'
import { priorityLabels, stateLabels } from './ticket-labels.ts'
import { seenOf, useAct, useSeen } from './use-desk-tickets.ts'
import { useMerging } from './use-merging.ts'

type DetailProps = { ticket: DeskTicket; staffId: string; mayAnswer: boolean }

/** A ticket: conversation, subject, member and assignee. */
export function TicketDetail({ ticket, staffId, mayAnswer }: DetailProps) {
  const { t } = useTranslation()
  useSeen(ticket)
  const { label, meaning } = stateLabels[ticket.state]
  const { hasActions, ...merging } = useMerging(ticket)
  return (
    <article className={shared.detail} aria-label={t('Ticket {{ticket}}', { ticket: ticket.ticket })}>
      <header data-group="xl" data-lines="md" data-align="start" data-justify="between">
        <div>
          <h2 className={parts.title}>{ticket.subject}</h2>
          <div className={shared.line}>
            <StatusPill meaning={meaning} label={t(label)} />
            {t('#{{ticket}}', { ticket: ticket.ticket })}
            {ticket.priority !== 'low' && <Tag label={t(priorityLabels[ticket.priority])} isStrong />}
          </div>
        </div>
        {mayAnswer && hasActions && <Actions ticket={ticket} staffId={staffId} onMerge={merging.open} />}
        {merging.isOpen && <MergeDialog ticket={ticket} onClose={merging.close} />}
      </header>
      {!mayAnswer && <p className={shared.readOnly}>{t('Your role can view tickets but not answer them.')}</p>}
      {ticket.merged_into && (
        <Callout meaning="blue">
          {t('This conversation continues in another ticket.')}{' '}
          <TextLink to="/tickets/{-$ticketId}" params={{ ticketId: ticket.merged_into._id } as never} inherit>
            {t('Ticket {{ticket}}', ticket.merged_into)}
          </TextLink>
        </Callout>
      )}
      <div className={parts.split}>
        <div data-stack="lg">
          <DeskConversation ticket={ticket} />
          {mayAnswer && <AnswerBox key={ticket._id} ticket={ticket} />}
        </div>
        <div data-stack="lg">
          <Section title={t('Ticket')}>
            <TicketFacts ticket={ticket} mayAnswer={mayAnswer && hasActions} />
          </Section>
          {ticket.about && (
            <Section title={t('Related to')}>
              <AboutFacts about={ticket.about} />
            </Section>
          )}
          <MemberContext ticket={ticket} />
        </div>
      </div>
    </article>
  )
}

type ActionsProps = { ticket: DeskTicket; staffId: string; onMerge: () => void }

function Actions({ ticket, staffId, onMerge }: ActionsProps) {
  const { t } = useTranslation()
  const act = useAct(ticket._id)
  const holder = ticket.state === 'taken' ? (ticket.taken_by?._id ?? null) : null
  const change = (status: 'open' | 'resolved') => act.mutate({ do: 'change', status, seen: seenOf(ticket) })
  return (
    <div data-group="sm">
      <Button size="xs" variant="default" onClick={onMerge}>
        {t('Merge')}
      </Button>
      {ticket.state === 'resolved' ? (
        <Button size="xs" variant="default" disabled={act.isPending} onClick={() => change('open')}>
          {t('Reopen')}
        </Button>
      ) : (
        <Button size="xs" variant="default" disabled={act.isPending} onClick={() => change('resolved')}>
          {t('Resolve')}
        </Button>
      )}
      {holder === staffId ? (
        <Button
          size="xs"
          variant="default"
          disabled={act.isPending}
          onClick={() => act.mutate({ do: 'assign', from: staffId, to: null })}
        >
          {t('Unassign')}
        </Button>
      ) : (
        <Button
          size="xs"
          loading={act.isPending}
          onClick={() => act.mutate({ do: 'assign', from: holder, to: staffId })}
        >
          {holder === null ? t('Assign to me') : t('Reassign to me')}
        </Button>
      )}
    </div>
  )
}

function TicketFacts({ ticket, mayAnswer }: { ticket: DeskTicket; mayAnswer: boolean }) {
  const { t } = useTranslation()
  const act = useAct(ticket._id)
  const { first_answered_at, resolved_at, state, taken_by } = ticket
  const holder = state === 'taken' ? (taken_by?._id ?? null) : null
  const people = [...ticket.colleagues, ...(taken_by && state === 'taken' ? [taken_by] : [])]
  const names = new Map(people.map(({ _id, name }) => [_id, name]))
  return (
    <div data-stack="lg">
      <Facts
        facts={[
          { name: t('Filed on'), value: <Moment at={ticket.created_at} /> },
          { name: t('First reply'), value: first_answered_at && <Moment at={first_answered_at} /> },
          { name: t('Resolved'), value: state === 'resolved' && resolved_at ? <Moment at={resolved_at} /> : null },
          { name: t('Assigned to'), value: mayAnswer ? null : taken_by?.name },
        ]}
      />
      {mayAnswer && (
        <>
          <Select
            size="xs"
            label={t('Assigned to')}
            placeholder={t('Nobody')}
            clearable
            searchable
            data={[...names].map(([value, label]) => ({ value, label }))}
            value={holder}
            onChange={(to) => to !== holder && act.mutate({ do: 'assign', from: holder, to })}
          />
          <Select
            size="xs"
            label={t('Priority')}
            allowDeselect={false}
            data={Object.entries(priorityLabels).map(([value, label]) => ({ value, label: t(label) }))}
            value={ticket.priority}
            onChange={(priority) => {
              if (priority === 'low' || priority === 'medium' || priority === 'high')
                act.mutate({ do: 'rank', priority })
            }}
          />
        </>
      )}
    </div>
  )
}

function AboutFacts({ about }: { about: NonNullable<DeskTicket['about']> }) {
  const { t } = useTranslation()
  const page = pageOfSubject(about)
  const linked = (name: string) =>
    page && (
      <TextLink {...(page as { to: string })} inherit>
        {name}
      </TextLink>
    )
  const facts: Fact[] =
    about.kind === 'account'
      ? [
          { name: t('Account'), value: linked(`${platformName(about.platform_type)} ${about.platform_login}`) },
          {
            name: t('Balance'),
            value: about.balance === null ? null : <Amount amount={about.balance} currency={about.currency} />,
          },
        ]
      : about.kind === 'transaction'
        ? [
            { name: t('Transaction'), value: linked(t('T-{{ticket}}', about)) },
            { name: t('Type'), value: t(typeLabel(about.type)) },
            { name: t('Amount'), value: <Amount amount={about.amount} currency={about.currency} /> },
            { name: t('Account'), value: about.platform_login },
          ]
        : about.kind === 'download'
          ? [
              { name: t('Download'), value: about.name },
              { name: t('Platform'), value: about.platform },
              { name: t('OS'), value: about.system },
            ]
          : // A kind of a later version.
            [{ name: t('Type'), value: t(otherLabel) }]
  return <Facts facts={facts} />
}
