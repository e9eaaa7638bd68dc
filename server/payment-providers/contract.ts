import type { Decimal } from '@atrium/contract/money.ts'
import type { z } from 'zod'

/**
 * What the portal may ask of any payment provider, in our own words. No provider's word passes an adapter's
 * `translate.ts`. Amounts are exact decimal text at the currency's scale: what was signed is what is sent.
 */
export type PaymentProvider = {
  /** Hosts to which a member may be sent, as an origin or with `*.` in front of a domain. */
  pageOrigins: readonly string[]
  start(order: OrderToStart): Promise<Started>
  /** Pure: no call, no clock. Whatever is not proven to come from the provider finds nothing. */
  readNotification(raw: RawNotification): NotificationReading
  /** What the provider itself says of an order; null when it does not know it. */
  readStatus(order: OrderToAsk): Promise<Reported | null>
  /** A harmless call that fails when the settings are wrong. */
  test(): Promise<void>
  payOut?(payout: PayoutToStart): Promise<PayoutState>
  readPayout?(payout: OrderToAsk): Promise<PayoutState>
}

export type Payer = {
  id: string
  email: string
  firstName: string
  lastName: string
  phone: string
  country: string
  city: string
  address: string
  zip: string | null
  state: string | null
  ip: string
  language: string
}

export type OrderToStart = {
  /** Our name for this try to pay. Unique for ever; the provider sends it back. */
  attempt: string
  amount: Decimal
  currency: string
  description: string
  payer: Payer
  urls: { back: string; cancelled: string; notify: string }
  at: Date
}

export type OrderToAsk = { attempt: string; reference: string | null; at: Date }

/** Where the member goes to pay. The fields of a form are posted in this order: providers sign them so. */
export type HandOff =
  | { kind: 'redirect'; url: string }
  | { kind: 'form'; action: string; fields: readonly { name: string; value: string }[] }
  | { kind: 'address'; address: string; coin: string; amount: Decimal; page: string | null }

export type Started = { handOff: HandOff; reference: string | null }

export type RawNotification = { method: string; query: string; body: Buffer }

/**
 * unpaid: the page is open and nothing was paid. pending: on its way. paid: the money is there. declined: final. try_declined: one try was, and the page lets the member
 * try again. returned: refunded or charged back. unclear: a word that we do not know, or one that means "ask the bank".
 */
export type ReportedState =
  | 'unpaid'
  | 'pending'
  | 'paid'
  | 'declined'
  | 'try_declined'
  | 'cancelled'
  | 'returned'
  | 'unclear'

export type Reported = {
  attempt: string | null
  reference: string | null
  state: ReportedState
  amount: Decimal | null
  currency: string | null
  /** For people, short; null where the provider said nothing. */
  reason: string | null
  /** The provider's own word, for the desk. */
  word: string
}

export type Acknowledgement = { status: number; contentType: string; body: string }
export type NotificationReading = { answer: Acknowledgement } & (
  | { isGenuine: true; reported: Reported }
  | { isGenuine: false; why: 'unreadable' | 'unsigned' | 'wrong_signature' | 'another_merchant' }
)

export type PayoutToStart = {
  attempt: string
  amount: Decimal
  currency: string
  description: string
  payer: Payer
  account: string
  holder: string
  bankCode: string | null
  notify: string
  at: Date
}
export type PayoutState = { state: 'pending' | 'paid' | 'declined' | 'unknown'; reference: string | null }

/**
 * declined: the provider said no, finally. unavailable: nothing was sent, or it was refused for now. misconfigured: a
 * person must act. unknown: sent, and no answer that can be trusted; asked about before anything is tried again.
 */
export type PaymentFailure = 'declined' | 'unavailable' | 'misconfigured' | 'unknown'

/** Carries words of the provider for the desk: never a secret, never anything personal. */
export class PaymentProblem extends Error {
  readonly failure: PaymentFailure
  readonly detail: string

  constructor(failure: PaymentFailure, detail: string) {
    super(`The payment provider call failed: ${failure}, ${detail}`)
    this.name = 'PaymentProblem'
    this.failure = failure
    this.detail = detail.slice(0, 200)
  }
}

/** One setting as data: the desk draws its field from this, and a secret one is sealed without further code. */
export type SettingField = {
  label: string
  help: string
  isSecret?: true
  /** Several lines. */
  isLong?: true
  choices?: readonly string[]
  /** What stands there when nobody said otherwise. */
  usual?: string
  schema: z.ZodType<unknown, string>
}

export type SettingFields = Readonly<Record<string, SettingField>>
export type SettingsOf<Fields extends SettingFields> = { [Name in keyof Fields]: z.output<Fields[Name]['schema']> }

export type HttpRequest = { method: 'GET' | 'POST'; url: string; headers?: Record<string, string>; body?: string }
export type HttpAnswer = { status: number; text: string }
/** Throws `PaymentProblem`: unavailable while nothing was sent, unknown afterwards. */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>

export type ProviderAdapter = {
  name: string
  fields: SettingFields
  /** Throws `misconfigured` when a setting is missing or wrong: without its secret an adapter does not come to be. */
  connect(settings: Readonly<Record<string, string>>, http: Http): PaymentProvider
}

export function defineProvider<Fields extends SettingFields>(provider: {
  name: string
  fields: Fields
  connect(settings: SettingsOf<Fields>, http: Http): PaymentProvider
}): ProviderAdapter {
  return {
    ...provider,
    connect: (settings, http) => provider.connect(readSettings(provider.fields, settings), http),
  }
}

/** The names of the settings that are missing or wrong, with what is said of each. */
export function wrongSettings(fields: SettingFields, given: Readonly<Record<string, string>>): Record<string, string> {
  const wrong: Record<string, string> = {}
  for (const [name, { schema, usual }] of Object.entries(fields)) {
    const parsed = schema.safeParse(givenOr(given, name, usual))
    if (!parsed.success) wrong[name] = parsed.error.issues[0]?.message ?? 'This value is not accepted.'
  }
  return wrong
}

function readSettings<Fields extends SettingFields>(
  fields: Fields,
  given: Readonly<Record<string, string>>,
): SettingsOf<Fields> {
  const wrong = Object.keys(wrongSettings(fields, given))
  if (wrong.length > 0) throw new PaymentProblem('misconfigured', `settings: ${wrong.join(', ')}`)
  const read = Object.entries(fields).map(([name, { schema, usual }]) => [
    name,
    schema.parse(givenOr(given, name, usual)),
  ])
  return Object.fromEntries(read) as SettingsOf<Fields>
}

const givenOr = (given: Readonly<Record<string, string>>, name: string, usual = ''): string =>
  given[name] === undefined || given[name] === '' ? usual : given[name]
