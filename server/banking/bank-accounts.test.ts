// spec: AO 3, AO 5, AO 7
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { bankAccountInputWithin } from '@atrium/contract/banking/calls.ts'
import {
  bank,
  beneficiaryCallsOf,
  type Kind,
  openBeneficiaryOwner,
} from '../../tests/fixtures/payments/beneficiary-fixture.ts'
import { chooseSettings } from '../../tests/fixtures/workspaces.ts'

let owner: Awaited<ReturnType<typeof openBeneficiaryOwner>>
before(async () => {
  owner = await openBeneficiaryOwner()
})
after(() => owner.close())
beforeEach(() => owner.renew())

const { kinds, create, update, madeOne, shown } = beneficiaryCallsOf(() => owner)

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
    await madeOne(kind, { ...bank, bank_account: '44', account_holder: '\u202eMara\u200b Member' })
    assert.equal((await shown(kind)).length, 2)
    assert.ok((await shown(kind, 'account_holder')).every((one) => one.account_holder === 'Mara Member'))
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
    const stored = { bank_branch: 'Canary Wharf', routing_number: '202016', postcode: 'E14 5HP' }
    const { usable_from, ...first } = (await read()) ?? assert.fail()
    assert.deepEqual(first, { _id: id, ...stored })
    owner.made.context.clock.advance(60_000)
    await update(kind, { ...bank, _id: id })
    await update(kind, { ...bank, _id: id, postcode: '' })
    assert.deepEqual(await read(), { _id: id, usable_from, ...stored, postcode: null })
    let before = Number(usable_from)
    for (const code of [{ bank_branch: 'City' }, { routing_number: '202017' }]) {
      owner.made.context.clock.advance(60_000)
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
    await chooseSettings(owner, { bank_name_chars_max: 140 })
    await madeOne(kind, { ...bank, account_holder, bank_name })
    const [saved] = await shown(kind, '_id usable_from account_holder bank_name')
    assert.deepEqual([saved?.account_holder, saved?.bank_name], [account_holder, bank_name])
    assert.deepEqual(await errorsOf({ bank_name: 'x'.repeat(141) }), { bank_name: ['Use at most 140 characters.'] })
    await chooseSettings(owner, {})
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
