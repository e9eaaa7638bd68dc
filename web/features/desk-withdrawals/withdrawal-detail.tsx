import type { DeskWithdrawal, WithdrawalClosure } from '@atrium/contract/withdrawals/desk-calls.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ApprovalsNotice, whyNotApprove } from '../../ui/feedback/approvals-notice.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { IdentityLevel } from '../../ui/feedback/identity-level.tsx'
import { useRiskFacts } from '../../ui/feedback/risk-facts.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { type Step, Steps } from '../../ui/forms/steps.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { KeyCap } from '../../ui/layout/key-cap.tsx'
import { MemberLink } from '../../ui/layout/member-link.tsx'
import { Section } from '../../ui/layout/page.tsx'
import shared from '../../ui/layout/work-detail.module.css'
import { Amount } from '../../ui/money/amount.tsx'
import { exactTime } from '../../ui/text/format.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { platformName } from '../../ui/text/platform-names.ts'
import { PlatformProblem } from '../../ui/text/platform-problem.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { OutcomeDialog, StuckOutcomeNotice } from '../desk-deposits/stuck-outcome.tsx'
import { ActDialog } from './act-dialog.tsx'
import { useBeneficiaryFacts } from './beneficiary-facts.tsx'
import { isAtProvider, Payouts } from './payout-facts.tsx'
import { ReturnButton } from './returned-dialog.tsx'
import type { Question } from './use-act-form.ts'
import { useAct, useSettling } from './use-desk-withdrawals.ts'
import {
  actorName,
  beneficiaryName,
  closureTexts,
  closureTitles,
  labelOfEvent,
  labelsOfPlatform,
  reasonLabels,
  rejectionTexts,
  stateLabels,
} from './withdrawal-labels.ts'
import parts from './withdrawals-page.module.css'

type PartProps = { withdrawal: DeskWithdrawal; mayDecide: boolean }
type AskProps = { onAsk: (question: Question) => void; areKeysShown: boolean }
type DetailProps = PartProps & AskProps & { question: Question | null; onClose: () => void }

/** All facts for a decision: amount, member, beneficiary, approvals and history. */
export function WithdrawalDetail({ withdrawal, mayDecide, question, onAsk, onClose, areKeysShown }: DetailProps) {
  const { t } = useTranslation()
  const { label, meaning, isMoving = false } = stateLabels[withdrawal.state]
  return (
    <article className={shared.detail} aria-label={t('Withdrawal T-{{ticket}}', { ticket: withdrawal.ticket })}>
      <header data-group="xl" data-lines="md" data-align="start" data-justify="between">
        <div>
          <h2 className={shared.amount}>
            <Amount amount={withdrawal.amount} currency={withdrawal.currency} size="huge" />
          </h2>
          <div className={`${shared.line} ${parts.line}`}>
            <StatusPill meaning={meaning} label={t(label)} isMoving={isMoving} />
            {t('T-{{ticket}}', withdrawal)}
          </div>
        </div>
        <Decide withdrawal={withdrawal} mayDecide={mayDecide} onAsk={onAsk} areKeysShown={areKeysShown} />
        {mayDecide && <ReturnButton withdrawal={withdrawal} />}
      </header>
      {withdrawal.paid_by_hand && <HandPaymentNotice said={withdrawal.paid_by_hand} />}
      {withdrawal.closed_by && <ClosureNotice by={withdrawal.closed_by} memberId={withdrawal.member._id} />}
      {withdrawal.waits_for_identity && <IdentityNotice memberId={withdrawal.member._id} />}
      {withdrawal.held_until !== null && <HoldNotice until={withdrawal.held_until} />}
      {withdrawal.before_restore && <RestoreNotice />}
      {isNoticed(withdrawal) && <ApprovalsNotice of={withdrawal} />}
      <PlatformNotice withdrawal={withdrawal} mayDecide={mayDecide} />
      <RejectionNotice withdrawal={withdrawal} />
      <div className={shared.columns}>
        <Section title={t('Details')}>
          <WithdrawalFacts withdrawal={withdrawal} />
        </Section>
        {(withdrawal.payouts.length > 0 || withdrawal.may_pay_by_provider) && (
          <Section title={t('Payout by a provider')}>
            <Payouts withdrawal={withdrawal} mayDecide={mayDecide} />
          </Section>
        )}
        <Section title={t('History')}>
          <Timeline withdrawal={withdrawal} />
        </Section>
      </div>
      {question && <ActDialog key={question} question={question} withdrawal={withdrawal} onClose={onClose} />}
    </article>
  )
}

const isNoticed = ({ state, is_own }: DeskWithdrawal): boolean => state === 'pending' || (state === 'paying' && is_own)

