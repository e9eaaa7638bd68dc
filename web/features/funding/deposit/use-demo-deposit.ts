import { createDeposit } from '@atrium/contract/deposits/calls.ts'
import { readTradingConfiguration } from '@atrium/contract/workspace-settings/calls.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'
import { useCallForm } from '../../../forms/use-call-form.ts'
import { transactionsKey } from '../transactions-key.ts'
import { checkDemoDraft, demoDepositLabels, demoFieldFor, toDemoBody } from './demo-deposit-draft.ts'

type Settings = { accountId: string | null; currency: string | null }

/** The form of demo funds. */
export function useDemoDeposit({ accountId, currency }: Settings) {
  const queries = useQueryClient()
  return useCallForm({
    start: { amount: '', comment: '' },
    labels: demoDepositLabels,
    fieldFor: demoFieldFor,
    check: (values) => checkDemoDraft({ accountId, ...values }, currency),
    key: 'transaction_deposit',
    send: (values, { key, ...options }) =>
      call(createDeposit, { ...toDemoBody({ accountId, ...values }), nonce_token: key }, options),
    onDone: () => queries.invalidateQueries({ queryKey: transactionsKey }),
    besides: 'toasts',
  })
}

export type DemoDeposit = ReturnType<typeof useDemoDeposit>

/** The daily limit in whole units; undefined until it is loaded. */
export function useDemoDaily(): string | undefined {
  const { data } = useQuery({
    queryKey: ['demo-deposit-daily'],
    queryFn: async () => (await call(readTradingConfiguration, {})).config.demo_deposit_daily,
    staleTime: 60_000,
  })
  return data
}
