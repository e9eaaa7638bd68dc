import { comparePlatforms } from '../../server/account-sync/jobs.ts'
import { buildApp } from '../../server/app.ts'
import { approveDeposit } from '../../server/deposits/decision.ts'
import { documentJobs } from '../../server/documents/jobs.ts'
import { type System, systemActor } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { assertState } from '../../server/foundation/errors.ts'
import { settleIntent } from '../../server/funding/crediting/crediting.ts'
import { fundingJobs } from '../../server/funding/jobs.ts'
import { openingJobs } from '../../server/openings/jobs.ts'
import { lockOpening, moveOpening, type Opening, scheduleTask } from '../../server/openings/opening.ts'
import { paymentJobs } from '../../server/payments/jobs.ts'
import { startDeposit } from '../../server/payments/start-deposit.ts'
import type { JobHandler, Queue } from '../../server/queue/jobs.ts'
import { daysBefore } from '../../server/reconciliation/day.ts'
import { reconciliationJobs } from '../../server/reconciliation/jobs.ts'
import { askForDay } from '../../server/reconciliation/requests.ts'
import { askForReading } from '../../server/trades/history.ts'
import { tradeJobs } from '../../server/trades/jobs.ts'
import { withdrawalJobs } from '../../server/withdrawals/jobs.ts'
import { approveWithdrawal } from '../../server/withdrawals/withdrawal-decision.ts'
import { signWebhook, usualKeys } from '../../simulators/sumsub/simulator.ts'
import { addIdentityCheck } from '../../tests/fixtures/identity/identity-vendors.ts'
import { addBankAccount, addCompanyBankAccount } from '../../tests/fixtures/payments/money.ts'
import { startBody } from '../../tests/fixtures/payments/payment-fixture.ts'
import { addProvider } from '../../tests/fixtures/payments/payment-providers.ts'
import { addWhereabouts, askPayout, openTo } from '../../tests/fixtures/payments/payouts.ts'
import { askWithdrawal, provenMember, type Withdrawer } from '../../tests/fixtures/payments/withdrawals.ts'
import { addOpening } from '../../tests/fixtures/trading/platforms.ts'
import { makePendingDeposit, readIntents } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, addStaff, chooseSettings, staffActor } from '../../tests/fixtures/workspaces.ts'
import { group, type JobFixture, type JobKind, times } from './job-fixture.ts'

