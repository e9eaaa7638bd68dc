// spec: DK members
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addDocument, addFileCategory } from '../../tests/fixtures/documents.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import { addMember, addStaff, addWorkspace, memberActor, staffActor } from '../../tests/fixtures/workspaces.ts'
import { deskDocuments } from '../documents/desk-queries.ts'
import type { Member, Staff } from '../foundation/actor.ts'
import { acceptTerms } from '../terms/acceptance.ts'
import { acceptances } from '../terms/acceptances.ts'
import { deskMembers } from './desk-list.ts'
import { listReferredClients } from './referred-clients.ts'
import { listSalesPeople } from './sales.ts'

describe('the search for a person', () => {
  let made: MadeContext
  let staff: Staff
  let seller: Member
  let terms: string

  before(async () => {
    made = await makeTestContext()
    const system = await addWorkspace(made.context)
    staff = staffActor(system, await addStaff(system))
    terms = await addTerms(staff)
    const category = await addFileCategory(system)
    const person = { first_name: 'Zo\u00eb', last_name: 'O\u2019Brien-Garc\u00eda', customer_number: '4711' }
    const { memberId: sellerId } = await addMember(system, { ...person, type: 'sales_person', customer_number: '9' })
    seller = await memberActor(system, sellerId)
    const email = 'zo\u00eb@b\u00fccher.example'
    const { memberId } = await addMember(system, { ...person, email, referred_by: sellerId })
    await addMember(system, {
      first_name: 'Bo',
      last_name: 'Brien',
      email: 'bo@xn--bcher-kva.example',
      referred_by: sellerId,
    })
    for (const id of [memberId, sellerId])
      await acceptTerms(await memberActor(system, id), { id: terms }, { address: null, userAgent: null })
    await addDocument(system, { memberId, category, title: 'Bill' })
  })
  after(() => made.close())

  const inMembers = async (q: string) =>
    (await deskMembers.read(staff, { q, order: 'newest', limit: 25 })).members.map(({ email }) => email)

  it('finds a name with another apostrophe or hyphen, which a keyboard puts for the stored one', async () => {
    for (const q of [
      "o'brien",
      'O\u2019Brien',
      'o\u02bcbrien',
      'obrien-nobody',
      "zoe o'brien\u2010garcia",
      'brien garcia zoe',
    ])
      assert.equal((await inMembers(q)).length, q === 'obrien-nobody' ? 0 : 2, q)
  })

  it('finds an email with letters of other alphabets, also by the other form of its domain', async () => {
    for (const q of ['zo\u00eb@b\u00fccher.example', 'ZO\u00cb@b\u00fcch', 'zo\u00eb@xn--bcher-kva.example'])
      assert.deepEqual(await inMembers(q), ['zo\u00eb@b\u00fccher.example'], q)
    assert.deepEqual(await inMembers('bo@b\u00fccher.example'), ['bo@xn--bcher-kva.example'])
    assert.deepEqual(await inMembers('zo\u00eb@other.example'), [])
  })

  const lists: Record<string, (q: string) => Promise<number>> = {
    documents: async (q) =>
      (await deskDocuments.read(staff, { q, state: 'in_verification', order: 'oldest', limit: 25 })).documents.length,
    acceptances: async (q) => (await acceptances.read(staff, { id: terms, q, limit: 25 })).acceptances.length / 2,
    'sales people': async (q) => (await listSalesPeople(staff, q)).length,
    'clients of a salesperson': async (q) => {
      const asked = { q, sort: 'name', order: 'asc', page: 1, limit: 25 } as const
      return (await listReferredClients(seller, asked)).clients.length
    },
  }
  for (const [list, count] of Object.entries(lists))
    it(`answers alike in the list of ${list}, whatever the case, marks and order of the words`, async () => {
      for (const q of ['zoe', 'ZO\u00cb', 'garcia zoe', "o'brien", 'rien-g']) assert.equal(await count(q), 1, q)
      for (const q of ['zoe x', '%', '_']) assert.equal(await count(q), 0, q)
    })
})
