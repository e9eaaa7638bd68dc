import type { Decimal } from '@atrium/contract/money/money.ts'
import { z } from 'zod'
import { type Coverages, judgeMessage, type NotificationReading, type SignatureReading } from './coverage.ts'
import type { Headers } from './notification-headers.ts'
import type { WayToPay } from './picture.ts'
import type { Reported } from './reported.ts'

/**
 * What the portal may ask of any payment provider, in our own words. No provider's word passes an adapter's
 * `translate.ts`. Amounts are exact decimal text at the currency's scale: what was signed is what is sent.
 */
export type PaymentProvider = {
  /** Hosts to which a member may be sent, as an origin or with `*.` in front of a domain. */
  pageOrigins: readonly string[]
  /** Of these the ones that stand in a frame inside of the portal. */
  frameOrigins?: readonly string[]
  /** What the signature of each kind of message covers: what it leaves open the provider is asked. */
  proves: Coverages
  start(order: OrderToStart): Promise<Started>
  /** Pure: no call, no clock. Whatever is not proven to come from the provider finds nothing. */
  readNotification(raw: RawNotification): NotificationReading
  /**
   * What the provider itself says of an order; null when it does not know it. Missing where there is no call to ask by: what
   * its messages leave unproven is then for a person.
   */
  readStatus?(order: OrderToAsk): Promise<Reported | null>
  /** The second step where a member's consent alone moves no money yet: takes what `payable` offers. Safe to repeat. */
  complete?(order: OrderToComplete): Promise<Reported | null>
  /** A harmless call that fails when the settings are wrong. */
  test(): Promise<void>
  /** The coins that may be chosen now, of a provider that takes coins. */
  readCoins?(): Promise<readonly Coin[]>
  /** The ways to pay in a currency, of a provider that has several: cards, a wallet. No call; the first is the usual one. */
  listWays?(currency: string): readonly PaymentWay[]
  /**
   * Sends money to a member; called once for each attempt. Throws `declined` for a final no, `unavailable` only where
   * nothing was sent, `misconfigured` where a person must act, `unknown` for everything else.
   */
  payOut?(payout: PayoutToStart): Promise<PayoutState>
  /** What the provider itself says of a payout (`kind: 'payout'`); null when it does not know it. */
  readPayout?(payout: PayoutToAsk): Promise<Reported | null>
  /** Where only some currencies are paid out; without it every one that the workspace offers is. */
  paysOutIn?(currency: string): boolean
}

/** A coin by its code, which names the network too (`USDT.TRC20`): what stands in front of the dot is another coin. */
export type Coin = { code: string; name: string }

export type PaymentWay = { code: string; name: string }

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
  /** What the member pays in, where the provider takes coins. */
  coin?: string
  /** One of `listWays`. */
  way?: string
  description: string
  payer: Payer
  urls: { back: string; cancelled: string; notify: string }
  at: Date
}

/**
 * Our names of deposits and payouts: one length, and signs that stand in no other field's place.
 */
export const attemptShape = /^(dep|wd)-[0-9a-f]{24}$/

/**
 * `hint` is their number as an unverified callback named it: somewhere to look first, whose answer has to name our order. It
 * is never stored.
 */
export type OrderToAsk = { attempt: string; reference: string | null; hint?: string | null; at: Date }
/** When it was sent, for those that can only be asked for everything since. */
export type PayoutToAsk = OrderToAsk & { sentAt: Date | null }
export type OrderToComplete = OrderToAsk & { amount: Decimal; currency: string }

/**
 * Where the member goes to pay. The fields of a form are posted in this order: providers sign them so. One that is framed
 * stands inside of the portal, below a bar of ours.
 */
export type Redirect =
  | { kind: 'redirect'; url: string }
  | { kind: 'form'; action: string; fields: readonly { name: string; value: string }[]; isFramed?: true }
  | CoinAddress

/** Where so much of a coin is to be sent, with the tag that some coins need beside the address. */
export type CoinAddress = {
  kind: 'address'
  address: string
  tag: string | null
  coin: string
  amount: Decimal
  page: string | null
}

/** How long it may be paid is ours to say, unless the provider does. */
export type Started = { redirect: Redirect; reference: string | null; lifeSeconds?: number }

/** The headers are those in which a proof may stand, under lower-case names: see `provingHeaders`. */
export type RawNotification = {
  method: string
  query: string
  headers: Headers
  body: Buffer
  /** Where it came from, as far as the proxies in front of us are believed. */
  address?: string
}

