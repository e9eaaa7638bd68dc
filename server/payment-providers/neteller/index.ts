import { z } from 'zod'
import {
  defineProvider,
  PaymentProblem,
  type PayoutState,
  type PayoutToStart,
  type RawWebhookEvent,
} from '../contract.ts'
import { allSigned, type SignatureReading } from '../coverage.ts'
import { isObject, type JsonObject, readObject, refused, textAnswer, textIn } from '../messages.ts'
import { originsOf } from '../page-address.ts'
import { addressSetting, pageHostsSetting, secretSetting, textSetting } from '../setting-kinds.ts'
import type { StatusReport } from '../status-report.ts'
import { type Caller, openCaller, UsedBefore } from './client.ts'
import { creditBody, eventOf, handleBody, isSigned, paymentBody, payoutHandleBody, reportOf } from './translate.ts'

/** Neteller by the Paysafe Payments API: the member agrees on their page, and our second call captures the money. */
export const neteller = defineProvider({
  name: 'Neteller',
  payWith: 'wallet',
  pendingDays: 3,
  fields: {
    username: textSetting({
      label: 'API key name',
      help: 'At Paysafe: Business Portal, Developer, API keys. The part of the secret key before the colon.',
    }),
    password: secretSetting({ label: 'API key secret', help: 'The part of the same key after the colon.' }),
    webhookKey: secretSetting({
      label: 'Webhook HMAC key',
      help: 'At Paysafe: Developer, Webhooks; shown when the endpoint is created. Verifies webhook events.',
    }),
    accountId: {
      label: 'Account ID',
      help: 'Only if your contract has several accounts for one currency. Webhook events of other accounts are refused.',
      schema: z.string().trim().max(40),
    },
    baseUrl: addressSetting(
      { label: 'API address', help: 'https://api.test.paysafe.com/paymenthub/v1 for tests.' },
      'https://api.paysafe.com/paymenthub/v1',
    ),
    pageHosts: pageHostsSetting('*.paysafe.com\n*.neteller.com'),
  },
  payout: { to: 'other', needs: ['account'] },
  connect({ username, password, webhookKey, accountId, baseUrl, pageHosts }, http) {
    const caller = openCaller(http, { username, password, baseUrl })
    return {
      pageOrigins: originsOf(baseUrl, pageHosts),
      async start(order) {
        const handle = await caller.post('/paymenthandles', handleBody(order, accountId))
        return { redirect: { kind: 'redirect', url: pageIn(handle) }, reference: null }
      },
      // The whole body is signed; the event's name gives its subject.
      proves: { deposit: allSigned, payout: allSigned },
      readMessage: (raw) => read(raw, { webhookKey, accountId, isTest: testHost.test(new URL(baseUrl).hostname) }),
      async readStatus({ attempt }) {
        const payment = await findPayment(caller, attempt)
        if (payment) return payment
        const handle = await findHandle(caller, attempt)
        return handle && reportOf(handle, 'handle')
      },
      async complete(order) {
        const earlier = await findPayment(caller, order.attempt)
        if (earlier) return earlier
        const handle = await findHandle(caller, order.attempt)
        if (!handle) return null
        const body = paymentBody(order, textIn(handle.paymentHandleToken))
        return reportOf(await caller.post('/payments', body), 'payment')
      },
      async test() {
        await findHandle(caller, `connection-test-${Date.now()}`)
      },
      payOut: (payout) => payOut(caller, payout, accountId),
      readPayout: ({ attempt }) => findPayout(caller, attempt),
    }
  },
})

function pageIn({ links }: JsonObject): string {
  const link = Array.isArray(links) ? links.filter(isObject).find(({ rel }) => rel === 'redirect_payment') : undefined
  if (typeof link?.href !== 'string') throw new PaymentProblem('unknown', 'no payment page in the answer')
  return link.href
}

const findHandle = async (caller: Caller, attempt: string): Promise<JsonObject | null> =>
  (await caller.list('/paymenthandles', attempt, 'paymentHandles'))[0] ?? null

/** An ended try is the answer only when no other one is paid or may still be. */
async function findLiveliest(
  caller: Caller,
  { path, name, attempt }: { path: string; name: string; attempt: string },
  subject: 'payment' | 'payout',
): Promise<StatusReport | null> {
  const found = (await caller.list(path, attempt, name)).map((each) => reportOf(each, subject))
  const isOver = ({ state }: StatusReport): boolean => state === 'declined' || state === 'cancelled'
  return found.find(({ state }) => state === 'paid') ?? found.find((each) => !isOver(each)) ?? found[0] ?? null
}

const findPayout = (caller: Caller, attempt: string) =>
  findLiveliest(caller, { path: '/standalonecredits', name: 'standaloneCredits', attempt }, 'payout')

/**
 * Two calls, of which the second sends the money. A call that was refused for now is repeated: its handle exists then,
 * and so may the payout, which is looked up before anything is sent.
 */
async function payOut(caller: Caller, payout: PayoutToStart, accountId: string): Promise<PayoutState> {
  try {
    const handle = await caller.post('/paymenthandles', payoutHandleBody(payout, accountId))
    return await sendCredit(caller, payout, handle)
  } catch (problem) {
    if (!(problem instanceof UsedBefore)) throw problem
    const earlier = await findPayout(caller, payout.attempt)
    if (earlier) return stateOf(earlier)
    const handle = await findHandle(caller, payout.attempt)
    if (!handle) throw problem
    return sendCredit(caller, payout, handle)
  }
}

async function sendCredit(caller: Caller, payout: PayoutToStart, handle: JsonObject): Promise<PayoutState> {
  const body = creditBody(payout, textIn(handle.paymentHandleToken))
  return stateOf(reportOf(await caller.post('/standalonecredits', body), 'payout'))
}

const stateOf = ({ state, reference }: StatusReport): PayoutState => ({
  state: state === 'paid' || state === 'declined' ? state : 'pending',
  reference,
})

const findPayment = (caller: Caller, attempt: string) =>
  findLiveliest(caller, { path: '/payments', name: 'payments', attempt }, 'payment')

type Reader = { webhookKey: string; accountId: string; isTest: boolean }

/** The test system's host; a message of one system says nothing about money of the other. */
const testHost = /(^|[.-])test([.-]|$)/

function read(
  { method, headers, body }: RawWebhookEvent,
  { webhookKey: key, accountId, isTest }: Reader,
): SignatureReading {
  const message = method === 'POST' ? readObject(body.toString('utf8')) : null
  if (!message) return refused('unreadable')
  if (headers.signature === undefined) return refused('unsigned')
  if (!isSigned(body, headers.signature, key)) return refused('wrong_signature')
  if (textIn(message.mode).toLowerCase() === 'test' && !isTest) return refused('another_merchant')
  const said = isObject(message.payload) ? textIn(message.payload.accountId) : ''
  if (accountId !== '' && said !== '' && said !== accountId) return refused('another_merchant')
  return { signed: eventOf(message), answer: textAnswer(200, 'OK') }
}
