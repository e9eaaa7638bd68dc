import { isMore } from '@atrium/contract/money.ts'
import { reading } from '../foundation/database.ts'
import { Refusal } from '../foundation/errors.ts'
import { approveWithdrawal } from '../funding/withdrawal-decision.ts'
import { decideCase } from '../payment-providers/case-decision.ts'
import { readNotification } from '../payment-providers/notification.ts'
import { openStates } from '../payment-providers/order.ts'
import { openPayoutStates } from '../payment-providers/payout-order.ts'
import { visitDuePayouts, visitPayout } from '../payment-providers/payout-visit.ts'
import { askAboutDueOrders, askProvider } from '../payment-providers/reconciliation.ts'
import { listUnread, type PaymentFloor, startOrder } from './payment-floor.ts'
import { askPayout, type Payee } from './payouts.ts'
import { provenMember } from './withdrawals.ts'

/** What the soak knows of an order beside what the server says. */
type Followed = { order: string; attempt: string; isPaid: boolean; isCreditable: boolean }
/** Both from the soak's seed. */
type Chance = { random(): number; amount(): string }
type Fault = Parameters<PaymentFloor['zota']['breakDown']>[0]

const uid = 'zotapay'
const faults: (Fault | null)[] = [
  null,
  null,
  { isDown: true },
  { dropAnswer: true },
  { malformed: 'html' },
  { malformed: 'empty' },
  { dropNotifications: true },
]
const notTheirs = { secretKey: 'somebody-elses' }

