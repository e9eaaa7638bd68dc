import type { DocumentsStatus, MemberStatus } from '@atrium/contract/members/states.ts'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { identityLabels, memberLabels } from '../../ui/feedback/identity-labels.ts'
import { Facts } from '../../ui/layout/facts.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { transactionStateLabel } from '../../ui/money/transaction-states.ts'
import { typeLabel } from '../../ui/money/transaction-type.ts'
import { day } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { pageOfTransaction } from './subject-pages.ts'
import parts from './ticket-desk.module.css'
import { stateLabels } from './ticket-labels.ts'

/** A summary of the member beside their ticket. */
export function MemberContext({ ticket }: { ticket: DeskTicket }) {
  const { t } = useTranslation()
  const { context, member } = ticket
  return (
    <>
      <Section title={t('Member')}>
        <Facts
          facts={[
            {
              name: t('Name'),
              value: (
                <TextLink to="/members/{-$memberId}" params={{ memberId: member._id } as never} inherit>
                  {member.name}
                </TextLink>
              ),
            },
            { name: t('Customer number'), value: member.customer_number, copy: member.customer_number },
            { name: t('Email'), value: context.email, copy: context.email },
            { name: t('Documents'), value: t(identityLabels[context.documents_status as DocumentsStatus].label) },
            { name: t('Sign-in'), value: t(memberLabels[context.status as MemberStatus].label) },
            { name: t('Member since'), value: day(context.since) },
            {
              name: t('Accounts'),
              value: t('{{live}} live, {{demo}} demo', { live: context.live_accounts, demo: context.demo_accounts }),
            },
          ]}
        />
      </Section>
      {context.transactions.length > 0 && (
        <Section title={t('Last transactions')}>
          <ul className={parts.list} data-stack="sm">
            {context.transactions.map((row) => (
              <li key={row._id}>
                <span>
                  <TextLink {...(pageOfTransaction(row) as { to: string })} inherit>
                    {t('T-{{ticket}}', row)}
                  </TextLink>{' '}
                  {'\u00b7'} {t(typeLabel(row.type))} {'\u00b7'} {t(transactionStateLabel(row.state))}
                </span>
                <Amount amount={row.amount} currency={row.currency} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {context.tickets.length > 0 && (
        <Section title={t('Other tickets')}>
          <ul className={parts.list} data-stack="sm">
            {context.tickets.map((row) => (
              <li key={row._id}>
                <TextLink to="/tickets/{-$ticketId}" params={{ ticketId: row._id } as never} inherit>
                  {t('#{{ticket}}', row)} {row.subject}
                </TextLink>
                <span>{t(stateLabels[row.state].label)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