/** Jobs that call a platform or a payment provider, or read vendor data. Waiting for an answer uses no processor time. */
export const processingJobKinds: JobKind[] = [
  {
    name: 'opening looked up and found',
    async prepare(fixture, count) {
      const { gateway } = await linkOf(fixture)
      await times(count, async () => {
        const opening = await loseOpening(fixture)
        const names = { firstName: 'Mara', lastName: 'Member', email: 'mara@example.com' }
        const passwords = { mainPassword: 'Tidal-Gauge-71', investorPassword: 'Tidal-Gauge-72' }
        await gateway.openAccount({ tag: opening.tag, kind: 'live', group, leverage: 100, ...names, ...passwords })
        await inTransaction(fixture.system, (tx) => scheduleTask(tx, fixture.system, opening.opening_id, new Date()))
      })
    },
    handlers: openingJobs,
    left: `account_openings where state <> 'done'`,
  },
  {
    name: 'post-settlement check of an opening, not found',
    async prepare(fixture, count) {
      const { system } = fixture
      await times(count, async () => {
        const opening = await loseOpening(fixture)
        await inTransaction(system, (tx) => moveOpening(tx, system, opening, 'not_opened'))
        await enqueue(system, 'openings.recount', opening.opening_id)
      })
    },
    handlers: openingJobs,
    left: waiting('openings.recount'),
  },
  {
    name: 'post-settlement check of a credit',
    async prepare({ system, addOwner }, count) {
      const staff = staffActor(system, await addStaff(system))
      const beneficiaryId = await addCompanyBankAccount(system)
      await times(count, async () => {
        const depositId = await makePendingDeposit({ ...(await addOwner()), system, beneficiaryId })
        await approveDeposit(staff, depositId)
        await enqueue(system, 'funding.recount-intent', await settleNow(system, depositId))
      })
    },
    handlers: (context) => only('funding.recount-intent', fundingJobs(context)['funding.recount-intent']),
    left: waiting('funding.recount-intent'),
  },
  {
    name: 'debit of a demo account',
    prepare: (fixture, count) => times(count, async () => askWithdrawal(await addWithdrawer(fixture, { live: false }))),
    handlers: (context) => only('funding.debit-demo', withdrawalJobs(context)['funding.debit-demo']),
    left: `balance_transactions where state = 'pending'`,
  },
  {
    name: 'account sync of a platform',
    async prepare({ system, addOwner }, count) {
      await times(count, () => addOwner())
      await times(count, () => enqueue(system, 'comparisons.compare-platforms', system.workspaceId))
    },
    // The job itself adds to the platform queue, where one of two concurrent syncs would replace the other.
    handlers: (context) =>
      only(
        'comparisons.compare-platforms',
        inTurn(({ workspaceId }) => comparePlatforms(systemActor(context, workspaceId))),
      ),
    left: waiting('comparisons.compare-platforms'),
  },
  {
    name: 'reconciliation of a day of ten accounts',
    async prepare({ system, addOwner }, count) {
      await times(10, () => addOwner())
      let day = new Date().toISOString().slice(0, 10)
      await times(count, async () => {
        day = daysBefore(day, 1)
        await askForDay(system, day)
      })
    },
    handlers: reconciliationJobs,
    left: `reconciliation_days where state = 'asked'`,
  },
  {
    name: 'identity vendor webhook',
    async prepare({ system }, count) {
      const app = await buildApp(system.context)
      await times(count, async () => {
        const { memberId } = await addMember(system, { documents_status: 'approved' })
        const about = { applicantId: 'bench', externalUserId: await addIdentityCheck(system, memberId) }
        const verdict = {
          type: 'applicantReviewed',
          reviewStatus: 'completed',
          reviewResult: { reviewAnswer: 'GREEN' },
        }
        const said = { ...about, ...verdict, createdAtMs: new Date().toISOString().replace('T', ' ').replace('Z', '') }
        const { headers, body } = signWebhook(usualKeys.webhookSecret, Buffer.from(JSON.stringify(said)))
        await app.inject({ method: 'POST', url: '/callbacks/identity/sumsub', headers, payload: body })
      })
      await app.close()
    },
    handlers: documentJobs,
    left: `identity_notifications where verdict = 'unread'`,
  },
  {
    name: 'trade history without trades',
    async prepare({ system, platformId, addOwner }, count) {
      await times(count, async () => {
        const { accountId, member } = await addOwner()
        const traded = { account_id: accountId, member_id: member.memberId, platform_id: platformId }
        await askForReading(system, traded)
      })
    },
    // A platform allows two readers; a third retries two seconds later.
    handlers: (context) => {
      const read = tradeJobs(context)['trades.read-history']
      return only('trades.read-history', read && inTurn(read))
    },
    left: 'trade_histories where not is_complete',
  },
  {
    name: 'order queried and paid',
    async prepare({ system, addOwner, zota }, count) {
      await addProvider(system, 'zotapay', zota)
      await times(count, async () => {
        const payer = await addOwner()
        const { order, redirect } = await startDeposit(payer.member, await startBody(payer))
        assertState(redirect.kind === 'redirect', 'this provider has a page of its own')
        await fetch(redirect.url, { method: 'POST', body: new URLSearchParams({ do: 'silent' }), redirect: 'manual' })
        await enqueue(system, 'payments.ask-provider', order)
      })
    },
    handlers: (context) => only('payments.ask-provider', paymentJobs(context)['payments.ask-provider']),
    left: 'deposit_orders where ended_at is null',
  },
  {
    name: 'payout sent',
    async prepare(fixture, count) {
      const { system, zota } = fixture
      await addProvider(system, 'zotapay', zota)
      await chooseSettings(fixture, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
      const staff = staffActor(system, await addStaff(system))
      await times(count, async () => {
        const withdrawer = await addWithdrawer(fixture)
        const payee = { ...withdrawer, coin: undefined, beneficiaryId: withdrawer.bankId }
        const withdrawalId = await askPayout('zotapay', payee)
        await approveWithdrawal(staff, withdrawalId)
        await settleNow(system, withdrawalId)
      })
    },
    handlers: (context) => only('payments.visit-payout', paymentJobs(context)['payments.visit-payout']),
    left: `payout_orders where state <> 'accepted'`,
  },
]

function waiting(queue: Queue): string {
  return `pgboss.job where name = '${queue}' and state < 'completed' and start_after <= now()`
}

/** Excludes the jobs that a job enqueues. */
const only = (queue: Queue, handler: JobHandler | undefined) => (handler ? { [queue]: handler } : {})

function inTurn(handler: JobHandler): JobHandler {
  let last = Promise.resolve()
  return (data) => {
    last = last.then(() => handler(data))
    return last
  }
}

const enqueue = (system: System, queue: Queue, id: string): Promise<void> =>
  inTransaction(system, (tx) => system.context.jobs.enqueue(tx, queue, { workspaceId: system.workspaceId, id }))

async function linkOf({ system, platformId }: JobFixture) {
  const link = await system.context.platforms.link(system, platformId)
  assertState(link, 'the platform has a connection')
  return link
}

/** An opening whose request was sent and never answered. */
async function loseOpening({ system, platformId }: JobFixture): Promise<Opening> {
  const { memberId } = await addMember(system, { documents_status: 'approved' })
  const id = await addOpening(system, { memberId, platformId, group })
  return inTransaction(system, async (tx) => {
    const opening = await lockOpening(tx, system, id)
    assertState(opening, 'it was added')
    const sent = { sent_at: system.context.clock.now(), currency: 'USD', after_login: '700000' }
    return moveOpening(tx, system, await moveOpening(tx, system, opening, 'sending', sent), 'unknown')
  })
}

async function addWithdrawer({ system, addOwner }: JobFixture, { live = true } = {}): Promise<Withdrawer> {
  const { accountId, member } = await addOwner({ live })
  await addWhereabouts({ system, member })
  const bankId = await addBankAccount(system, { memberId: member.memberId })
  return { accountId, bankId, login: '', member: await provenMember({ system, member }) }
}

/** Executes the only intent of a transaction immediately on an answering platform; returns its id. */
async function settleNow(system: System, transactionId: string): Promise<string> {
  const [intent] = await readIntents({ system }, transactionId)
  assertState(intent, 'what was approved has an intent')
  await settleIntent(system, intent.intent_id)
  return intent.intent_id
}
