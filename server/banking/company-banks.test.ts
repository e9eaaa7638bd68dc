import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addCompanyBankAccount } from '../../tests/fixtures/payments/money.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let token: string

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
})
after(() => close())
beforeEach(async () => {
  system = await addWorkspace(made.context)
  token = await enter('administrator')
})

const enter = async (role: string) => {
  const { staffId } = await addStaff(system, { role })
  return (await openTestSession(system, { kind: 'staff', id: staffId })).token
}
const host = async () => {
  const found = await reading(system, (tx) =>
    tx.selectFrom('workspaces').where(here).select('subdomain').executeTakeFirstOrThrow(),
  )
  return `${found.subdomain}.localhost`
}
const at = '/desk/api/company-bank-accounts'
const post = async (path: string, body: object, by = token) =>
  caller.send({
    method: 'POST',
    url: `${at}${path}`,
    payload: body,
    headers: { authorization: `Bearer ${by}`, host: await host() },
  })
const list = async (by = token) => {
  const answer = await caller.send({
    method: 'GET',
    url: at,
    headers: { authorization: `Bearer ${by}`, host: await host() },
  })
  return answer.body.banks as { _id: string; bank_name: string; revision: string }[]
}

const bank = {
  currency: 'EUR',
  bank_name: 'Harbour Bank',
  account_holder: 'Harbour Markets Ltd',
  iban_number: 'DE89 3704 0044 0532 0130 00',
  swift: 'deutdeff',
  notes: 'Write your account number.\nNothing else.',
}

const actions = () =>
  reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .where(here)
      .select('action')
      .where('subject_kind', '=', 'company_bank')
      .orderBy('audit_id')
      .execute(),
  ).then((rows) => rows.map(({ action }) => action))

describe('the brokerage’s bank accounts', () => {
  test('are added, changed and archived, each with an audit entry', async () => {
    const added = await post('/add', bank)
    assert.equal(added.status, 200, added.raw)
    const [{ _id, revision: _, ...stored }] = added.body.banks as [Record<string, unknown>]
    assert.deepEqual(stored, {
      ...bank,
      iban_number: 'DE89370400440532013000',
      swift: 'DEUTDEFF',
      bank_account: null,
      sort_code: null,
      identifier: null,
      address_line_1: null,
    })
    assert.equal((await post(`/${_id}/change`, { ...bank, bank_name: 'Other Bank' })).status, 200)
    assert.deepEqual((await list())[0]?.bank_name, 'Other Bank')
    assert.equal((await post(`/${_id}/archive`, {})).status, 200)
    assert.deepEqual(await list(), [])
    assert.deepEqual(await actions(), ['company-bank.added', 'company-bank.changed', 'company-bank.archived'])
    assert.equal((await post(`/${_id}/change`, bank)).body.code, 'not_found')
  })

  test('are not overwritten from a page that does not show a colleague’s change', async () => {
    await post('/add', bank)
    const [{ _id, revision: seen } = { _id: '', revision: '' }] = await list()
    const moved = { ...bank, iban_number: 'GB29NWBK60161331926819', swift: 'NWBKGB2L' }
    assert.equal((await post(`/${_id}/change`, { ...moved, seen })).status, 200)
    const stale = await post(`/${_id}/change`, { ...bank, notes: 'Mention your number.', seen })
    assert.deepEqual([stale.status, stale.body.error], [409, deskTexts.recordChanged])
    // A repeated form changes nothing.
    assert.equal((await post(`/${_id}/change`, { ...moved, seen })).status, 200)
    const fresh = (await list())[0]?.revision
    assert.equal((await post(`/${_id}/change`, { ...moved, notes: 'Mention your number.', seen: fresh })).status, 200)
  })

  test('are not duplicated by a repeated form', async () => {
    for (const _ of ['once', 'twice']) await post('/add', bank)
    assert.equal((await list()).length, 1)
    assert.equal((await actions()).length, 1)
  })

  test('require a fresh proof of identity for every change', async () => {
    const id = await addCompanyBankAccount(system)
    made.context.clock.advance((limits.freshSignInMinutes + 1) * 60_000)
    for (const path of ['/add', `/${id}/change`])
      assert.equal((await post(path, bank)).body.code, 'proof_required', path)
    assert.equal((await post(`/${id}/archive`, {})).body.code, 'proof_required')
    assert.equal((await list()).length, 1)
  })

  test('can be changed by administrators only', async () => {
    for (const role of ['viewer', 'support', 'finance', 'compliance'])
      assert.equal((await post('/add', bank, await enter(role))).body.code, 'not_permitted', role)
    const { memberId } = await addMember(system)
    const { token: theirs } = await openTestSession(system, { kind: 'member', id: memberId })
    assert.equal((await post('/add', bank, theirs)).body.code, 'unauthenticated')
  })

  test('answer not_found like unknown ones when they belong to another brokerage', async () => {
    const theirs = await addCompanyBankAccount(await addWorkspace(made.context))
    for (const id of [theirs, newId()]) {
      assert.equal((await post(`/${id}/change`, bank)).body.code, 'not_found')
      assert.equal((await post(`/${id}/archive`, {})).body.code, 'not_found')
    }
  })

  test('cannot be archived while offered to every member by default', async () => {
    const id = await addCompanyBankAccount(system)
    const settings = JSON.stringify({ default_bank_accounts_for_clients: [id], second_factor_staff: 'optional' })
    await inTransaction(system, (tx) =>
      tx.updateTable('workspaces').set({ settings }).where('workspace_id', '=', system.workspaceId).execute(),
    )
    const answer = await post(`/${id}/archive`, {})
    assert.deepEqual([answer.status, answer.body.error], [409, deskTexts.companyBankInUse])
  })

  test('are stored without marks from copying, and with two countries after a confirmation', async () => {
    const copied = {
      iban_number: 'IBAN GB29\u00a0NWBK\u202f6016 1331 9268\u200b19',
      swift: 'BIC: deutdeff',
      sort_code: '60\u00a016 13',
    }
    const { body } = await post('/add', { ...bank, ...copied, countries_confirmed: true })
    const [stored] = body.banks as Record<string, string>[]
    assert.deepEqual(
      [stored?.iban_number, stored?.swift, stored?.sort_code],
      ['GB29NWBK60161331926819', 'DEUTDEFF', '601613'],
    )
  })

  for (const [change, fields] of [
    [{ iban_number: '' }, ['bank_account', 'iban_number']],
    [{ iban_number: 'DE00' }, ['iban_number']],
    [{ swift: 'X' }, ['swift']],
    [{ iban_number: 'GB29NWBK60161331926819', swift: 'DEUTDEFF' }, ['swift']],
    [{ currency: 'BTC' }, ['currency']],
    [{ bank_name: '' }, ['bank_name']],
  ] as const)
    test(`are refused for ${JSON.stringify(change)}`, async () => {
      const { body } = await post('/add', { ...bank, ...change })
      assert.deepEqual(Object.keys(body.errors as object).sort(), fields)
    })
})
