// spec: AO 3, AO 4, AO 5, AO 7
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { beneficiaryLimits } from '@atrium/contract/banking/beneficiary-limits.ts'
import { bankAccountInputWithin } from '@atrium/contract/banking/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { FastifyInstance } from 'fastify'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addBankAccount, addFundAccount, addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import {
  addMember,
  addWorkspace,
  chooseSettings,
  memberActor,
  openTestSession,
  setPermissions,
} from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { sweepUploads } from '../files/sweep.ts'
import type { Member, System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { describeBeneficiary, findBeneficiary, matchesDescription } from './beneficiary.ts'

let made: MadeContext
let system: System
let app: FastifyInstance
let caller: Caller
let member: Member
let email: string
let token: string

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { isDefault: true })
  app = await buildApp(made.context)
  caller = callerOf(app)
})
after(async () => {
  await app.close()
  await made.close()
})
beforeEach(async () => {
  const person = await addMember(system)
  email = person.email
  token = (await openTestSession(system, { kind: 'member', id: person.memberId })).token
  member = await memberActor(system, person.memberId)
})

const bank = {
  currency: 'EUR',
  account_holder: 'Mara Member',
  iban_number: 'de89 3704 0044 0532 0130 00',
  bank_account: '',
  swift: 'deutdeff',
  bank_name: 'Members Bank',
  address_line_1: '1 Bank Street',
  city: 'Frankfurt',
  state: 'Hesse',
  country: 'DE',
}
const wallet = {
  type: 'crypto',
  name: 'Savings',
  provider: 'Ledger',
  preferred_currency: 'BTC',
  address_id: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  notes: 'First line\nSecond line',
}

