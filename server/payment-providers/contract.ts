import type { Decimal } from '@atrium/contract/money/money.ts'
import { z } from 'zod'
import { type Coverages, judgeMessage, type SignatureReading, type WebhookEventReading } from './coverage.ts'
import { cut } from './messages.ts'
import { hostOfPage, isListedPage } from './page-address.ts'
import type { WayToPay } from './picture.ts'
import type { StatusReport } from './status-report.ts'
import type { Headers } from './webhook-headers.ts'

/**
 * The contract of every payment provider, in our own terms; a provider's own terms stay within its adapter's
 * `translate.ts`. Amounts are exact decimal text at the currency's scale: the signed text is the sent text.
 */
export type PaymentProvider = {
  /** Hosts to which a member may be sent, as an origin or as `*.` before a domain. */
  pageOrigins: readonly string[]
  /** Those of them that may be framed inside the portal. */
  frameOrigins?: readonly string[]
  /** The fields that the signature of each kind of message covers; the provider is queried for the others. */
  proves: Coverages
  start(order: OrderToStart): Promise<Started>
  /** Pure: no call, no clock. A message that is not proven to come from the provider matches nothing. */
  readWebhookEvent(raw: RawWebhookEvent): WebhookEventReading
  /**
   * The provider's own status of an order; null when it does not know the order. Undefined without such a call: what
   * its messages leave unproven is then for manual review.
   */
  readStatus?(order: OrderToAsk): Promise<StatusReport | null>
  /** The capture step where the member's consent alone moves no money: captures a `payable` order. Safe to repeat. */
  complete?(order: OrderToComplete): Promise<StatusReport | null>
  /** A harmless call that fails when the settings are wrong. */
  test(): Promise<void>
  /** The coins that can be chosen now, for a provider that takes coins. */
  readCoins?(): Promise<readonly Coin[]>
  /**
   * The payment methods for a currency, for a provider with several: cards, a wallet. No call; the first is the
   * default.
   */
  listWays?(currency: string): readonly PaymentWay[]
  /** Restricts deposits to some currencies; without it only the provider knows which it takes. */
  takesIn?(currency: string): boolean
  /**
   * Sends money to a member; called once per attempt. Throws `declined` for a final refusal, `unavailable` only when
   * nothing was sent, `misconfigured` when staff must act, `unknown` for everything else.
   */
  payOut?(payout: PayoutToStart): Promise<PayoutState>
  /** The provider's own status of a payout (`kind: 'payout'`); null when it does not know it. */
  readPayout?(payout: PayoutToAsk): Promise<StatusReport | null>
  /** Restricts payouts to some currencies; without it every currency of the workspace is paid out. */
  paysOutIn?(currency: string): boolean
}

/** A coin by its code, which includes the network (`USDT.TRC20`): the part before the dot alone is another coin. */
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
  /** Our id of this payment attempt, never reused; the provider sends it back. */
  attempt: string
  amount: Decimal
  currency: string
  /** The coin that the member pays in, where the provider takes coins. */
  coin?: string
  /** A code from `listWays`. */
  way?: string
  description: string
  payer: Payer
  urls: { back: string; cancelled: string; notify: string }
  at: Date
}

/** Our ids of deposits and payouts: fixed length, in an alphabet that cannot be confused with another field's value. */
export const attemptShape = /^(dep|wd)-[0-9a-f]{24}$/

/**
 * `hint` is their reference as an unverified callback named it: queried first, and its answer must name our order. It
 * is never stored.
 */
export type OrderToAsk = { attempt: string; reference: string | null; hint?: string | null; at: Date }
/** The time of sending, for providers whose API only lists everything since a time. */
export type PayoutToAsk = OrderToAsk & { sentAt: Date | null }
export type OrderToComplete = OrderToAsk & { amount: Decimal; currency: string }

/**
 * Where the member goes to pay. A form's fields are posted in this order, because providers sign them so; a framed form
 * is shown inside the portal, below our own bar.
 */
export type Redirect =
  | { kind: 'redirect'; url: string }
  | { kind: 'form'; action: string; fields: readonly { name: string; value: string }[]; isFramed?: true }
  | CoinAddress

/** The address for a coin payment, with the tag that some coins need. */
export type CoinAddress = {
  kind: 'address'
  address: string
  tag: string | null
  coin: string
  amount: Decimal
  page: string | null
}

/** `lifeSeconds`: the provider's own time limit; ours applies otherwise. */
export type Started = { redirect: Redirect; reference: string | null; lifeSeconds?: number }

/** The headers that can carry a signature, by lower-case name: see `provingHeaders`. */
export type RawWebhookEvent = {
  method: string
  query: string
  headers: Headers
  body: Buffer
  /** The sender's IP address, as far as the proxies in front of us are trusted. */
  address?: string
}

/** The details of beneficiary and member that a provider needs for a payout. */
export type PayoutNeed = 'account' | 'holder' | 'bankName' | 'bankCode' | 'swift' | 'phone' | 'country'

/** An adapter's payouts as data, from which the form and the checks follow. */
export type PayoutWay = {
  /**
   * The kind of saved beneficiary that can be paid; `source` is the member's own means of payment, known to the
   * provider only.
   */
  to: 'bank_account' | 'other' | 'crypto' | 'source'
  /** A withdrawal to a beneficiary that lacks one of these is refused. */
  needs: readonly PayoutNeed[]
  /** The required format of the account, for example an email address. */
  account?: RegExp
}