function Decide({ withdrawal, mayDecide, onAsk, areKeysShown }: PartProps & AskProps) {
  const { t } = useTranslation()
  const { state } = withdrawal
  if (state !== 'pending' && state !== 'paying') return null
  if (!mayDecide)
    return <p className={shared.readOnly}>{t('Your role can view withdrawals but not decide on them.')}</p>
  if (state === 'paying' && isAtProvider(withdrawal))
    return (
      <p className={shared.readOnly}>
        {t('The provider is processing this payout. Its status updates automatically.')}
      </p>
    )
  const key = (letter: string) =>
    areKeysShown ? { 'aria-keyshortcuts': letter, rightSection: <KeyCap letter={letter} /> } : {}
  return state === 'pending' ? (
    <div className={shared.decide} data-group="sm">
      <Button variant="default" disabled={withdrawal.is_own} onClick={() => onAsk('reject')} {...key('R')}>
        {t('Reject')}
      </Button>
      <Button disabled={!mayApprove(withdrawal)} onClick={() => onAsk('approve')} {...key('A')}>
        {t('Approve')}
      </Button>
    </div>
  ) : (
    <div className={shared.decide} data-group="sm">
      <Button variant="default" disabled={withdrawal.is_own} onClick={() => onAsk('failed')}>
        {t('Payment failed')}
      </Button>
      <Button disabled={withdrawal.is_own} onClick={() => onAsk('paid')}>
        {t('Mark as paid')}
      </Button>
    </div>
  )
}

/** True when staff can approve now; the notices above explain why not. */
export const mayApprove = (withdrawal: DeskWithdrawal): boolean =>
  withdrawal.closed_by === null &&
  !withdrawal.waits_for_identity &&
  withdrawal.held_until === null &&
  whyNotApprove(withdrawal) === null

function PlatformNotice({ withdrawal, mayDecide }: PartProps) {
  const { record, dialog } = useSettling(withdrawal)
  return (
    <>
      <PlatformState withdrawal={withdrawal} mayDecide={mayDecide} onRecord={record} />
      {dialog && <OutcomeDialog ticket={withdrawal.ticket} {...dialog} />}
    </>
  )
}

function PlatformState({ withdrawal, mayDecide, onRecord }: PartProps & { onRecord: () => void }) {
  const { t } = useTranslation()
  const attempt = useAct(withdrawal._id)
  const { platform, state } = withdrawal
  const labels = platform && labelsOfPlatform(platform)
  if (!platform || !labels || ['approved', 'rejected', 'cancelled'].includes(state)) return null
  return (
    <Callout meaning={labels.meaning}>
      <strong className={shared.noticeTitle}>{t(labels.title)}</strong>
      <p data-plain>{t(labels.text)}</p>
      {platform.last_problem && (
        <PlatformProblem
          problem={platform.last_problem}
          show={({ text }) => <p data-plain>{t('Last problem: {{problem}}', { problem: text })}</p>}
        />
      )}
      {labels.needsPerson && (
        <p data-plain>
          {t('Tag')} <code>{platform.tag}</code> <CopyButton value={platform.tag} name={t('Tag')} />
        </p>
      )}
      {platform.account_gone && (
        <StuckOutcomeNotice
          said={platform.outcome_said}
          mayDecide={mayDecide}
          isOwn={withdrawal.is_own}
          onRecord={onRecord}
        />
      )}
      {labels.needsPerson && mayDecide && (
        <Button
          size="xs"
          variant="default"
          loading={attempt.isPending}
          onClick={() => attempt.mutate({ do: 'look-again' }, { onError: (error) => toast.refused(t(error.message)) })}
        >
          {t('Check again')}
        </Button>
      )}
    </Callout>
  )
}

function ClosureNotice({ by, memberId }: { by: WithdrawalClosure; memberId: string }) {
  const { t } = useTranslation()
  return (
    <Callout meaning="amber">
      <strong className={shared.noticeTitle}>{t(closureTitles[by])}</strong>
      <p data-plain>
        {t(closureTexts[by])}{' '}
        <Link to="/members/{-$memberId}" params={{ memberId }}>
          {t('Open the member')}
        </Link>
      </p>
    </Callout>
  )
}