type Kind = {
  path: string
  body: Record<string, unknown>
  /** A second beneficiary, and a change that sends the money elsewhere. */
  other: Record<string, unknown>
  moved: Record<string, unknown>
  /** A change that does not affect where the money goes. */
  aside: Record<string, unknown>
  add(of: string): Promise<string>
  type: 'bank_account' | 'crypto'
  list: string
  words: string
}
const kinds: Kind[] = [
  {
    path: '/members/bank-accounts',
    body: bank,
    other: { ...bank, iban_number: 'DE75512108001245126199' },
    moved: { ...bank, swift: 'DEUTDEFF500' },
    aside: { ...bank, city: 'Berlin' },
    add: (memberId) => addBankAccount(system, { memberId }),
    type: 'bank_account',
    list: 'bank_accounts',
    words: 'bank account',
  },
  {
    path: '/members/fund-accounts',
    body: wallet,
    other: { ...wallet, address_id: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
    moved: { ...wallet, address_id: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3' },
    aside: { ...wallet, notes: null },
    add: (memberId) => addFundAccount(system, { memberId }),
    type: 'crypto',
    list: 'other_accounts',
    words: 'other account',
  },
]

const hourMs = 3_600_000
const now = () => made.context.clock.now().getTime()
const create = ({ path }: Kind, body: object, by = token) => caller.post(`${path}/create`, body, by)
const update = ({ path }: Kind, body: object, by = token) => caller.post(`${path}/update`, body, by)
const remove = ({ path }: Kind, id: string, by = token) => caller.post(`${path}/${id}/delete`, { _id: id }, by)
const madeOne = async (kind: Kind, body: object = kind.body) => String((await create(kind, body)).body._id)

type Shown = { _id: string; usable_from: number } & Record<string, unknown>
async function shown({ list }: Kind, fields = '_id usable_from', by = token): Promise<Shown[]> {
  const { body } = await caller.post('/graph', { query: `{ ${list} { ${fields} } }` }, by)
  return (body.data as Record<string, Shown[]>)[list] ?? []
}

const actions = () =>
  reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .where(here)
      .select('action')
      .where('member_id', '=', member.memberId)
      .where('subject_kind', 'in', ['bank_account', 'fund_account'])
      .orderBy('audit_id')
      .execute(),
  ).then((rows) => rows.map(({ action }) => action))

for (const kind of kinds) {
  const { path, body, words } = kind
  describe(path, () => {
    test('adds a beneficiary with a cooling-off period, notifies its owner, and lists it', async () => {
      const answer = await create(kind, body)
      assert.equal(answer.status, 200, answer.raw)
      assert.equal(answer.body.status, 'ok')
      assert.equal(answer.body.usable_from, now() + beneficiaryLimits.beneficiaryCoolingOffHours * hourMs)
      assert.deepEqual(await shown(kind), [{ _id: answer.body._id, usable_from: answer.body.usable_from }])
      const mails = await mailsTo(system, email)
      assert.equal(mails.length, 1)
      assert.match(mails[0]?.subject ?? '', new RegExp(`^An? ${words} was added$`))
      assert.match(mails[0]?.text ?? '', /You can withdraw to it after the cooling-off period/)
      assert.doesNotMatch(mails[0]?.text ?? '', /370400440532013000|bc1qar0srrr7xfkvy5l643/)
      assert.deepEqual(await actions(), [`${words === 'bank account' ? 'bank' : 'fund'}-account.added`])
    })

    test('requires a fresh proof of identity to add and to change a beneficiary', async () => {
      const id = await madeOne(kind)
      made.context.clock.advance((limits.freshSignInMinutes + 1) * 60_000)
      for (const answer of [await create(kind, kind.other), await update(kind, { ...kind.moved, _id: id })])
        assert.deepEqual([answer.status, answer.body.code], [403, 'proof_required'])
      assert.equal((await shown(kind)).length, 1)
      assert.equal((await mailsTo(system, email)).length, 1)
    })

    test('restarts the cooling-off period of a changed beneficiary and notifies its owner', async () => {
      const id = await madeOne(kind)
      made.context.clock.advance(5 * 60_000)
      const answer = await update(kind, { ...kind.moved, _id: id })
      assert.equal(answer.status, 200, answer.raw)
      assert.equal(answer.body.usable_from, now() + beneficiaryLimits.beneficiaryCoolingOffHours * hourMs)
      assert.match((await mailsTo(system, email)).at(-1)?.subject ?? '', /was changed$/)
    })

    test('does not extend the cooling-off period when the payment details stay the same, but notifies the owner', async () => {
      const id = await madeOne(kind)
      const [before] = await shown(kind)
      made.context.clock.advance(5 * 60_000)
      const answer = await update(kind, { ...kind.aside, _id: id })
      assert.equal(answer.body.usable_from, before?.usable_from)
      assert.match((await mailsTo(system, email)).at(-1)?.subject ?? '', /was changed$/)
    })

    test('ignores identical content sent again', async () => {
      const id = await madeOne(kind)
      assert.equal((await create(kind, body)).body._id, id)
      for (const _id of [id, id.toUpperCase()]) assert.equal((await update(kind, { ...body, _id })).body._id, id)
      assert.equal((await mailsTo(system, email)).length, 1)
      assert.equal((await actions()).length, 1)
    })

    test('creates one beneficiary per idempotency key, even after its removal, and refuses the key with another form', async () => {
      const key = await caller.post('/members/get-unique-token', { token_key: 'form_submit' }, token)
      const keyed = { ...kind.body, nonce_token: key.body.token }
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => create(kind, keyed)))
      const ids = new Set(answers.map(({ body }) => body._id))
      assert.deepEqual([ids.size, (await shown(kind)).length, answers[4]?.status], [1, 1, 200])
      const [id] = ids
      assert.equal((await remove(kind, String(id))).status, 200)
      assert.deepEqual((await create(kind, keyed)).body, answers[0]?.body)
      assert.deepEqual(await shown(kind), [])
      const changed = await create(kind, { ...kind.other, nonce_token: key.body.token })
      assert.equal(changed.body.code, 'nonce_reused', changed.raw)
    })

    test('refuses the same beneficiary under another name', async () => {
      await madeOne(kind)
      const renamed = { ...body, ...('bank_name' in body ? { bank_name: 'Another' } : { name: 'Another' }) }
      const answer = await create(kind, renamed)
      assert.equal(answer.status, 422)
      assert.deepEqual(Object.values(answer.body.errors as object).flat(), ['Value is duplicated.'])
    })

    test('limits the number of beneficiaries', async () => {
      for (let at = 0; at < beneficiaryLimits.beneficiariesMax; at++) await kind.add(member.memberId)
      const answer = await create(kind, kind.other)
      assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'])
    })

    test('removes a beneficiary from the list, retains its row, and notifies its owner', async () => {
      const id = await madeOne(kind)
      for (const _ of ['once', 'twice']) assert.equal((await remove(kind, id)).status, 200)
      assert.deepEqual(await shown(kind), [])
      assert.equal((await mailsTo(system, email)).length, 2)
      assert.deepEqual((await actions()).length, 2)
      assert.deepEqual([(await update(kind, { ...kind.moved, _id: id })).status], [404])
      assert.notEqual(await madeOne(kind), id)
    })

    test('refuses to remove or redirect a beneficiary with a withdrawal still to be paid', async () => {
      const id = await madeOne(kind)
      const platformId = await addPlatform(system)
      const accountId = await addAccount(system, { memberId: member.memberId, platformId })
      const { memberId } = member
      const values = { memberId, accountId, type: 'withdrawal', destination_id: id }
      await addTransaction(system, { ...values, state: 'pending' })
      const before = await shown(kind)
      for (const answer of [await remove(kind, id), await update(kind, { ...kind.moved, _id: id })]) {
        assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'])
        assert.match(String(answer.body.error), /still in progress \(\d+\)/)
      }
      assert.deepEqual(await shown(kind), before)
      assert.equal((await update(kind, { ...kind.aside, _id: id })).status, 200)
    })

    test('redirects a beneficiary once its withdrawals have ended', async () => {
      const id = await madeOne(kind)
      const accountId = await addAccount(system, { memberId: member.memberId, platformId: await addPlatform(system) })
      const values = { memberId: member.memberId, accountId, type: 'withdrawal', destination_id: id }
      await addTransaction(system, { ...values, state: 'rejected', rejection_reason: 'withdrawal_other' })
      await addTransaction(system, { ...values, state: 'cancelled' })
      assert.equal((await update(kind, { ...kind.moved, _id: id })).status, 200)
    })

    test('answers not_found alike for a beneficiary of another member and an unknown one', async () => {
      const theirs = await kind.add((await addMember(system)).memberId)
      for (const id of [theirs, newId()]) {
        assert.deepEqual((await remove(kind, id)).body.code, 'not_found')
        assert.deepEqual((await update(kind, { ...body, _id: id })).body.code, 'not_found')
        assert.equal(await inTransaction(member, (tx) => findBeneficiary(tx, member, { type: kind.type, id })), null)
      }
      assert.deepEqual(await shown(kind), [])
    })

    test('refuses members without the permission', async () => {
      await setPermissions(system, member.memberId, ['bank-accounts-', 'other-accounts-'])
      assert.deepEqual((await create(kind, body)).body.code, 'not_permitted')
    })

    test('finds a beneficiary with its details for a withdrawal until it is removed', async () => {
      const id = await madeOne(kind)
      const find = () => inTransaction(member, (tx) => findBeneficiary(tx, member, { type: kind.type, id }))
      const found = await find()
      assert.equal(found?.currency, kind.type === 'crypto' ? 'BTC' : 'EUR')
      assert.match(found?.description ?? '', /DE89370400440532013000|bc1qar0srrr7/)
      assert.equal(found?.usableFrom.getTime(), now() + beneficiaryLimits.beneficiaryCoolingOffHours * hourMs)
      assert.ok(
        found &&
          matchesDescription({ ...found, details: { ...found.details, notes: 'Other' } }, describeBeneficiary(found)),
      )
      assert.ok(!matchesDescription({ ...found, description: 'Another' }, describeBeneficiary(found)))
      await remove(kind, id)
      assert.equal(await find(), null)
    })

    test('reports every missing or invalid field in one answer', async () => {
      const answer = await create(kind, {})
      assert.equal(answer.status, 422)
      const wanted =
        kind.type === 'crypto'
          ? ['address_id', 'name', 'preferred_currency', 'provider', 'type']
          : 'account_holder address_line_1 bank_account bank_name city country currency iban_number state swift'.split(
              ' ',
            )
      assert.deepEqual(Object.keys(answer.body.errors as object).sort(), wanted)
    })
  })
}

