// spec: AO 3, AO 5, AO 7
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  beneficiaryCallsOf,
  hourMs,
  type Kind,
  openBeneficiaryOwner,
  wallet,
} from '../../tests/fixtures/payments/beneficiary-fixture.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addMember, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { sweepUploads } from '../files/sweep.ts'
import { newId } from '../foundation/ids.ts'

let owner: Awaited<ReturnType<typeof openBeneficiaryOwner>>
before(async () => {
  owner = await openBeneficiaryOwner()
})
after(() => owner.close())
beforeEach(() => owner.renew())

const { kinds, create, update, madeOne, shown } = beneficiaryCallsOf(() => owner)

describe('an other account', () => {
  const [, kind] = kinds as [Kind, Kind]
  const qr = (memberId: string, purpose = 'qr') =>
    addMedia(owner.system, { memberId, purpose, kind: 'image', extension: 'png', name: 'qr.png' })
  const errorsOf = async (change: object) => (await create(kind, { ...wallet, ...change })).body.errors

  test('shows its QR code until it is removed', async () => {
    const address_qr = await qr(owner.member.memberId)
    const _id = await madeOne(kind, { ...wallet, address_qr })
    const fields = 'address_qr { _id type url } notes'
    const url = `/private/files/${address_qr}/qr.png`
    assert.deepEqual(await shown(kind, fields), [
      { address_qr: { _id: address_qr, type: 'image', url }, notes: wallet.notes },
    ])
    owner.made.context.clock.advance(25 * hourMs)
    const { token: fresh } = await openTestSession(owner.system, { kind: 'member', id: owner.member.memberId })
    await sweepUploads(owner.system)
    assert.equal((await owner.caller.get(`/cp${url}`, fresh)).status, 200)
    assert.equal((await update(kind, { ...wallet, _id, address_qr: null }, fresh)).status, 200)
    assert.deepEqual(await shown(kind, fields, fresh), [{ address_qr: null, notes: wallet.notes }])
    await sweepUploads(owner.system)
    assert.equal((await owner.caller.get(`/cp${url}`, fresh)).status, 404)
  })

  test('refuses a QR code of another member, one attached elsewhere, and an unknown one', async () => {
    const theirs = await qr((await addMember(owner.system)).memberId)
    const attachment = await qr(owner.member.memberId)
    const complaint = { subject: 'A file', description: 'It is attached.', type: 'general' }
    const { ticket } = (await owner.caller.post('/tickets/cp-create', complaint, owner.token)).body as {
      ticket: { _id: string }
    }
    const response = { type: 'attachment', attachment }
    assert.equal(
      (await owner.caller.post('/tickets/cp-respond', { _id: ticket._id, response }, owner.token)).status,
      200,
    )
    for (const address_qr of [theirs, attachment, newId()])
      assert.deepEqual(await errorsOf({ address_qr }), { address_qr: ['Please upload the QR code again.'] })
    assert.deepEqual(await shown(kind), [])
  })

  test('accepts a QR code uploaded for another purpose and not yet used', async () => {
    assert.equal(await errorsOf({ address_qr: await qr(owner.member.memberId, 'document') }), undefined)
  })

  test('is listed by its type', async () => {
    await madeOne(kind)
    await madeOne(kind, { ...wallet, type: 'other', preferred_currency: 'EUR' })
    for (const type of ['crypto', 'other']) {
      const { body } = await owner.caller.post(
        '/graph',
        { query: `{ other_accounts(type: "${type}") { type } }` },
        owner.token,
      )
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