/** Payments and payouts of one provider that misbehaves, drawn from the soak's own chance. */
export function openPaymentSoak(floor: PaymentFloor, payee: Payee, { random, amount }: Chance) {
  const { zota, system } = floor
  const followed: Followed[] = []
  let held: (() => Promise<unknown>)[] = []
  const isLucky = (chance: number): boolean => random() < chance

  function trouble(): void {
    zota.mend()
    const fault = faults[Math.floor(random() * faults.length)]
    if (fault) zota.breakDown(fault)
  }

  /** An order, what becomes of it at the provider, and what is said of it: much, nothing, late, wrong or by a stranger. */
  async function beginOrder(): Promise<void> {
    trouble()
    const started = await unlessRefused(startOrder(floor, { amount: amount() }))
    zota.mend()
    if (!started) return
    const { order, attempt } = started
    const [isPaid, isDeclined, isDifferent] = [isLucky(0.6), isLucky(0.4), isLucky(0.1)]
    followed.push({ order, attempt, isPaid, isCreditable: isPaid })
    if (isPaid) zota.set(attempt, 'APPROVED')
    else if (isDeclined) zota.set(attempt, 'DECLINED', 'Insufficient funds')
    const says: object[] = []
    if (isLucky(0.2)) says.push({ ...notTheirs, status: 'APPROVED' })
    for (let times = Math.floor(random() * 3); times > 0; times--) says.push(isDifferent ? { amount: '9999.99' } : {})
    for (const twist of says) {
      const say = (): Promise<unknown> => zota.notify(attempt, twist)
      if (isLucky(0.5)) held.push(say)
      else await say()
    }
  }

  const ordersIn = (states: readonly string[]) =>
    reading(system, (tx) =>
      tx
        .selectFrom('deposit_orders')
        .select(['order_id', 'state', 'transaction_id', 'staff_reason'])
        .where('workspace_id', '=', system.workspaceId)
        .where('state', 'in', states)
        .orderBy('order_id')
        .execute(),
    )

  const openPayouts = () =>
    reading(system, (tx) =>
      tx
        .selectFrom('payout_orders')
        .select(['payout_id', 'attempt', 'state'])
        .where('workspace_id', '=', system.workspaceId)
        .where('state', 'in', openPayoutStates)
        .orderBy('payout_id')
        .execute(),
    )

  /** Money that went out arrives, or comes back, whether we are told of it or not. */
  async function payOutAtProvider(): Promise<void> {
    for (const { attempt } of await openPayouts()) {
      if (zota.orders.get(attempt)?.state !== 'PROCESSING' || isLucky(0.5)) continue
      zota.set(attempt, isLucky(0.85) ? 'APPROVED' : 'DECLINED', 'Account closed')
      if (isLucky(0.6)) await zota.notify(attempt)
    }
  }

  async function decideCases(): Promise<void> {
    const open = await reading(system, (tx) =>
      tx
        .selectFrom('payment_cases')
        .select(['case_id', 'order_id', 'paid'])
        .where('workspace_id', '=', system.workspaceId)
        .where('state', '<>', 'closed')
        .orderBy('case_id')
        .execute(),
    )
    for (const { case_id: id, order_id, paid } of open) {
      const isAsPaid = paid !== null && !isMore(paid, '5000') && isLucky(0.7)
      const decision = isAsPaid ? 'credit_agreed' : 'given_back'
      const wanted = { id, decision, note: 'As the member said', outside_reference: 'BANK-1' } as const
      const isDone = await unlessRefused(decideCase(floor.staff, wanted).then(() => true))
      const one = followed.find(({ order }) => order === order_id)
      if (isDone && one) one.isCreditable = isAsPaid
    }
  }

  return {
    async begin(count: number): Promise<void> {
      for (let made = 0; made < count; made++) await beginOrder()
      const asking = { ...payee, member: await provenMember(floor) }
      for (let made = 0; made < count / 2; made++) {
        const id = await askPayout(uid, asking, amount())
        await unlessRefused(approveWithdrawal(floor.staff, id))
      }
    },

    /** What the queue would do: two workers at once, with a provider in trouble in the first visits. */
    async visit(number: number): Promise<void> {
      if (number < 6) trouble()
      else zota.mend()
      const [late, still] = [held.filter(() => isLucky(0.3) || number > 20), new Set<() => Promise<unknown>>(held)]
      for (const say of late) {
        still.delete(say)
        await say()
      }
      held = [...still]
      await payOutAtProvider()
      const ids = await listUnread(floor)
      const readAll = async (): Promise<void> => {
        for (const id of ids) await readNotification(system, id)
      }
      await Promise.all([readAll(), readAll()])
      await askAboutDueOrders(system)
      await visitDuePayouts(system)
      const orders = await ordersIn(openStates)
      if (isLucky(0.3)) for (const { order_id } of orders) await askProvider(system, order_id)
      for (const { payout_id, state } of await openPayouts())
        if (state !== 'created' || isLucky(0.5)) await visitPayout(system, payout_id)
      zota.mend()
      await decideCases()
    },

    async isOver(): Promise<boolean> {
      return (await ordersIn(openStates)).length + (await openPayouts()).length + (await listUnread(floor)).length === 0
    },

    /** Of what never settled, enough to look for why. */
    async listOpen(): Promise<string[]> {
      const orders = (await ordersIn(openStates)).map(({ order_id, state }) => `order ${order_id} stays ${state}`)
      const payouts = (await openPayouts()).map(
        ({ payout_id, attempt, state }) =>
          `payout ${payout_id} stays ${state}, ${zota.orders.get(attempt)?.state} there`,
      )
      return [...orders, ...payouts, ...(await listUnread(floor)).map((id) => `notification ${id} was never read`)]
    },

    /** Paid and equal is credited or lies with a person; what nobody paid never is. */
    async violations(): Promise<string[]> {
      const rows = await ordersIn(['paid', 'declined', 'cancelled', 'expired', 'for_staff'])
      const byId = new Map(rows.map((row) => [row.order_id, row]))
      return followed.flatMap(({ order, isPaid, isCreditable }) => {
        const row = byId.get(order)
        if (!row) return [`order ${order} never ended`]
        if (row.state === 'paid' && !isPaid && !isCreditable) return [`order ${order} was credited, and nobody paid`]
        const isWithPeople = row.staff_reason !== null
        return isPaid && row.state !== 'paid' && !isWithPeople ? [`order ${order} was paid, and is ${row.state}`] : []
      })
    },
  }
}

/** What is refused is told to a member or staff, who go on; null then. */
export async function unlessRefused<Result>(attempt: Promise<Result>): Promise<Result | null> {
  try {
    return await attempt
  } catch (problem) {
    if (problem instanceof Refusal) return null
    throw problem
  }
}
