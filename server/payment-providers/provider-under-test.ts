import type { PaymentFixture, StartBody } from '../../tests/fixtures/payments/payment-fixture.ts'
import type { CoveredField } from './coverage.ts'

export type Twist = {
  status?: string
  amount?: string
  currency?: string
  secretKey?: string
  reference?: string
  attempt?: string
  type?: string
  merchantId?: string
  endpointId?: string
}

/** What the shared tests need of a provider's simulator. */
export type ProviderUnderTest = {
  uid: string
  words: { paid: string; declined: string; pending: string }
  /** How a payment that went back is told, where the provider tells of it. */
  returned?: Twist
  /** What makes a genuine message one of somebody else's merchant account. */
  otherMerchant?: Twist
  /** True where one declined try ends the order; elsewhere the page lets the member try again. */
  declinesForGood: boolean
  /** True where the provider is called for the page. */
  isCalledAtStart: boolean
  /** The only currency that it takes, where there is but one. */
  currency?: string
  /** True where their messages name no currency, since there is but one. */
  hasNoCurrency?: true
  /** True where their messages name no payment of theirs: an order is then paid once, whatever else comes. */
  namesNoPayment?: true
  /** True where their messages name no merchant, whose key alone tells them apart. */
  namesNoMerchant?: true
  /** True where a notification does not prove enough, and only what they say when they are asked counts. */
  isAsked?: true
  /** True where no word of theirs means that a payment is on its way. */
  hasNoPending?: true
  /** True where a notification is not signed at all. */
  isUnsigned?: true
  /** Where the signature of a message about a deposit stands, and what it covers, as their documents say it. */
  signature: {
    /** The names of what is signed, in the order in which the values are joined; points lead into JSON. */
    fields: readonly string[]
    /** Where each of these stands, signed or not. */
    names: Partial<Record<CoveredField, string>>
    /** What carries the proof. */
    proofs: readonly string[]
    /** Nothing inside can be reached without the key. */
    isSealed?: true
  }
  /** True where there is no call to ask by: what was not told, a person finds. */
  cannotBeAsked?: true
  /** What members are told of a decline; their own words where they send some. */
  declineReason?: string
  /** What its form has beside what all have. */
  form?: Partial<StartBody>
  simulatorOf(setup: PaymentFixture): SimulatorUnderTest | Promise<SimulatorUnderTest>
}

export type SimulatorUnderTest = {
  set(attempt: string, state: string, reason?: string): void
  notify(attempt: string, twist?: Twist): Promise<{ status: number; body: string } | null>
  /** The message as it would leave. */
  messageFor(attempt: string): { method?: string; type: string; body: string; headers?: Record<string, string> }
  /** The address that a member's browser comes back to. */
  returnTo(attempt: string): string
  breakDown(change: { slowMs?: number; dropAnswer?: boolean; isDown?: boolean; malformed?: 'html' | 'empty' }): void
  mend(): void
  orders: ReadonlyMap<string, unknown>
  settings: Record<string, string>
}