export type BankAddress = Record<'street' | 'city' | 'state' | 'branch' | 'postcode' | 'routingNumber', string | null>

export type PayoutToStart = {
  /** Our id of this payout attempt: unique, prefixed with `wd-`, and never used for a second call. */
  attempt: string
  /** After our fee, at the currency's scale. */
  amount: Decimal
  currency: string
  description: string
  payer: Payer
  /** IBAN, account number, wallet or address; empty when the money returns to its source. */
  account: string
  /** The tag or memo of the address, where a network needs one. */
  tag: string | null
  holder: string
  /** As the member entered it. */
  bankName: string | null
  bankCode: string | null
  swift: string | null
  /** The bank's address as the member entered it; undefined if the beneficiary was saved without one. */
  bankAddress?: BankAddress
  /** The currency that is paid out when it differs from the account's, such as a coin. */
  coin: string | null
  /** The member's last paid deposit at this provider, for providers that return money to its source. */
  source: { attempt: string; reference: string | null } | null
  notify: string
  at: Date
}
export type PayoutState = {
  state: 'pending' | 'paid' | 'declined'
  reference: string | null
  /** For a payout in a coin: the amount of coin sent. */
  coinAmount?: Decimal
  /** The provider pays once the member has filled in this page. */
  page?: string
  /** The host of such a page that is not listed: nobody is sent there. */
  unlistedHost?: string
}

/**
 * declined: the provider refused finally. unavailable: nothing was sent, or it was refused for now. misconfigured:
 * staff must act. unknown: sent without a trustworthy answer; it must be queried before any retry.
 */
export type PaymentFailure = 'declined' | 'unavailable' | 'misconfigured' | 'unknown'

/**
 * `detail` holds the provider's own words for the desk. It may contain personal data, so it appears neither in the
 * message, which is logged and stored with a failed job, nor elsewhere in the log.
 */
export class PaymentProblem extends Error {
  readonly failure: PaymentFailure
  readonly detail: string

  constructor(failure: PaymentFailure, detail: string) {
    super(`The payment provider call failed: ${failure}`)
    this.name = 'PaymentProblem'
    this.failure = failure
    this.detail = cut(detail, 200)
  }
}

/** One setting as data: the desk renders its field from this, and a secret one is encrypted automatically. */
export type SettingField = {
  label: string
  help: string
  isSecret?: true
  /** Rendered as a text area. */
  isLong?: true
  choices?: readonly string[]
  /** The default value. */
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
  /** The member chooses a coin before the order is started; the provider takes coins only. */
  takesCoins?: true
  fields: SettingFields
  /** Undefined where the provider makes no payouts. */
  payout?: PayoutWay
  /** Throws `misconfigured` when a setting is missing or wrong: no adapter exists without its secret. */
  connect(settings: Readonly<Record<string, string>>, http: Http, reach?: Reach): PaymentProvider
}

/** Plain HTTP pages, which simulators have, are refused in production, and where nothing else is said. */
type Reach = { production: boolean }

/**
 * A provider as its adapter implements it: the adapter reports the signature's coverage and validity, and draws no
 * conclusion.
 */
export type Connected = Omit<PaymentProvider, 'readWebhookEvent'> & {
  /** Pure. Every signed field is checked against its exact format before anything is hashed. */
  readMessage(raw: RawWebhookEvent): SignatureReading
}

export function defineProvider<Fields extends SettingFields>(provider: {
  name: string
  payWith: WayToPay
  takesCoins?: true
  /** The default number of days for which their slowest payment method may stay pending. */
  pendingDays: number
  fields: Fields
  payout?: PayoutWay
  connect(settings: SettingsOf<Fields>, http: Http): Connected
}): ProviderAdapter {
  const { pendingDays, ...adapter } = provider
  return {
    ...adapter,
    fields: { ...provider.fields, pendingDays: pendingDaysSetting(pendingDays) },
    connect(settings, http, reach = { production: true }) {
      const { readMessage, ...connected } = provider.connect(readSettings(provider.fields, settings), http)
      const { proves } = connected
      return {
        ...connected,
        ...holdPages(connected, reach),
        readWebhookEvent: (raw) => judgeMessage(readMessage(raw), proves),
      }
    },
  }
}

type Calls = Pick<PaymentProvider, 'pageOrigins' | 'start' | 'payOut'>

/** Holds every page in a provider's answer to the list of its hosts, so that no adapter can forget it. */
function holdPages({ pageOrigins, start, payOut }: Calls, { production }: Reach): Pick<Calls, 'start' | 'payOut'> {
  const isListed = (page: string): boolean => isListedPage(page, pageOrigins, production)
  return {
    async start(order) {
      const started = await start(order)
      const page = pageOf(started.redirect)
      if (page === null || isListed(page)) return started
      throw new PaymentProblem('misconfigured', `the payment page is on a host that is not listed: ${hostOfPage(page)}`)
    },
    // The provider has accepted the payout by then, so that its answer stays one.
    ...(payOut && {
      async payOut(payout) {
        const { page, ...state } = await payOut(payout)
        if (page === undefined) return state
        return isListed(page) ? { ...state, page } : { ...state, unlistedHost: hostOfPage(page) }
      },
    }),
  }
}

const pageOf = (redirect: Redirect): string | null =>
  redirect.kind === 'redirect' ? redirect.url : redirect.kind === 'form' ? redirect.action : redirect.page

/**
 * A setting of every provider: an order stays open while they report it as pending, and goes to manual review after
 * this time.
 */
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

/** The missing or invalid settings, with an error text each. */
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