describe('a bank account', () => {
  const [kind] = kinds as [Kind]
  const stored = async () =>
    (await shown(kind, 'iban_number bank_account swift currency country { _id } city state address_line_1'))[0]
  const errorsOf = async (change: object) => (await create(kind, { ...bank, ...change })).body.errors

  test('stores its numbers in canonical form', async () => {
    await madeOne(kind)
    assert.deepEqual(await stored(), {
      iban_number: 'DE89370400440532013000',
      bank_account: null,
      swift: 'DEUTDEFF',
      currency: 'EUR',
      country: { _id: 'DE' },
      city: 'Frankfurt',
      state: 'Hesse',
      address_line_1: '1 Bank Street',
    })
  })

  test('requires an IBAN or an account number, and accepts both', async () => {
    await madeOne(kind, { ...bank, iban_number: null, bank_account: '0044\u00a011\u202f87\u200b' })
    assert.equal((await stored())?.bank_account, '00441187', 'without the printed blanks')
    await madeOne(kind, { ...bank, bank_account: '44' })
    assert.equal((await shown(kind)).length, 2)
    assert.deepEqual(await errorsOf({ iban_number: '  ' }), {
      iban_number: ['This is a required field'],
      bank_account: ['This is a required field'],
    })
  })

  test('takes the country from its IBAN where none is given', async () => {
    await madeOne(kind, { ...bank, country: '' })
    assert.deepEqual((await stored())?.country, { _id: 'DE' })
    assert.ok('country' in ((await errorsOf({ iban_number: '', bank_account: '1', country: '' })) as object))
  })

  test('stores branch, routing number and postcode, and retains them when a client omits them', async () => {
    const details = { bank_branch: 'Canary Wharf', routing_number: '20 20 16', postcode: 'E14 5HP' }
    const kind = kinds[0] ?? assert.fail()
    const id = await madeOne(kind, { ...bank, ...details })
    const read = async () => (await shown(kind, '_id usable_from bank_branch routing_number postcode'))[0]
    const kept = { bank_branch: 'Canary Wharf', routing_number: '202016', postcode: 'E14 5HP' }
    const { usable_from, ...first } = (await read()) ?? assert.fail()
    assert.deepEqual(first, { _id: id, ...kept })
    made.context.clock.advance(60_000)
    await update(kind, { ...bank, _id: id })
    await update(kind, { ...bank, _id: id, postcode: '' })
    assert.deepEqual(await read(), { _id: id, usable_from, ...kept, postcode: null })
    let before = Number(usable_from)
    for (const code of [{ bank_branch: 'City' }, { routing_number: '202017' }]) {
      made.context.clock.advance(60_000)
      await update(kind, { ...bank, _id: id, ...code })
      const now = Number((await read())?.usable_from)
      assert.ok(now > before, JSON.stringify(code))
      before = now
    }
  })

  test('asks on its form for the fields that payouts to its country need, which the API does not require', async () => {
    const problemsIn = (input: object) =>
      bankAccountInputWithin(50)
        .safeParse(input)
        .error?.issues.map(({ path }) => path[0])
    const empty = { bank_branch: '', routing_number: '', postcode: '' }
    const abroad = {
      ...bank,
      iban_number: '',
      bank_account: '6222020000000000001',
      swift: 'ICBKCNBJ',
      state: 'Beijing',
    }
    assert.deepEqual(problemsIn({ ...bank, ...empty }), undefined)
    assert.deepEqual(problemsIn({ ...abroad, ...empty, country: 'CN', currency: 'CNY' }), ['bank_branch'])
    assert.deepEqual(problemsIn({ ...abroad, country: 'CN', currency: 'CNY' }), undefined)
    const india = { ...abroad, ...empty, swift: 'SBININBB', country: 'IN', currency: 'INR' }
    assert.deepEqual(problemsIn(india), ['bank_branch', 'routing_number'])
    assert.equal((await create(kinds[0] ?? assert.fail(), india)).status, 200)
  })

  test('is refused, not truncated, when a value exceeds the workspace limit, and the message names the limit', async () => {
    const account_holder = 'María de los Ángeles Fernández-Villaverde y Gutiérrez'
    const bank_name = 'The Hongkong and Shanghai Banking Corporation Limited'
    const refusal = { account_holder: ['Use at most 50 characters.'], bank_name: ['Use at most 50 characters.'] }
    assert.deepEqual(await errorsOf({ account_holder, bank_name }), refusal)
    await chooseSettings({ system }, { bank_name_chars_max: 140 })
    await madeOne(kind, { ...bank, account_holder, bank_name })
    const [kept] = await shown(kind, '_id usable_from account_holder bank_name')
    assert.deepEqual([kept?.account_holder, kept?.bank_name], [account_holder, bank_name])
    assert.deepEqual(await errorsOf({ bank_name: 'x'.repeat(141) }), { bank_name: ['Use at most 140 characters.'] })
    await chooseSettings({ system }, {})
  })

  test('is saved if its countries agree, or if its owner confirms that they differ', async () => {
    for (const differing of [{ swift: 'OPAHGB22' }, { iban_number: 'GB29NWBK60161331926819', swift: 'NWBKGB2L' }]) {
      const answer = await create(kind, { ...bank, ...differing })
      assert.equal(answer.status, 422)
      assert.match(JSON.stringify(answer.body.errors), /Germany.*United Kingdom|United Kingdom.*Germany/)
      assert.equal((await create(kind, { ...bank, ...differing, countries_confirmed: true })).status, 200)
    }
  })

  test('needs no state in Malta, and accepts Kosovo as a country', async () => {
    const { state: _, ...stateless } = bank
    const malta = { iban_number: 'MT84MALT011000012345MTLCAST001S', swift: 'VALLMTMT', country: 'MT' }
    assert.equal((await create(kind, { ...stateless, ...malta })).status, 200)
    assert.equal((await stored())?.state, null)
    assert.deepEqual((await create(kind, stateless)).body.errors, { state: ['This is a required field'] })
    const kosovo = { iban_number: 'XK05 1212 0123 4567 8906', swift: 'NCBVXKPR', country: 'XK', state: '' }
    assert.equal((await create(kind, { ...bank, ...kosovo })).status, 200)
    assert.ok(
      (await shown(kind, 'country { _id name }')).some(
        ({ country }) => (country as { name: string }).name === 'Kosovo',
      ),
    )
  })

  for (const [field, value, sentence] of [
    ['iban_number', 'DE89 3704 0044 0532 0130 01', 'Invalid IBAN number'],
    ['swift', 'DEUT', 'Invalid SWIFT / BIC'],
    ['currency', 'BTC', 'Please choose one of the listed currencies.'],
    ['account_holder', 'x'.repeat(51), 'Use at most 50 characters.'],
    ['bank_name', 'x'.repeat(51), 'Use at most 50 characters.'],
    ['bank_account', 'x'.repeat(51), 'Use at most 50 characters.'],
    ['country', 'ZZ', 'Please select a country.'],
    ['city', ' ', 'This is a required field'],
  ] as const)
    test(`is refused for its ${field}: ${sentence}`, async () => {
      assert.deepEqual(await errorsOf({ [field]: value }), { [field]: [sentence] })
    })
})

