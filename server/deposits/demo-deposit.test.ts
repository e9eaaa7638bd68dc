// spec: MP 2.5
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { demoDepositInput } from '@atrium/contract/deposits/calls.ts'
import { demoDepositTexts } from '@atrium/contract/deposits/demo-deposit-texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Answered } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import {
  platformCredits,
  processUntilSettled,
  readIntents,
  readTransaction,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, addWorkspace, openTestSession, setPermissions } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { makeUniqueToken } from '../sessions/unique-token.ts'
import { requestDemoDeposit } from './demo-deposit.ts'

let setup: ServedFixture
let token: string
let demoId: string
let login = 800_100

before(async () => {
  setup = await openServedFixture()
  token = (await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })).token
})
after(() => setup.close())
beforeEach(async () => {
  await setDaily('1000')
  demoId = await addDemo(setup.member.memberId)
})

async function addDemo(memberId: string): Promise<string> {
  login += 1
  const { system, platformId, simulator } = setup
  const platform_login = String(login)
  simulator.control.seedAccounts([
    { login: platform_login, group: 'demo\\standard-usd', name: 'Mara Member', leverage: 100, balance: '0.00' },
  ])
  return addAccount(system, { memberId, platformId, platform_login, live_account: false })
}

async function setDaily(demo_deposit_daily: string): Promise<void> {
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('workspaces')
      .set({ settings: JSON.stringify({ second_factor_staff: 'optional', demo_deposit_daily }) })
      .where('workspace_id', '=', setup.system.workspaceId)
      .execute(),
  )
}

const newToken = () => makeUniqueToken(setup.member, 'transaction_deposit')
const bodyOf = async (change: object = {}) => ({
  trading_account: demoId,
  amount: '250.00',
  comment: 'To practise',
  origin: '',
  origin_id: '',
  transaction_id: '',
  token_key: 'transaction_deposit',
  nonce_token: await newToken(),
  ...change,
})
const send = (body: object, bearer = token): Promise<Answered> =>
  setup.caller.post('/members/deposits/create', body, bearer)
const ask = async (change: object = {}, bearer = token) => send(await bodyOf(change), bearer)
const errorsOf = ({ body }: Answered) => (body as { errors?: Record<string, string[]> }).errors ?? {}
const idOf = ({ body }: Answered) => (body as { transaction: { _id: string } }).transaction._id

function rowsOf(accountId: string) {
  return reading(setup.system, (tx) =>
    tx
      .selectFrom('balance_transactions')
      .selectAll()
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('account_id', '=', accountId)
      .execute(),
  )
}

