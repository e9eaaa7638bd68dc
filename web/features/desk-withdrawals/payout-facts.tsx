import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { formatAmount } from '@atrium/contract/money/money.ts'
import { type DeskPayout, type DeskWithdrawal, withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Facts } from '../../ui/layout/facts.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { ProviderLabels } from '../../ui/money/provider-labels.tsx'
import { readerLanguage } from '../../ui/text/format.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './payout-facts.module.css'
import { payoutReasonLabels, payoutStateLabels } from './payout-labels.ts'
import { useAct, withdrawalQuery } from './use-desk-withdrawals.ts'

/** While a provider has the payout, staff cannot mark it as paid or failed, so the buttons are hidden. */
export const isAtProvider = ({ payouts: [last] }: Pick<DeskWithdrawal, 'payouts'>): boolean =>
  last !== undefined && ['sending', 'checking', 'accepted'].includes(last.state)

/** The payouts of a withdrawal, newest first, each with the provider's answer. */
export function Payouts({ withdrawal, mayDecide }: { withdrawal: DeskWithdrawal; mayDecide: boolean }) {
  return (
    <div data-stack="md">
      {/* A new payout begins a new intent with a key of its own. */}
      <PayoutActs key={withdrawal.payouts[0]?.attempt ?? 'first'} withdrawal={withdrawal} mayDecide={mayDecide} />
      {withdrawal.payouts.map((payout) => (
        <Payout key={payout.attempt} payout={payout} />
      ))}
    </div>
  )
}

function PayoutActs({ withdrawal, mayDecide }: { withdrawal: DeskWithdrawal; mayDecide: boolean }) {
  const { t } = useTranslation()
  const asking = useAct(withdrawal._id)
  const paying = useAct(withdrawal._id)
  const pay = useCallForm({
    start: {},
    labels: {},
    key: 'own',
    send: (_nothing, { key }) => paying.mutateAsync({ do: 'pay-by-provider', key }),
    afterDone: 'anew',
  })
  const { may_pay_by_provider: mayPay, payouts, state } = withdrawal
  const last = payouts[0]
  const confirm = useConfirm()
  const queries = useQueryClient()
  const ask = async () => {
    const { ticket, net, currency } = withdrawal
    const amount = `${formatAmount(net, currency, readerLanguage())} ${currency}`
    const sent = t('{{amount}} is sent to the approved beneficiary at once.', { amount })
    const yes = await confirm({
      title: t('Pay T-{{ticket}} through the provider?', { ticket }),
      body: last?.why ? `${t(payoutReasonLabels[last.why])} ${sent}` : sent,
      action: t('Pay {{amount}}', { amount }),
      stay: t('Not now'),
    })
    if (!yes) return
    // The question may have been open while a colleague paid.
    const now = queries.getQueryData(withdrawalQuery(withdrawal._id).queryKey)
    if (now?.payouts[0]?.attempt === last?.attempt) pay.submit()
    else toast.refused(t(withdrawalDeskTexts.providerHasIt))
  }
  const canAsk = state === 'paying' && last !== undefined && ['checking', 'accepted', 'for_staff'].includes(last.state)
  if (!mayDecide || (!mayPay && !canAsk)) return null
  return (
    <>
      {asking.error && <Callout meaning="red">{t(asking.error.message)}</Callout>}
      <Refusal messages={pay.refusal} isUnknown={pay.isUnknown} unknown={t(outcomeTexts.decisionUnknown)} />
      <div data-group="sm">
        {mayPay && (
          <Button size="xs" variant="default" loading={pay.isSubmitting} disabled={withdrawal.is_own} onClick={ask}>
            {last === undefined ? t('Pay through the provider') : t('Retry through the provider')}
          </Button>
        )}
        {canAsk && (
          <Button
            size="xs"
            variant="default"
            loading={asking.isPending}
            onClick={() => asking.mutate({ do: 'look-again' })}
          >
            {t('Query the provider now')}
          </Button>
        )}
      </div>
    </>
  )
}

function Payout({ payout }: { payout: DeskPayout }) {
  const { t } = useTranslation()
  const { label, meaning, isMoving = false } = payoutStateLabels[payout.state]
  return (
    <div className={parts.payout} data-stack="md">
      {payout.why && payout.state === 'for_staff' && (
        <Callout meaning="amber">{t(payoutReasonLabels[payout.why])}</Callout>
      )}
      <Facts
        facts={[
          { name: t('Provider'), value: payout.provider },
          { name: t('Payout'), value: <StatusPill meaning={meaning} label={t(label)} isMoving={isMoving} /> },
          { name: t('Amount'), value: <Amount amount={payout.amount} currency={payout.currency} /> },
          { name: t('Coin'), value: payout.coin && `${payout.coin_amount ?? ''} ${payout.coin}`.trim() },
          { name: t('Last problem'), value: payout.problem && <span className={parts.wrapped}>{payout.problem}</span> },
          { name: t('Our reference'), value: payout.attempt, copy: payout.attempt },
          { name: t('Provider reference'), value: payout.reference, copy: payout.reference ?? undefined },
          { name: t('Created'), value: <Moment at={payout.created_at} /> },
        ]}
      />
      <ProviderLabels notifications={payout.notifications} />
    </div>
  )
}
