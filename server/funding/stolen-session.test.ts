/**
 * An attacker has a member's session and wants the money (A8). Every path asks for a recent proof; an attacker who can
 * give one (with the password) faces mails to the owner and a day's hold, under the default settings.
 */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { addBankAccount, addFundAccount } from '../../tests/fixtures/payments/money.ts'
import { securityPath } from '../../tests/fixtures/second-factors.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const proofMs = limits.freshSignInMinutes * minuteMs

let setup: ServedFixture
let caller: Caller
let login = 830_000

let email: string
let password: string
let memberId: string
let token: string
let accountId: string
let oldBankId: string
let oldWalletId: string

before(async () => {
  setup = await openServedFixture()
  caller = setup.caller
})
after(() => setup.close())

beforeEach(async () => {
  const { system, platformId, simulator } = setup
  ;({ memberId, email, password } = await addMember(system, { documents_status: 'approved' }))
  login += 1
  simulator.control.seedAccounts([
    { login: String(login), group: 'real\\standard-usd', name: 'Mara', leverage: 100, balance: '1000.00' },
  ])
  accountId = await addAccount(system, { memberId, platformId, platform_login: String(login) })
  oldBankId = await addBankAccount(system, { memberId })
  oldWalletId = await addFundAccount(system, { memberId })
  token = (await openTestSession(system, { kind: 'member', id: memberId })).token
  await wait(proofMs + 1)
})

/** Advances the clock while keeping the session active, as an attacker would. */
async function wait(ms: number): Promise<void> {
  const half = Math.floor(ms / 2)
  setup.context.clock.advance(half)
  assert.equal((await caller.post('/members/activity', {}, token)).status, 200)
  setup.context.clock.advance(ms - half)
}

const bank = {
  currency: 'USD',
  account_holder: 'Tom Thief',
  iban_number: 'GB29NWBK60161331926819',
  bank_account: '',
  swift: 'NWBKGB2L',
  bank_name: 'Another Bank',
  address_line_1: '1 Quay',
  city: 'London',
  state: 'London',
  country: 'GB',
}
const wallet = {
  type: 'crypto',
  name: 'Mine',
  provider: 'Ledger',
  preferred_currency: 'BTC',
  address_id: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  notes: '',
}
const next = { password: 'Lantern-Quay-58', password_confirmation: 'Lantern-Quay-58' }

async function withdrawTo(destination: string, destination_id: string): Promise<Answered> {
  const ask = { token_key: 'transaction_withdrawal' }
  const { body } = await caller.post('/members/get-unique-token', ask, token)
  const form = { trading_account: accountId, amount: '900.00', comment: 'All of it', nonce_token: body.token }
  const coin = destination === 'crypto_transfer' && { coin: 'BTC' }
  return caller.post('/members/withdrawals/create', { ...ask, ...form, ...coin, destination, destination_id }, token)
}
const toBank = (id: string) => withdrawTo('bank_account', id)

/** Every way to move money elsewhere, or to lock the owner out meanwhile. */
const ways: Record<string, () => Promise<Answered>> = {
  'another password': () => caller.post('/members/change-password', next, token),
  'another password through the second endpoint': () => caller.post('/users/change-password', next, token),
  'an additional bank account': () => caller.post('/members/bank-accounts/create', bank, token),
  'another number for the bank account': () =>
    caller.post('/members/bank-accounts/update', { ...bank, _id: oldBankId }, token),
  'an additional wallet': () => caller.post('/members/fund-accounts/create', wallet, token),
  'another address for the wallet': () =>
    caller.post('/members/fund-accounts/update', { ...wallet, _id: oldWalletId }, token),
  'a second factor of their own': () => caller.post(securityPath('portal', '/totp/start'), {}, token),
  'a withdrawal to a bank account that was never paid to': () => toBank(oldBankId),
  'a withdrawal to a wallet that was never paid to': () => withdrawTo('crypto_transfer', oldWalletId),
}

const prove = (typed: string) => caller.post(securityPath('portal', '/prove'), { password: typed }, token)
async function signIn(typed: string): Promise<void> {
  const { body, raw } = await caller.post('/members/login', { email, password: typed })
  assert.ok(body.token, raw)
  token = String(body.token)
}

