import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { fileAddress } from '../../api/address.ts'
import { identityLabels, memberLabels } from '../../ui/feedback/identity-labels.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Portrait } from '../../ui/layout/portrait.tsx'
import { Ago, Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Invitation } from './invitation.tsx'
import { MemberActions } from './member-actions.tsx'
import parts from './member-detail.module.css'
import { Accounts, BankAccounts, Contacts, OtherAccounts, Tickets, Totals, Transactions } from './member-facts.tsx'
import type { MemberRights } from './member-rights.ts'
import { MemberSales } from './member-sales.tsx'
import { MemberSecurity } from './member-security.tsx'
import { MemberSessions } from './member-sessions.tsx'
import { MemberTerms } from './member-terms.tsx'
import { PermissionsEditor } from './permissions-editor.tsx'
import type { DeskMember } from './use-members.ts'

type MemberDetailProps = { member: DeskMember; rights: MemberRights; trail: ReactNode; openings: ReactNode }

/** A member's details for support by phone, the most requested first. */
export function MemberDetail({ member, rights, trail, openings }: MemberDetailProps) {
  const { t } = useTranslation()
  return (
    <article className={parts.detail} aria-label={t('Member {{number}}', { number: member.customer_number })}>
      <Head member={member} rights={rights} />
      {member.lock && (
        <Callout meaning="red">
          <strong className={parts.noticeTitle}>
            {t('Sign-in locked: {{reason}}', { reason: member.lock.reason })}
          </strong>
          <p>
            {member.lock.by} {'·'} <Moment at={member.lock.at} />
          </p>
        </Callout>
      )}
      {member.status === 'invited' && <Invitation member={member} mayInvite={rights.mayInvite} />}
      {member.status === 'erased' && (
        <Callout meaning="grey">
          {t('This member has been erased. What the law requires is kept without personal data.')}
        </Callout>
      )}
      <div className={parts.columns}>
        <Section title={t('Deposits and withdrawals')}>
          <Totals totals={member.totals} />
        </Section>
        <Section title={t('Tickets')}>
          <Tickets tickets={member.tickets} count={member.ticket_count} />
        </Section>
        <Section title={t('Contacts')}>
          <Contacts member={member} />
        </Section>
        <Section title={t('Sales')}>
          <MemberSales member={member} mayChange={rights.mayChange && member.status !== 'erased'} />
        </Section>
        <Section title={t('Trading accounts')}>
          <Accounts accounts={member.accounts} />
        </Section>
        {member.openings.length > 0 && <Section title={t('Account applications')}>{openings}</Section>}
        <Section title={t('Sessions and devices')}>
          <MemberSessions memberId={member._id} mayEnd={rights.mayHelp && member.status !== 'erased'} />
        </Section>
        <Section title={t('Second factor')}>
          <MemberSecurity member={member} />
        </Section>
        <Section title={t('Accepted terms')}>
          <MemberTerms memberId={member._id} />
        </Section>
        <Section title={t('Last transactions')}>
          <Transactions transactions={member.transactions} />
        </Section>
        <Section title={t('Bank accounts')}>
          <BankAccounts accounts={member.bank_accounts} />
        </Section>
        <Section title={t('Other accounts')}>
          <OtherAccounts accounts={member.other_accounts} />
        </Section>
        <Section title={t('What this member can access')}>
          <PermissionsEditor member={member} mayEdit={rights.mayPermit && member.status !== 'erased'} />
        </Section>
      </div>
      {rights.mayReadAudit && <Section title={t('History')}>{trail}</Section>}
    </article>
  )
}

function Head({ member, rights }: { member: DeskMember; rights: MemberRights }) {
  const { t } = useTranslation()
  const status = memberLabels[member.status]
  const documents = identityLabels[member.documents_status]
  return (
    <header className={parts.top}>
      <div className={parts.who} data-group="lg" data-nowrap data-shrink>
        <Portrait name={member.name} url={member.picture && fileAddress(member.picture)} size="large" />
        <div>
          <h2 className={parts.name}>
            <bdi>{[member.title, member.name].filter(Boolean).join(' ')}</bdi>
            {member.type === 'sales_person' && <Tag label={t('Sales')} />}
          </h2>
          <div className={parts.line}>
            <span>{t('No. {{number}}', { number: member.customer_number })}</span>
            <StatusPill meaning={status.meaning} label={t(status.label)} />
            <Link to="/members/$memberId/documents" params={{ memberId: member._id }}>
              <StatusPill meaning={documents.meaning} label={t(documents.label)} />
            </Link>
          </div>
          <div className={parts.line}>
            <span>
              {t('Member since')} <Moment at={member.created_at} />
            </span>
            <span>
              {t('Last seen')} {member.last_seen_at ? <Ago at={member.last_seen_at} /> : t('never')}
            </span>
          </div>
        </div>
      </div>
      <MemberActions member={member} rights={rights} />
    </header>
  )
}