describe('an other account', () => {
  const [, kind] = kinds as [Kind, Kind]
  const qr = (memberId: string, purpose = 'qr') =>
    addMedia(system, { memberId, purpose, kind: 'image', extension: 'png', name: 'qr.png' })
  const errorsOf = async (change: object) => (await create(kind, { ...wallet, ...change })).body.errors

  test('shows its QR code until it is removed', async () => {
    const address_qr = await qr(member.memberId)
    const _id = await madeOne(kind, { ...wallet, address_qr })
    const fields = 'address_qr { _id type url } notes'
    const url = `/private/files/${address_qr}/qr.png`
    assert.deepEqual(await shown(kind, fields), [
      { address_qr: { _id: address_qr, type: 'image', url }, notes: wallet.notes },
    ])
    made.context.clock.advance(25 * hourMs)
    const { token: fresh } = await openTestSession(system, { kind: 'member', id: member.memberId })
    await sweepUploads(system)
    assert.equal((await caller.get(`/cp${url}`, fresh)).status, 200)
    assert.equal((await update(kind, { ...wallet, _id, address_qr: null }, fresh)).status, 200)
    assert.deepEqual(await shown(kind, fields, fresh), [{ address_qr: null, notes: wallet.notes }])
    await sweepUploads(system)
    assert.equal((await caller.get(`/cp${url}`, fresh)).status, 404)
  })

  test('refuses a QR code of another member, one attached elsewhere, and an unknown one', async () => {
    const theirs = await qr((await addMember(system)).memberId)
    const attachment = await qr(member.memberId)
    const complaint = { subject: 'A file', description: 'It is attached.', type: 'general' }
    const { ticket } = (await caller.post('/tickets/cp-create', complaint, token)).body as { ticket: { _id: string } }
    const response = { type: 'attachment', attachment }
    assert.equal((await caller.post('/tickets/cp-respond', { _id: ticket._id, response }, token)).status, 200)
    for (const address_qr of [theirs, attachment, newId()])
      assert.deepEqual(await errorsOf({ address_qr }), { address_qr: ['Please upload the QR code again.'] })
    assert.deepEqual(await shown(kind), [])
  })

  test('accepts a QR code uploaded for another purpose and not yet used', async () => {
    assert.equal(await errorsOf({ address_qr: await qr(member.memberId, 'document') }), undefined)
  })

  test('is listed by its type', async () => {
    await madeOne(kind)
    await madeOne(kind, { ...wallet, type: 'other', preferred_currency: 'EUR' })
    for (const type of ['crypto', 'other']) {
      const { body } = await caller.post('/graph', { query: `{ other_accounts(type: "${type}") { type } }` }, token)
      assert.deepEqual(body.data, { other_accounts: [{ type }] })
    }
  })

  for (const [change, field, sentence] of [
    [{ preferred_currency: 'EUR' }, 'preferred_currency', 'Please choose one of the listed currencies.'],
    [{ type: 'other' }, 'preferred_currency', 'Please choose one of the listed currencies.'],
    [{ type: 'bank' }, 'type', 'This is a required field'],
    [{ name: 'x'.repeat(121) }, 'name', 'Use at most 120 characters.'],
    [{ provider: 'x'.repeat(121) }, 'provider', 'Use at most 120 characters.'],
    [{ notes: 'x'.repeat(257) }, 'notes', 'Use at most 256 characters.'],
    [{ address_id: 'x'.repeat(513) }, 'address_id', 'Use at most 512 characters.'],
    [{ address_qr: 'no' }, 'address_qr', 'Please upload the QR code again.'],
  ] as const)
    test(`is refused for its ${field}: ${JSON.stringify(change).slice(0, 40)}`, async () => {
      assert.deepEqual(((await errorsOf(change)) as Record<string, unknown>)[field], [sentence])
    })
})

