import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { DeskWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import { Button } from '@mantine/core'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { ReasonField } from '../../ui/forms/reason-fields.tsx'
import { MoneyInput } from '../../ui/money/money-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useAct } from './use-desk-withdrawals.ts'
import { type Returnable, useReturn } from './use-return.ts'

/** Offered for a payment by hand, of which no provider reports, and for another return of a payout that came back before. */
export function ReturnButton({ withdrawal }: { withdrawal: DeskWithdrawal }) {
  const { t } = useTranslation()
  const { isOffered, reported, open, close } = useReturn(withdrawal)
  return (
    <>
      {isOffered && (
        <Button variant="default" disabled={withdrawal.is_own} onClick={open}>
          {t(saidOf(withdrawal).button)}
        </Button>
      )}
      {reported && <ReturnedDialog withdrawal={reported} onClose={close} />}
    </>
  )
}

const ofTransfer = {
  button: 'Transfer returned',
  title: 'Was the transfer of T-{{ticket}} returned?',
  text: 'The withdrawal stays paid. Decide about the money under Payments.',
}
const ofPayout = {
  button: 'Another return',
  title: 'Did the payout of T-{{ticket}} come back once more?',
  text: 'Report it only if the provider confirms that this is a return of its own, which its messages do not show. The withdrawal stays paid; two people decide about the money under Payments.',
}
const saidOf = ({ is_returned_again }: DeskWithdrawal) => (is_returned_again ? ofPayout : ofTransfer)

const labels = { amount: 'Returned amount', reference: 'Reference of the return', reason: 'Reason' }

function ReturnedDialog({ withdrawal, onClose }: { withdrawal: Returnable; onClose: () => void }) {
  const { t } = useTranslation()
  const { ticket, currency } = withdrawal
  const said = saidOf(withdrawal)
  const attempt = useAct(withdrawal._id)
  const form = useCallForm({
    start: { amount: withdrawal.returnable, reference: '', reason: '' },
    labels,
    check: ({ amount, reference, reason }) => ({
      ...(amount.trim() === '' && { amount: [texts.amountMissing] }),
      ...(reference.trim() === '' && { reference: [texts.fieldsMissing] }),
      ...(reason.trim() === '' && { reason: [texts.fieldsMissing] }),
    }),
    key: 'own',
    send: ({ amount, reference, reason }, { key }) =>
      attempt.mutateAsync({ do: 'returned', amount, reference: reference.trim(), reason: reason.trim(), key }),
    onDone: () => {
      toast.done(t('The return of T-{{ticket}} is listed under Payments.', { ticket }))
      onClose()
    },
  })
  const { values, errorOf, change } = form
  return (
    <CallDialog
      form={form}
      title={t(said.title, { ticket })}
      size={500}
      submit={t('Report the return')}
      cancel={t('Not now')}
      unknown={t(outcomeTexts.decisionUnknown)}
      onClose={onClose}
    >
      <p>{t(said.text)}</p>
      <MoneyInput
        label={t(labels.amount)}
        required
        data-autofocus
        value={values.amount}
        currency={currency}
        error={errorOf('amount')}
        describe={(money) => t('{{money}} was returned', { money })}
        onChange={(amount) => change({ amount })}
      />
      <TextInput
        label={t(labels.reference)}
        required
        charsMax={120}
        value={values.reference}
        error={errorOf('reference')}
        onChange={(event) => change({ reference: event.currentTarget.value })}
      />
      <ReasonField label={t(labels.reason)} form={form} />
    </CallDialog>
  )
}
