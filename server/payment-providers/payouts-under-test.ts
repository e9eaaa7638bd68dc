import type { ProviderUnderTest, SimulatorUnderTest } from './provider-under-test.ts'

/** What the shared tests of payouts need of a provider's simulator. */
export type PayoutsUnderTest = {
  uid: string
  words: { paid: string; declined: string; pending: string }
  /**
   * `hints`: a notification says that something happened, and the provider is asked what. `none`: nobody is told of a
   * payout, and asking is all there is. `reviewed`: a notification proves nothing, nobody can be asked, and a person looks.
   */
  notices: 'believed' | 'hints' | 'none' | 'reviewed'
  /** What its member reads of a payout that failed, where the provider does not tell it in words. */
  failedWords?: string
  /** The only currency that it pays out in, where there is but one. */
  currency?: string
  /** What it says names no currency. */
  hasNoCurrency?: true
  /** There is no call to ask about a payout by: an outcome that is not known is for a person. */
  cannotBeAsked?: true
  /** Its answers name no payout of ours: they are about the number of theirs that was asked for. */
  answersNameNone?: true
  /** What the form of a deposit by it has beside what all have. */
  form?: NonNullable<ProviderUnderTest['form']>
  /** Where the signature of a message about a payout stands, and what it covers; left out where there are no such messages. */
  signature?: ProviderUnderTest['signature']
}

export type PayingSimulator = {
  set(attempt: string, state: string, reason?: string): void
  notify(attempt: string, twist?: Twist): Promise<{ status: number; body: string } | null>
  breakDown(change: { dropAnswer?: boolean; isDown?: boolean; malformed?: 'html' | 'empty' }): void
  mend(): void
  /** Has the provider refuse what it is asked for from now on; null: no more. */

  refuseStarts(message: string | null): void
  payoutCalls(): number
  orders: ReadonlyMap<string, { attempt: string; amount: string; currency: string }>
  /** The message as it would leave. */
  messageFor: SimulatorUnderTest['messageFor']
  settings: Record<string, string>
}

export type Twist = { status?: string; amount?: string; currency?: string; secretKey?: string; reference?: string }