function IdentityNotice({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  return (
    <Callout meaning="amber">
      <strong className={shared.noticeTitle}>{t('The member\u2019s identity is not approved')}</strong>
      <p data-plain>
        {t('The withdrawal can be approved and paid once it is. Decide on the documents first, or reject it.')}{' '}
        <Link to="/members/{-$memberId}" params={{ memberId }}>
          {t('Open the member')}
        </Link>
      </p>
    </Callout>
  )
}

function HoldNotice({ until }: { until: number }) {
  const { t } = useTranslation()
  return (
    <Callout meaning="amber">
      <strong className={shared.noticeTitle}>{t('Held until {{until}}', { until: exactTime(until) })}</strong>
      <p data-plain>
        {t(
          'The member\u2019s password, second factor, name, email or phone was changed. The withdrawal can be approved and paid after that; ask the member, or reject it.',
        )}
      </p>
    </Callout>
  )
}

function HandPaymentNotice({ said }: { said: NonNullable<DeskWithdrawal['paid_by_hand']> }) {
  const { t } = useTranslation()
  return (
    <Callout meaning="amber">
      <strong className={shared.noticeTitle}>
        {said.is_you
          ? t('You recorded that this was paid by hand; a colleague has to confirm it')
          : t('{{name}} recorded that this was paid by hand; please confirm it', { name: said.by })}
      </strong>
      <p data-plain>
        {t('Reference: {{reference}}. Reason: {{reason}}', { reference: said.reference, reason: said.reason })}
      </p>
      {said.failed_by && (
        <p data-plain>
          {t('{{name}} reported this payment as failed. A second person must confirm it.', { name: said.failed_by })}
        </p>
      )}
    </Callout>
  )
}

function RestoreNotice() {
  const { t } = useTranslation()
  return (
    <Callout meaning="amber">
      <strong className={shared.noticeTitle}>{t('From before a backup was restored')}</strong>
      <p data-plain>
        {t(
          'What happened between the backup and the restore is unknown here. Check at the provider or the bank, and on the platform, whether it was already paid or refunded before you decide.',
        )}
      </p>
    </Callout>
  )
}

function RejectionNotice({ withdrawal }: { withdrawal: DeskWithdrawal }) {
  const { t } = useTranslation()
  if (withdrawal.state !== 'rejected' || !withdrawal.rejection) return null
  const { reason, note } = withdrawal.rejection
  const { sentence, next } = rejectionTexts[reason]
  return (
    <Callout meaning="grey">
      <strong className={shared.noticeTitle}>{t('Rejected: {{reason}}', { reason: t(reasonLabels[reason]) })}</strong>
      <p data-plain>{t('The member reads: {{sentence}}', { sentence: `${t(sentence)} ${t(next)}` })}</p>
      {note && <p data-plain>{t('Note: {{note}}', { note })}</p>}
    </Callout>
  )
}

function WithdrawalFacts({ withdrawal }: { withdrawal: DeskWithdrawal }) {
  const { t } = useTranslation()
  const { member, account, currency } = withdrawal
  const login = (
    <>
      {`${platformName(account.platform_type)} ${account.platform_login} `}
      <Tag label={account.live_account ? t('Live') : t('Demo')} isStrong={account.live_account} />
    </>
  )
  const riskFacts = useRiskFacts(withdrawal.risk, { currency, type: 'withdrawal' })
  const paidTo = useBeneficiaryFacts(withdrawal)
  return (
    <Facts
      facts={[
        { name: t('Member'), value: <MemberLink member={member} /> },
        { name: t('Customer number'), value: member.customer_number, copy: member.customer_number },
        { name: t('Identity'), value: <IdentityLevel status={member.documents_status} /> },
        { name: t('Account'), value: login, copy: account.platform_login },
        ...riskFacts,
        { name: t('Our fee'), value: <Amount amount={withdrawal.fee} currency={currency} /> },
        { name: t('Net amount'), value: <Amount amount={withdrawal.net} currency={currency} />, copy: withdrawal.net },
        { name: t('Method'), value: withdrawal.destination && t(beneficiaryName(withdrawal.destination)) },
        ...paidTo,
        { name: t('Coin'), value: withdrawal.coin },
        {
          name: t('Platform ticket'),
          value: withdrawal.platform_ticket,
          copy: withdrawal.platform_ticket ?? undefined,
        },
        { name: t('Reference'), value: withdrawal.payout_reference, copy: withdrawal.payout_reference ?? undefined },
        {
          name: t('Comment'),
          value: withdrawal.comment && <span className={parts.wrapped}>{withdrawal.comment}</span>,
        },
        { name: t('Created'), value: <Moment at={withdrawal.created_at} /> },
      ]}
    />
  )
}

function Timeline({ withdrawal }: { withdrawal: DeskWithdrawal }) {
  const { t } = useTranslation()
  const steps = withdrawal.timeline.map((entry, index): Step => {
    const { title, meaning } = labelOfEvent(entry.event)
    const by = (
      <>
        <Moment at={entry.at} /> {'\u00b7'} {t(actorName(entry))}
      </>
    )
    return {
      key: `${entry.at}-${index}`,
      title: t(title),
      by,
      note: entry.note && <PlatformProblem problem={entry.note} show={({ text }) => text} />,
      meaning,
      stage: 'done',
    }
  })
  return <Steps label={t('History')} steps={steps} />
}
