import { Button } from '@mantine/core'
import { ApprovalsNotice, whyNotApprove } from '../../ui/feedback/approvals-notice.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { IdentityLevel } from '../../ui/feedback/identity-level.tsx'
import { useRiskFacts } from '../../ui/feedback/risk-facts.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { KeyCap } from '../../ui/layout/key-cap.tsx'
import { MemberLink } from '../../ui/layout/member-link.tsx'
import { Section } from '../../ui/layout/page.tsx'
import shared from '../../ui/layout/work-detail.module.css'
import { Amount } from '../../ui/money/amount.tsx'
import { transactionStateLabels } from '../../ui/money/transaction-states.ts'
import { Ago, Moment } from '../../ui/text/moment.tsx'
import { platformName } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { CreditingNotice } from './crediting-notice.tsx'
import parts from './deposit-detail.module.css'
import {
  actorName,
  isDecidedHere,
  isDecision,
  labelOfEvent,
  methodName,
  reasonLabels,
  rejectionTexts,
} from './deposit-labels.ts'
import { DepositTimeline } from './deposit-timeline.tsx'
import { PaymentFacts } from './payment-facts.tsx'
import { Receipts } from './receipts.tsx'
import type { DeskDeposit } from './use-desk-deposits.ts'

type DepositDetailProps = {
  deposit: DeskDeposit
  /** Null without the right to decide. */
  onDecide: { approve: () => void; reject: () => void } | null
  areKeysShown: boolean
  /** It was decided while this deposit was open. */
  isOvertaken: boolean
}

/** All facts for a decision on one screen: amount, member, proof and history. */
export function DepositDetail({ deposit, onDecide, areKeysShown, isOvertaken }: DepositDetailProps) {
  const { t } = useTranslation()
  return (
    <article className={shared.detail} aria-label={t('Deposit T-{{ticket}}', { ticket: deposit.ticket })}>
      <Top deposit={deposit} onDecide={onDecide} areKeysShown={areKeysShown} />
      {isOvertaken && <OvertakenNotice deposit={deposit} />}
      {isDecidedHere(deposit) && <ApprovalsNotice of={deposit} />}
      <CreditingNotice key={deposit._id} deposit={deposit} mayDecide={onDecide !== null} />
      <RejectionNotice deposit={deposit} />
      <div className={`${shared.columns} ${parts.columns}`}>
        <Section title={t('Details')}>
          <DepositFacts deposit={deposit} />
        </Section>
        <div className={parts.proof}>
          {deposit.payment ? (
            <Section title={t('Payment')}>
              <PaymentFacts deposit={deposit} payment={deposit.payment} />
            </Section>
          ) : (
            <Section title={deposit.receipts.length === 1 ? t('Receipt') : t('Receipts')}>
              <Receipts receipts={deposit.receipts} />
            </Section>
          )}
        </div>
        <Section title={t('History')}>
          <DepositTimeline deposit={deposit} />
        </Section>
      </div>
    </article>
  )
}

function Top({ deposit, onDecide, areKeysShown }: Omit<DepositDetailProps, 'isOvertaken'>) {
  const { t } = useTranslation()
  const { label, meaning, isMoving = false } = transactionStateLabels[deposit.state]
  return (
    <header data-group="xl" data-lines="md" data-align="start" data-justify="between">
      <div className={parts.heading}>
        <h2 className={`${shared.amount} ${parts.amount}`}>
          <Amount amount={deposit.amount} currency={deposit.currency} size="huge" />
        </h2>
        <div className={shared.line}>
          <StatusPill meaning={meaning} label={t(label)} isMoving={isMoving} />
          <span className={parts.ticket}>
            {t('T-{{ticket}}', deposit)}
            <CopyButton value={deposit.ticket} name={t('Ticket')} />
          </span>
        </div>
      </div>
      {isDecidedHere(deposit) && <Decide deposit={deposit} onDecide={onDecide} areKeysShown={areKeysShown} />}
    </header>
  )
}

function OvertakenNotice({ deposit }: { deposit: DeskDeposit }) {
  const { t } = useTranslation()
  const decision = deposit.timeline.findLast(({ event }) => isDecision(event))
  return (
    <Callout meaning="blue">
      <strong className={shared.noticeTitle}>
        {t('The deposit was already decided. This decision was not saved.')}
      </strong>
      {decision && (
        <p>
          {t(labelOfEvent(decision.event).title)} {'·'} {t(actorName(decision))} {'·'} <Ago at={decision.at} />
        </p>
      )}
    </Callout>
  )
}

function Decide({
  deposit,
  onDecide,
  areKeysShown,
}: Pick<DepositDetailProps, 'deposit' | 'onDecide' | 'areKeysShown'>) {
  const { t } = useTranslation()
  if (!onDecide) return <p className={shared.readOnly}>{t('Your role can view deposits but not decide on them.')}</p>
  const key = (letter: string) =>
    areKeysShown ? { 'aria-keyshortcuts': letter, rightSection: <KeyCap letter={letter} /> } : {}
  return (
    <div className={shared.decide} data-group="sm">
      <Button variant="default" disabled={deposit.is_own} onClick={onDecide.reject} {...key('R')}>
        {t('Reject')}
      </Button>
      <Button disabled={whyNotApprove(deposit) !== null} onClick={onDecide.approve} {...key('A')}>
        {t('Approve')}
      </Button>
    </div>
  )
}

function DepositFacts({ deposit }: { deposit: DeskDeposit }) {
  const { t } = useTranslation()
  const { member, account } = deposit
  const riskFacts = useRiskFacts(deposit.risk, { currency: deposit.currency, type: 'deposit' })
  const login = (
    <span className={parts.account}>
      {`${platformName(account.platform_type)} ${account.platform_login}`}
      <Tag label={account.live_account ? t('Live') : t('Demo')} isStrong={account.live_account} />
    </span>
  )
  return (
    <Facts
      facts={[
        { name: t('Member'), value: <MemberLink member={member} /> },
        { name: t('Customer number'), value: member.customer_number, copy: member.customer_number },
        { name: t('Identity'), value: <IdentityLevel status={member.documents_status} /> },
        { name: t('Account'), value: login, copy: account.platform_login },
        ...riskFacts,
        { name: t('Platform ticket'), value: deposit.platform_ticket, copy: deposit.platform_ticket ?? undefined },
        { name: t('Method'), value: t(methodName(deposit.payment_method)) },
        { name: t('Paid from'), value: deposit.origin },
        { name: t('Paid to'), value: deposit.destination },
        { name: t('Comment'), value: deposit.comment && <span className={parts.comment}>{deposit.comment}</span> },
        { name: t('Created'), value: <Moment at={deposit.created_at} /> },
      ]}
    />
  )
}

function RejectionNotice({ deposit }: { deposit: DeskDeposit }) {
  const { t } = useTranslation()
  if (deposit.state !== 'rejected' || !deposit.rejection) return null
  const { reason, note } = deposit.rejection
  const { sentence, next } = rejectionTexts[reason]
  return (
    <Callout meaning="grey">
      <strong className={shared.noticeTitle}>{t('Rejected: {{reason}}', { reason: t(reasonLabels[reason]) })}</strong>
      <p>{t('The member reads: {{sentence}}', { sentence: `${t(sentence)} ${t(next)}` })}</p>
      {note && <p>{t('Note: {{note}}', { note })}</p>}
    </Callout>
  )
}