/** What a provider must know of the place that it pays to, and of whom it pays. */
export type PayoutNeed = 'account' | 'holder' | 'bankName' | 'bankCode' | 'swift' | 'phone' | 'country'

/** That an adapter pays out, as data: the form and the checks follow from it. */
export type PayoutWay = {
  /**
   * Which of the member's saved beneficiaries are paid to; `source` is what the member paid with, which the provider knows
   * and we never do.
   */
  to: 'bank_account' | 'other' | 'crypto' | 'source'
  /** A beneficiary without one of these is refused when a withdrawal is asked for. */
  needs: readonly PayoutNeed[]
  /** How the account has to look, where not every text can be one: such as an email. */
  account?: RegExp
}

export type BankAddress = Record<'street' | 'city' | 'state' | 'branch' | 'postcode' | 'routingNumber', string | null>

export type PayoutToStart = {
  /** Our name for this try to pay out: unique for ever, `wd-` in front, and never used for a second call. */
  attempt: string
  /** After our fee, at the currency's scale. */
  amount: Decimal
  currency: string
  description: string
  payer: Payer
  /** IBAN, account number, wallet or address; empty where the money goes back to its source. */
  account: string
  /** Beside the address, where a network needs it. */
  tag: string | null
  holder: string
  /** As the member wrote it. */
  bankName: string | null
  bankCode: string | null
  swift: string | null
  /** Of the bank, as the member wrote it; none where it was saved without one. */
  bankAddress?: BankAddress
  /** Where a currency is paid out in another one, as crypto is. */
  coin: string | null
  /** The member's last paid deposit by this provider, for those that send money back the way it came. */
  source: { attempt: string; reference: string | null } | null
  notify: string
  at: Date
}
export type PayoutState = {
  state: 'pending' | 'paid' | 'declined'
  reference: string | null
  /** Of a payout in a coin: how much of it is sent. */
  coinAmount?: Decimal
}

/**
 * declined: the provider said no, finally. unavailable: nothing was sent, or it was refused for now. misconfigured: a
 * person must act. unknown: sent, and no answer that can be trusted; asked about before anything is tried again.
 */
export type PaymentFailure = 'declined' | 'unavailable' | 'misconfigured' | 'unknown'

/**
 * `detail` holds words of the provider for the desk. Nothing keeps personal data out of them, so they stand neither in the message,
 * which is logged and kept with a failed job, nor in any other line of the log.
 */
export class PaymentProblem extends Error {
  readonly failure: PaymentFailure
  readonly detail: string

  constructor(failure: PaymentFailure, detail: string) {
    super(`The payment provider call failed: ${failure}`)
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
  payWith: WayToPay
  /** A member chooses a coin before anything is started; nothing but coins is taken. */
  takesCoins?: true
  fields: SettingFields
  /** Missing where nothing is paid out. */
  payout?: PayoutWay
  /** Throws `misconfigured` when a setting is missing or wrong: without its secret an adapter does not come to be. */
  connect(settings: Readonly<Record<string, string>>, http: Http): PaymentProvider
}

/** A provider as its adapter writes it: it says what a signature covers and whether it holds, and not what follows from that. */
export type Connected = Omit<PaymentProvider, 'readNotification'> & {
  /** Pure. Every signed field is held to its exact shape before anything is hashed. */
  readMessage(raw: RawNotification): SignatureReading
}

export function defineProvider<Fields extends SettingFields>(provider: {
  name: string
  payWith: WayToPay
  takesCoins?: true
  /** How many days their slowest way to pay may stay pending, where the brokerage does not say otherwise. */
  pendingDays: number
  fields: Fields
  payout?: PayoutWay
  connect(settings: SettingsOf<Fields>, http: Http): Connected
}): ProviderAdapter {
  const { pendingDays, ...adapter } = provider
  return {
    ...adapter,
    fields: { ...provider.fields, pendingDays: pendingDaysSetting(pendingDays) },
    connect(settings, http) {
      const { readMessage, ...connected } = provider.connect(readSettings(provider.fields, settings), http)
      const { proves } = connected
      return { ...connected, readNotification: (raw) => judgeMessage(readMessage(raw), proves) }
    },
  }
}

/** Every provider has it: an order stays open while they say that it is pending, and a person looks after it after so long. */
const pendingDaysSetting = (usual: number) =>
  ({
    label: 'Days a payment may be pending',
    help: 'While the provider says that a payment is pending, its deposit stays open. After so many days it goes to manual review.',
    usual: String(usual),
    schema: z
      .string()
      .trim()
      .regex(/^[1-9]\d?$/, 'Enter a number of days from 1 to 99.'),
  }) satisfies SettingField

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
