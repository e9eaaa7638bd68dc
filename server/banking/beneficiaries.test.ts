// spec: AO 3, AO 4, AO 5, AO 7
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { beneficiaryLimits } from '@atrium/contract/banking/beneficiary-limits.ts'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { beneficiaryCallsOf, hourMs } from '../../tests/fixtures/payments/beneficiary-fixture.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import {
  addMember,
  addWorkspace,
  memberActor,
  openTestSession,
  setPermissions,
} from '../../tests/fixtures/workspaces.ts'
import type { Member, System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { describeBeneficiary, findBeneficiary, matchesDescription } from './beneficiary.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let member: Member
let email: string
let token: string

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
})
after(() => close())
beforeEach(async () => {
  const person = await addMember(system)
  email = person.email
  token = (await openTestSession(system, { kind: 'member', id: person.memberId })).token
  member = await memberActor(system, person.memberId)
})

const { kinds, now, create, update, remove, madeOne, shown, actions } = beneficiaryCallsOf(() => ({
  made,
  system,
  caller,
  member,
  token,
}))

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

    test('is not overwritten from a page that does not show a later change', async () => {
      const _id = await madeOne(kind)
      const seen = async () => (await shown(kind, '_id usable_from revision'))[0]?.revision
      const old = await seen()
      assert.equal((await update(kind, { ...kind.aside, _id, seen: old })).status, 200)
      const stale = await update(kind, { ...kind.moved, _id, seen: old })
      assert.deepEqual(
        [stale.status, stale.body.code, stale.body.error],
        [409, 'conflict', beneficiaryTexts.changedElsewhere],
      )
      // A repeated form changes nothing.
      assert.equal((await update(kind, { ...kind.aside, _id, seen: old })).status, 200)
      assert.equal((await update(kind, { ...kind.moved, _id, seen: await seen() })).status, 200)
      // Clients of the specification name no revision.
      assert.equal((await update(kind, { ...kind.aside, _id })).status, 200)
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
