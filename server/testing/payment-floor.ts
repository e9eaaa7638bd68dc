import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { type SafechargeSimulator, startSafechargeSimulator } from '../../simulators/safecharge/simulator.ts'
import { startZotaSimulator, type ZotaSimulator } from '../../simulators/zotapay/simulator.ts'
import { buildApp } from '../app.ts'
import { reading } from '../foundation/database.ts'
import { readNotification } from '../payment-providers/notification.ts'
import { type StartedDeposit, startDeposit } from '../payment-providers/start-deposit.ts'
import { makeUniqueToken } from '../sessions/unique-token.ts'
import { type Caller, callerOf } from './caller.ts'
import { openTestSession } from './harbour.ts'
import { addAccount } from './harbour-platforms.ts'
import { addProvider } from './payment-providers.ts'
import { openTradingFloor, type TradingFloor } from './trading-floor.ts'

/** A trading floor with both payment providers beside it, and the whole server listening for what they say. */
export type PaymentFloor = TradingFloor & {
  app: FastifyInstance
  zota: ZotaSimulator
  safecharge: SafechargeSimulator
  /** Ends with the floor. */
  beside: { stop(): Promise<void> }[]
}

/** One more provider beside the floor, with its simulator behind it. */
export async function addBeside<Simulator extends { settings: Record<string, string>; stop(): Promise<void> }>(
  { system, beside }: PaymentFloor,
  uid: string,
  starting: Promise<Simulator>,
  currencies?: Parameters<typeof addProvider>[3],
): Promise<Simulator> {
  const simulator = await starting
  beside.push(simulator)
  await addProvider(system, uid, simulator.settings, currencies)
  return simulator
}

/** Who pays, at the door of a floor: signed in, with nothing else to come by. */
export async function openPayer({ app, system, member }: PaymentFloor): Promise<{ caller: Caller; token: string }> {
  const { token } = await openTestSession(system, { kind: 'member', id: member.memberId })
  return { caller: callerOf(app), token }
}

/** The database's owner, who may do what the program may not; gone with the floor. */
export async function addOwner({ ownerUrl, beside }: PaymentFloor): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  beside.push({ stop: () => owner.end() })
  return owner
}

/** Inventions of this file. */
export const coinsMerchant = {
  merchantId: 'coins-merchant-1',
  publicKey: 'coins-public-0001',
  privateKey: 'coins-private-0001',
  ipnSecret: 'coins-notices-0001',
}
export const zotaEndpoints = { '402334': 'USD', '402335': 'EUR', '402336': 'JPY', '402341': 'CNY', '402342': 'CNY' }
/** Yuan are paid two ways; all else by card. */
const zotaTypes = { '402341': 'alipay', '402342': 'wechat' }

const payoutEndpoints = { '402434': 'USD', '402435': 'EUR', '402436': 'JPY' }

type Options = NonNullable<Parameters<typeof openTradingFloor>[0]>

export async function openPaymentFloor(options: Options = {}): Promise<PaymentFloor> {
  const floor = await openTradingFloor(options)
  const zota = await startZotaSimulator({
    merchantId: 'ZM1',
    secretKey: 'zota-secret-0001',
    endpoints: zotaEndpoints,
    types: zotaTypes,
    payoutEndpoints,
  })
  const safecharge = await startSafechargeSimulator({
    merchantId: '1000000001',
    siteId: '200001',
    secretKey: 'safecharge-secret-0001',
  })
  await addProvider(floor.system, 'zotapay', zota.settings)
  await addProvider(floor.system, 'safecharge', safecharge.settings)
  const app = await buildApp(floor.ground)
  await app.listen({ port: 0, host: 'localhost' })
  const address = app.server.address()
  floor.ground.config.port = typeof address === 'object' && address ? address.port : 0
  const beside: PaymentFloor['beside'] = [zota, safecharge]
  const close = async (): Promise<void> => {
    await app.close()
    for (const simulator of beside) await simulator.stop()
    await floor.close()
  }
  return { ...floor, app, zota, safecharge, beside, close }
}

/** The same floor with an account in a currency that some providers take alone. */
export async function withAccountIn(floor: PaymentFloor, currency = 'USD'): Promise<PaymentFloor> {
  if (currency === 'USD') return floor
  const { member, platformId } = floor
  return { ...floor, accountId: await addAccount(floor.system, { memberId: member.memberId, platformId, currency }) }
}

export type StartBody = Parameters<typeof startDeposit>[1]

type Payer = Pick<TradingFloor, 'member' | 'accountId'>

export async function startBody(floor: Payer, given: Partial<StartBody> = {}): Promise<StartBody> {
  return {
    trading_account: floor.accountId,
    amount: '250.00',
    payment_method: 'zotapay',
    country: 'MT',
    city: 'Valletta',
    address_line_1: '1 Harbour Road',
    phone: '+35621000000',
    email: 'mara@example.com',
    token_key: 'transaction_deposit',
    nonce_token: await makeUniqueToken(floor.member, 'transaction_deposit'),
    ...given,
  }
}

export type OrderOnFloor = StartedDeposit & { attempt: string }

/** An order whose member stands at the payment page. */
export async function startOrder(floor: PaymentFloor, given: Partial<StartBody> = {}): Promise<OrderOnFloor> {
  const started = await startDeposit(floor.member, await startBody(floor, given))
  const { attempt } = await readOrder(floor, started.order)
  if (started.handOff.kind === 'form') await postForm(started.handOff)
  return { ...started, attempt }
}

/** What a member's browser does with a form. */
function postForm({ action, fields }: { action: string; fields: readonly { name: string; value: string }[] }) {
  const body = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value]))
  return fetch(action, { method: 'POST', body })
}

export function readOrder({ system }: TradingFloor, orderId: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('deposit_orders')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow(),
  )
}

/** Every notification that nobody has read yet. */
export async function listUnread({ system }: Pick<TradingFloor, 'system'>): Promise<string[]> {
  const unread = await reading(system, (tx) =>
    tx
      .selectFrom('payment_notifications')
      .select('notification_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('verdict', '=', 'unread')
      .orderBy('received_at')
      .orderBy('notification_id')
      .execute(),
  )
  return unread.map(({ notification_id }) => notification_id)
}

/** What the queue would do with them. */
export async function readNotifications(floor: TradingFloor): Promise<void> {
  for (const id of await listUnread(floor)) await readNotification(floor.system, id)
}

export function listNotifications({ system }: TradingFloor, orderId?: string) {
  return reading(system, (tx) => {
    const rows = tx.selectFrom('payment_notifications').selectAll().where('workspace_id', '=', system.workspaceId)
    return (orderId ? rows.where('order_id', '=', orderId) : rows).orderBy('notification_id').execute()
  })
}

/** Every credit that an order has brought about: its movements with their intents. */
export async function creditsOf(floor: TradingFloor): Promise<{ amount: string; transaction_id: string | null }[]> {
  const { system } = floor
  return reading(system, (tx) =>
    tx
      .selectFrom('platform_intents')
      .select(['amount', 'transaction_id'])
      .where('workspace_id', '=', system.workspaceId)
      .execute(),
  )
}
