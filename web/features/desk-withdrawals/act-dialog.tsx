import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { formatAmount } from '@atrium/contract/money/money.ts'
import { givenReasons, withdrawalReasons } from '@atrium/contract/withdrawals/calls.ts'
import type { DeskWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import type { CallForm } from '../../forms/use-call-form.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { ReasonFields, reasonFieldLabels } from '../../ui/forms/reason-fields.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { readerLanguage } from '../../ui/text/format.ts'
import { platformName } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useBeneficiaryFacts } from './beneficiary-facts.tsx'
import { isRecorded, type Question, useActForm, type Values } from './use-act-form.ts'
import { reasonLabels } from './withdrawal-labels.ts'

type DialogProps = { question: Question; withdrawal: DeskWithdrawal; onClose: () => void }

const titles: Record<Question, string> = {
  approve: 'Approve withdrawal T-{{ticket}} of {{amount}}?',
  reject: 'Reject withdrawal T-{{ticket}} of {{amount}}?',
  paid: 'Mark T-{{ticket}} as paid?',
  failed: 'Has the payment of T-{{ticket}} failed?',
}

/** Names the withdrawal and the consequence before sending, and sends once. */
export function ActDialog({ question, withdrawal: newest, onClose }: DialogProps) {
  const { t } = useTranslation()
  const { form, withdrawal } = useActForm({ question, withdrawal: newest, reasonLabels: reasonFieldLabels, onClose })
  const { ticket, approvals, approvals_needed, account } = withdrawal
  const amount = `${formatAmount(withdrawal.amount, withdrawal.currency, readerLanguage())} ${withdrawal.currency}`
  const isLast = approvals + 1 >= approvals_needed
  const isDisputed = withdrawal.paid_by_hand !== null && withdrawal.paid_by_hand.failed_by === null
  const button = {
    approve: isLast ? 'Approve and debit' : 'Approve (first of two)',
    reject: 'Reject withdrawal',
    paid: isRecorded(withdrawal) ? 'Record as paid' : 'Mark as paid',
    failed: 'Refund',
  }[question]
  return (
    <CallDialog
      form={form}
      title={t(titles[question], { ticket, amount })}
      size={500}
      submit={t(button)}
      cancel={t('Not now')}
      isDangerous={question === 'reject' || question === 'failed'}
      isQuestion={question === 'approve'}
      unknown={t(outcomeTexts.decisionUnknown)}
      onClose={onClose}
    >
      <ActFacts withdrawal={withdrawal} />
      {question === 'approve' && (
        <p>
          {isLast
            ? t('{{amount}} leaves account {{login}} on the platform at once. The payment is made after that.', {
                amount,
                login: account.platform_login,
              })
            : t(
                'This amount needs a second approval. After yours, a colleague has to approve it before it is processed.',
              )}
        </p>
      )}
      {question === 'reject' && <RejectFields form={form} />}
      {question === 'paid' && <PaidFields form={form} isRecorded={isRecorded(withdrawal)} />}
      {question === 'failed' && isDisputed && (
        <p>{t('This withdrawal is recorded as paid by hand, so two people must confirm that the payment failed.')}</p>
      )}
      {question === 'failed' && <FailedFields form={form} amount={amount} login={account.platform_login} />}
    </CallDialog>
  )
}

type FieldsProps = { form: Pick<CallForm<Values, keyof Values, unknown>, 'values' | 'errorOf' | 'change'> }

function RejectFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  const { reason } = form.values
  return (
    <>
      <ReasonFields reasons={givenReasons} labels={reasonLabels} form={form} />
      {reason && (
        <p>
          {t('The member reads: {{sentence}}', {
            sentence: `${t(withdrawalReasons[reason].sentence)} ${t(withdrawalReasons[reason].next)}`,
          })}
        </p>
      )}
    </>
  )
}

/** The withdrawal's facts, because the dialog covers the page. */
function ActFacts({ withdrawal }: { withdrawal: DeskWithdrawal }) {
  const { t } = useTranslation()
  const { member, account, currency } = withdrawal
  const beneficiary = useBeneficiaryFacts(withdrawal).map(({ copy: _, ...fact }) => fact)
  return (
    <Facts
      facts={[
        { name: t('Net amount'), value: <Amount amount={withdrawal.net} currency={currency} /> },
        {
          name: t('Member'),
          value: t('{{name}}, customer {{number}}', { name: member.name, number: member.customer_number }),
        },
        {
          name: t('Account'),
          value: `${platformName(account.platform_type)} ${account.platform_login} (${account.live_account ? t('Live') : t('Demo')})`,
        },
        ...beneficiary,
      ]}
    />
  )
}

function PaidFields({ form: { values, errorOf, change }, isRecorded }: FieldsProps & { isRecorded: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <p>{t('The member sees the reference, and can ask their bank for it.')}</p>
      <TextInput
        label={t('Payment reference')}
        required
        charsMax={120}
        data-autofocus
        value={values.reference}
        error={errorOf('reference')}
        onChange={(event) => change({ reference: event.currentTarget.value })}
      />
      {isRecorded && (
        <>
          <p>
            {t(
              'This withdrawal may not be paid now. Record it only if the transfer was already made: two people have to, with the same reference.',
            )}
          </p>
          <Textarea
            label={t('Reason')}
            required
            autosize
            minRows={2}
            charsMax={limits.commentCharsMax}
            value={values.cause}
            error={errorOf('cause')}
            onChange={(event) => change({ cause: event.currentTarget.value })}
          />
        </>
      )}
    </>
  )
}

function FailedFields({ form, amount, login }: FieldsProps & { amount: string; login: string }) {
  const { t } = useTranslation()
  const { values, errorOf, change } = form
  return (
    <>
      <p>
        {t('{{amount}} is refunded to account {{login}}. Make sure that the payment will not arrive later.', {
          amount,
          login,
        })}
      </p>
      <Textarea
        label={t('Reason for the failure')}
        required
        autosize
        minRows={2}
        charsMax={limits.commentCharsMax}
        data-autofocus
        value={values.failure}
        error={errorOf('failure')}
        onChange={(event) => change({ failure: event.currentTarget.value })}
      />
    </>
  )
}
