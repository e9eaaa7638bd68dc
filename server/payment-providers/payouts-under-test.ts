import type { ProviderUnderTest, SimulatorUnderTest } from './provider-under-test.ts'

/** The data and simulator that a provider supplies to the shared payout tests. */
export type PayoutsUnderTest = {
  uid: string
  words: { paid: string; declined: string; pending: string }
  webhookEvents:
    | 'believed'
    /** A webhook event only triggers a query. */
    | 'hints'
    /** Payouts send no webhook event, so only queries count. */
    | 'none'
    /** A webhook event proves nothing, the provider cannot be queried, and staff decide. */
    | 'reviewed'
  /** The member's text for a failed payout where the provider sends no reason. */
  failedWords?: string
  /** The only currency for payouts, where there is just one. */
  currency?: string
  /** Its messages contain no currency. */
  hasNoCurrency?: true
  /** Payouts cannot be queried: an unknown outcome goes to manual review. */
  cannotBeAsked?: true
  /** Its answers do not contain our attempt id: they are about the reference in the query. */
  answersNameNone?: true
  /** Additional fields of its deposit form. */
  form?: NonNullable<ProviderUnderTest['form']>
  /** The signed fields of a payout message; undefined where there are no such messages. */
  signature?: ProviderUnderTest['signature']
}

export type PayingSimulator = {
  set(attempt: string, state: string, reason?: string): void
  notify(attempt: string, overrides?: Overrides): Promise<{ status: number; body: string } | null>
  breakDown(change: { dropAnswer?: boolean; isDown?: boolean; malformed?: 'html' | 'empty' }): void
  mend(): void
  /** Makes the provider refuse new payouts; null stops it. */
  refuseStarts(message: string | null): void
  payoutCalls(): number
  orders: ReadonlyMap<string, { attempt: string; amount: string; currency: string }>
  /** The message that would be sent. */
  messageFor: SimulatorUnderTest['messageFor']
  settings: Record<string, string>
}

export type Overrides = { status?: string; amount?: string; currency?: string; secretKey?: string; reference?: string }
