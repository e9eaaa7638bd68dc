import type { PaymentFixture, StartBody } from '../../tests/fixtures/payments/payment-fixture.ts'
import type { CoveredField } from './coverage.ts'

export type Overrides = {
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

/** The data and simulator that a provider supplies to the shared tests. */
export type ProviderUnderTest = {
  uid: string
  words: { paid: string; declined: string; pending: string }
  /** The message about a returned payment, where the provider sends one. */
  returned?: Overrides
  /** The change that makes a genuine message one of another merchant account. */
  otherMerchant?: Overrides
  /** True if one declined try ends the order; otherwise the page lets the member try again. */
  declinesForGood: boolean
  /** True if our server calls the provider to create the payment page. */
  isCalledAtStart: boolean
  /** The only accepted currency, where there is just one. */
  currency?: string
  /** True if its messages contain no currency, because there is only one. */
  hasNoCurrency?: true
  /** True if its messages contain no payment reference: an order is then paid once, whatever else arrives. */
  namesNoPayment?: true
  /** True if its messages contain no merchant id, so that only the key identifies the merchant. */
  namesNoMerchant?: true
  /** True if a webhook event does not prove enough and only the answer to a query counts. */
  isAsked?: true
  /** True if it has no status for a payment in progress. */
  hasNoPending?: true
  /** True if webhook events are unsigned. */
  isUnsigned?: true
  /** The signature of a deposit message and its coverage, as their documentation describes it. */
  signature: {
    /** The signed fields in the order in which their values are joined; dotted paths lead into JSON. */
    fields: readonly string[]
    /** The field name of each covered value, signed or not. */
    names: Partial<Record<CoveredField, string>>
    /** The fields that carry the signature. */
    proofs: readonly string[]
    /** The content is encrypted, so no field can be changed without the key. */
    isSealed?: true
  }
  /** True if orders cannot be queried: a payment without a webhook event is found by staff. */
  cannotBeAsked?: true
  /** The decline reason that members see; the provider's own text where it sends one. */
  declineReason?: string
  /** Additional fields of its form. */
  form?: Partial<StartBody>
  simulatorOf(setup: PaymentFixture): SimulatorUnderTest | Promise<SimulatorUnderTest>
}

export type SimulatorUnderTest = {
  set(attempt: string, state: string, reason?: string): void
  notify(attempt: string, overrides?: Overrides): Promise<{ status: number; body: string } | null>
  /** The message that would be sent. */
  messageFor(attempt: string): { method?: string; type: string; body: string; headers?: Record<string, string> }
  /** The return URL of the member's browser. */
  returnTo(attempt: string): string
  breakDown(change: { slowMs?: number; dropAnswer?: boolean; isDown?: boolean; malformed?: 'html' | 'empty' }): void
  mend(): void
  orders: ReadonlyMap<string, unknown>
  settings: Record<string, string>
}