describe('the database', () => {
  test('does not let a member shorten a cooling-off period or change a removed beneficiary', async () => {
    const id = await kinds[0]?.add(member.memberId)
    const change = (values: { usable_from?: Date; city?: string }) =>
      inTransaction(member, (tx) =>
        tx
          .updateTable('bank_accounts')
          .set(values)
          .where('workspace_id', '=', member.workspaceId)
          .where('bank_account_id', '=', String(id))
          .execute(),
      )
    await assert.rejects(change({ usable_from: new Date(now() - 1) }), /rests until its time/)
    await inTransaction(system, (tx) =>
      tx
        .updateTable('bank_accounts')
        .set({ removed_at: made.context.clock.now() })
        .where('workspace_id', '=', member.workspaceId)
        .where('bank_account_id', '=', String(id))
        .execute(),
    )
    await assert.rejects(change({ city: 'Elsewhere' }), /stays as it was/)
  })
})

describe('the address of a wallet', () => {
  const wrong: [coin: string, address: string][] = [
    ['BTC', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3'],
    ['BTC', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp'],
    ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj8'],
    ['ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
    ['TRX', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
    ['XRP', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi'],
    ['LTC', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMHA'],
    ['BCH', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6c'],
  ]
  const kind = kinds.find(({ list }) => list === 'other_accounts') ?? assert.fail()

  for (const [coin, address] of wrong)
    test(`is refused with one wrong character: ${coin} ${address.slice(0, 8)}`, async () => {
      const id = await madeOne(kind)
      const body = { ...wallet, preferred_currency: coin, address_id: address }
      for (const answer of [await create(kind, body), await update(kind, { ...body, _id: id })]) {
        assert.equal(answer.status, 422)
        const [message] = (answer.body.errors as Record<string, string[]>).address_id ?? []
        assert.match(message ?? '', new RegExp(`^This isn't a valid ${coin} address. One character may be wrong`))
      }
      assert.equal((await shown(kind)).length, 1)
    })

  test('is saved without blanks and invisible marks from copying', async () => {
    const address_id = `\u202a\u00a0${wallet.address_id.slice(0, 20)}\u200b\t${wallet.address_id.slice(20)}\u202c`
    const answer = await create(kind, { ...wallet, address_id, address_tag: '\u202f104\u00a0911' })
    assert.equal(answer.status, 200, answer.raw)
    const [saved] = await shown(kind, '_id usable_from address_id address_tag')
    assert.deepEqual([saved?.address_id, saved?.address_tag], [wallet.address_id, '104911'])
  })
})