/** The traces that an attack could leave. */
function traces(): Promise<unknown[]> {
  return reading(setup.system, async (tx) => {
    const own = { workspace_id: setup.system.workspaceId, member_id: memberId }
    const read = (table: 'bank_accounts' | 'fund_accounts' | 'balance_transactions' | 'totp_factors') =>
      tx
        .selectFrom(table)
        .selectAll()
        .where('workspace_id', '=', own.workspace_id)
        .where('member_id', '=', own.member_id)
        .execute()
    const hash = await tx
      .selectFrom('members')
      .select('password_hash')
      .where('workspace_id', '=', own.workspace_id)
      .where('member_id', '=', own.member_id)
      .executeTakeFirstOrThrow()
    return [
      hash,
      await read('bank_accounts'),
      await read('fund_accounts'),
      await read('balance_transactions'),
      await read('totp_factors'),
    ]
  })
}

const wrongPassword = 'Not-The-Password-1'

describe('a stolen session without the password', () => {
  for (const [name, attempt] of Object.entries(ways))
    test(`stops at the proof: ${name}`, async () => {
      const before = await traces()
      for (let tries = 0; tries < 2; tries++) {
        const { status, body, raw } = await attempt()
        const asked = body.code === 'proof_required' || 'current_password' in ((body.errors as object) ?? {})
        assert.ok(status >= 400 && status < 500 && asked, raw)
        assert.equal((await prove(wrongPassword)).status, 422)
      }
      assert.deepEqual(await traces(), before)
    })
})

describe('a stolen session with the password', () => {
  const subjects = async () => (await mailsTo(setup.system, email)).map(({ subject }) => subject)

  test('moves no money for a day after a change of password, and the owner is notified immediately', async () => {
    assert.equal((await prove(password)).status, 200)
    assert.equal((await ways['another password']?.())?.status, 200)
    const changedAt = setup.context.clock.now().getTime()
    assert.deepEqual(await subjects(), ['Your password was changed'])
    await signIn(next.password)
    const refused = await toBank(oldBankId)
    assert.deepEqual([refused.status, refused.body.code], [403, 'withdrawals_held'])
    setup.context.clock.advance(changedAt + dayMs - 1 - setup.context.clock.now().getTime())
    await signIn(next.password)
    assert.equal((await toBank(oldBankId)).body.code, 'withdrawals_held')
    setup.context.clock.advance(1)
    assert.equal((await toBank(oldBankId)).status, 200)
  })

  for (const [kind, destination] of [
    ['a bank account', 'bank_account'],
    ['a wallet', 'crypto_transfer'],
  ] as const)
    for (const how of ['more', 'changed'] as const)
      test(`pays nothing for a day to ${kind} ${how === 'more' ? 'that is new' : 'whose number changed'}, and notifies the owner`, async () => {
        assert.equal((await prove(password)).status, 200)
        const [path, body, old] =
          destination === 'bank_account'
            ? ['/members/bank-accounts', bank, oldBankId]
            : ['/members/fund-accounts', wallet, oldWalletId]
        const made =
          how === 'more'
            ? await caller.post(`${path}/create`, body, token)
            : await caller.post(`${path}/update`, { ...body, _id: old }, token)
        assert.equal(made.status, 200, made.raw)
        const at = setup.context.clock.now().getTime()
        assert.equal(made.body.usable_from, at + dayMs)
        const mailed = await subjects()
        assert.equal(mailed.length, 1)
        assert.match(mailed[0] ?? '', how === 'more' ? /was added$/ : /was changed$/)
        const id = how === 'more' ? String(made.body._id) : old
        const refused = await withdrawTo(destination, id)
        assert.equal(refused.status, 422, refused.raw)
        assert.ok((refused.body.errors as Record<string, unknown>).destination_id, refused.raw)
        setup.context.clock.advance(dayMs - 1)
        await signIn(password)
        assert.equal((await withdrawTo(destination, id)).status, 422)
        setup.context.clock.advance(1)
        assert.equal((await withdrawTo(destination, id)).status, 200)
      })

  test('a proof is valid for exactly a quarter of an hour', async () => {
    assert.equal((await prove(password)).status, 200)
    await wait(proofMs)
    assert.equal((await ways['an additional bank account']?.())?.status, 200)
    setup.context.clock.advance(1)
    assert.equal((await ways['an additional wallet']?.())?.body.code, 'proof_required')
    assert.equal((await toBank(oldBankId)).body.code, 'proof_required')
  })
})