describe('a demo deposit', () => {
  test('is processed immediately and credited exactly once, with the member’s comment', async () => {
    const answer = await ask()
    assert.equal(answer.status, 200, answer.raw)
    const depositId = idOf(answer)
    const row = await readTransaction(setup, depositId)
    assert.deepEqual(
      [row.state, row.amount, row.payment_method, row.source, row.comment],
      ['crediting', '250.00', 'demo', 'client', 'To practise'],
    )
    const [intent] = await readIntents(setup, depositId)
    assert.ok(intent)
    await processUntilSettled(setup, { depositId, intentId: intent.intent_id, tag: intent.tag })
    assert.equal((await readTransaction(setup, depositId)).state, 'approved')
    assert.equal(platformCredits(setup, intent.tag).length, 1)
    const entries = await reading(setup.system, (tx) =>
      tx
        .selectFrom('audit_log')
        .where(here)
        .select(['action', 'actor_id'])
        .where('subject_id', '=', depositId)
        .execute(),
    )
    assert.ok(entries.some((one) => one.action === 'deposit.demo-requested' && one.actor_id === setup.member.memberId))
  })

  test('is made once by a repeated form, and the same token with another body is refused', async () => {
    const body = await bodyOf()
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(body)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(new Set(answers.map(idOf)).size, 1)
    assert.equal((await rowsOf(demoId)).length, 1)
    assert.equal((await send({ ...body, amount: '251.00' })).status, 409)
  })

  test('enforces the daily limit, also for simultaneous requests', async () => {
    const tooMuch = await ask({ amount: '1000.01' })
    assert.equal(tooMuch.status, 422)
    assert.deepEqual(errorsOf(tooMuch).amount, [
      'You can add up to 1,000.00 USD of demo funds now. The limit counts the last 24 hours.',
    ])
    const bodies = await Promise.all(Array.from({ length: 6 }, () => bodyOf({ amount: '400.00' })))
    const answers = await Promise.all(bodies.map((body) => send(body)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 2)
    assert.equal((await ask({ amount: '200.00' })).status, 200)
    assert.deepEqual(errorsOf(await ask({ amount: '0.01' })).amount, [demoDepositTexts.usedUp])
    // The limit is per account.
    assert.equal((await ask({ trading_account: await addDemo(setup.member.memberId) })).status, 200)
    await setDaily('0')
    assert.deepEqual(errorsOf(await ask({ amount: '1.00' })).amount, [demoDepositTexts.none])
  })

  test('requires an amount and a comment and reports an error for each field', async () => {
    for (const [change, field, text] of [
      [{ amount: '' }, 'amount', 'Please specify the deposit amount.'],
      [{ amount: '0' }, 'amount', 'The amount needs to be greater than 0.00.'],
      [{ amount: '1e2' }, 'amount', 'Please, enter a valid amount.'],
      [{ amount: '0.001' }, 'amount', 'Please, enter a valid amount.'],
      [{ comment: ' ' }, 'comment', 'Please fill all required fields.'],
    ] as const) {
      const answer = await ask(change)
      assert.equal(answer.status, 422, JSON.stringify(change))
      assert.deepEqual(errorsOf(answer)[field], [text])
    }
    assert.deepEqual(await rowsOf(demoId), [])
  })

  test('refuses another member’s account with the same error as an unknown account', async () => {
    const other = await addMember(setup.system)
    const foreign = await addDemo(other.memberId)
    const elsewhere = await addWorkspace(setup.context)
    const [theirs, unknown] = [await ask({ trading_account: foreign }), await ask({ trading_account: newId() })]
    assert.deepEqual([theirs.status, errorsOf(theirs)], [unknown.status, errorsOf(unknown)])
    assert.deepEqual(await rowsOf(foreign), [])
    const foreignMember = await addMember(elsewhere)
    const far = await addAccount(elsewhere, {
      memberId: foreignMember.memberId,
      platformId: await addPlatform(elsewhere),
      live_account: false,
    })
    const further = await ask({ trading_account: far })
    assert.deepEqual([further.status, errorsOf(further)], [unknown.status, errorsOf(unknown)])
  })

  test('refuses closed and read-only accounts, and members without the permission', async () => {
    const { system, platformId, member } = setup
    const own = { memberId: member.memberId, platformId, live_account: false }
    for (const closed of [{ deleted: true }, { archived: true }, { enable_read_only: true }]) {
      const answer = await ask({ trading_account: await addAccount(system, { ...own, ...closed }) })
      assert.ok(errorsOf(answer).trading_account, JSON.stringify(closed))
    }
    const denied = await addMember(system)
    await setPermissions(system, denied.memberId, ['deposit-'])
    const { token: theirs } = await openTestSession(system, { kind: 'member', id: denied.memberId })
    assert.equal((await ask({}, theirs)).status, 403)
  })
})

describe('a demo deposit to a live account', () => {
  test('ignores type, method and state sent with a live account’s id', async () => {
    const swaps = ['demo', 'manual', 'psp:zotapay', 'crediting'].flatMap((payment_method) =>
      ['deposit', 'withdrawal', 'demo'].flatMap((type) =>
        ['approved', 'crediting', 'pending'].map((status) => ({ payment_method, type, status, source: 'other' })),
      ),
    )
    for (const swap of swaps) {
      const bare = await ask({ trading_account: setup.accountId, ...swap })
      assert.equal(bare.status, 422, JSON.stringify(swap))
    }
    const whole = await ask({
      trading_account: setup.accountId,
      origin: 'Members Bank',
      destination_id: setup.beneficiaryId,
      files: [await addMedia(setup.system, { memberId: setup.member.memberId })],
      ...swaps[0],
    })
    assert.equal(whole.status, 200, whole.raw)
    const rows = await rowsOf(setup.accountId)
    assert.deepEqual(
      rows.map(({ state, payment_method, source, type }) => [state, payment_method, source, type]),
      [['pending', 'manual', 'client', 'deposit']],
    )
    assert.deepEqual(await readIntents(setup, idOf(whole)), [])
  })

  test('refuses an account that the platform moved to a group offered for live accounts', async () => {
    await inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .where(here)
        .set({ group_name: 'real\\standard-usd' })
        .where('account_id', '=', demoId)
        .execute(),
    )
    const answer = await ask()
    assert.deepEqual([answer.status, errorsOf(answer)], [422, { trading_account: [texts.accountUnknown] }])
    assert.deepEqual(await rowsOf(demoId), [])
  })

  test('the operation refuses a live account for every caller', async () => {
    const input = demoDepositInput.parse(await bodyOf({ trading_account: setup.accountId }))
    await assert.rejects(requestDemoDeposit(setup.member, input), {
      details: { errors: { trading_account: [texts.accountUnknown] } },
    })
  })

  test('the database refuses a demo transaction on a live account for every actor', async () => {
    const { system, member, accountId } = setup
    for (const actor of [system, member])
      await assert.rejects(
        addTransaction(actor, { memberId: member.memberId, accountId, payment_method: 'demo' }),
        /practice money is for demo accounts/,
      )
  })
})
