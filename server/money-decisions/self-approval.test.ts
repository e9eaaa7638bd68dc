import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { addDocument, addFileCategory } from '../../tests/fixtures/documents.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addRequest, addRequestType } from '../../tests/fixtures/requests.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, addStaff, provenStaff } from '../../tests/fixtures/workspaces.ts'
import { changeAccountAccess } from '../accounts/access.ts'
import { approveDeposit } from '../deposits/decision.ts'
import { rejectDocument, unverifyDocument, verifyDocument } from '../documents/decision.ts'
import { requestDocument, setKycCategory, setKycDocumentsElsewhere } from '../documents/requests.ts'
import { personalData } from '../domains.ts'
import type { Staff } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { changeMemberDetails } from '../members/details.ts'
import { inviteMember } from '../members/invitation.ts'
import { lockMember, unlockMember } from '../members/lock.ts'
import { permitMember } from '../members/permissions.ts'
import { eraseMember } from '../members/personal-data/erasure.ts'
import { changeMemberType, changeReferrer } from '../members/sales.ts'
import { decideRequest } from '../requests/desk-decisions.ts'
import { resetMemberFactors } from '../sessions/factors/factor-reset.ts'
import { isSelfApproval } from './self-approval.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

const names = { first_name: 'Mara', last_name: 'Member' }
const refused = { code: 'not_permitted', message: deskTexts.selfDecision }

/** A staff member in a freshly authenticated session. */
async function colleague(email?: string): Promise<Staff> {
  const made = await addStaff(setup.system, email === undefined ? {} : { email })
  return provenStaff(setup.system, made)
}

async function ownDeposit(memberId: string): Promise<string> {
  const accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId })
  return addTransaction(setup.system, { memberId, accountId, amount: '100.00' })
}

describe('a staff member who is also a member', () => {
  it('gives themselves neither documents, nor access, nor details', async () => {
    const { system, accountId, signIn } = setup
    const { memberId } = setup.member
    const self = await colleague(signIn.email)
    const category = await addFileCategory(system, { name: 'Identity' })
    const document = await addDocument(system, { memberId, category })
    const asked = { category: category.id, note: '' }
    const attempts: Record<string, (by: Staff) => Promise<unknown>> = {
      verify: (by) => verifyDocument(by, document),
      category: (by) => setKycCategory(by, memberId, null),
      elsewhere: (by) => setKycDocumentsElsewhere(by, memberId, { elsewhere: true, reason: 'Seen' }),
      access: (by) => changeAccountAccess(by, accountId, { access: 'full', reason: 'Asked for it' }),
      details: (by) =>
        changeMemberDetails(by, { ...names, id: memberId, version: 1, reason: 'New', email: 'other@mara.test' }),
      lock: (by) => lockMember(by, memberId, 'Asked for it'),
      unlock: (by) => unlockMember(by, memberId),
      permissions: (by) => permitMember(by, memberId, { denied: [], seen: ['support-'] }),
      factors: (by) => resetMemberFactors(by, memberId, 'Lost'),
      erasure: (by) => eraseMember(by, memberId, { reason: 'Asked for it', customer_number: '0' }, personalData),
    }
    // They may take the others from themselves.
    const disabled = { access: 'disabled', reason: 'Asked for it' } as const
    const readOnly = { ...disabled, access: 'read_only' } as const
    await permitMember(self, memberId, { denied: ['support'], seen: [] })
    await changeAccountAccess(self, accountId, readOnly)
    await changeAccountAccess(self, accountId, disabled)
    await assert.rejects(changeAccountAccess(self, accountId, readOnly), refused)
    await requestDocument(self, memberId, asked)
    await setKycDocumentsElsewhere(self, memberId, { elsewhere: false, reason: 'Not seen' })
    await rejectDocument(self, document, 'Too dark')
    for (const [name, attempt] of Object.entries(attempts)) await assert.rejects(attempt(self), refused, name)
    const other = await colleague()
    for (const name of ['lock', 'unlock', 'verify', 'permissions', 'details', 'access'])
      await (attempts[name] ?? assert.fail(name))(other)
    await unverifyDocument(self, document, 'Too old')
  })

  it('neither becomes a salesperson nor gets a client or another referrer', async () => {
    const { system } = setup
    const client = await addMember(system)
    const sales = await addMember(system, { type: 'sales_person' })
    const [self, seller, newcomer] = [await colleague(client.email), await colleague(sales.email), await colleague()]
    await assert.rejects(changeMemberType(self, client.memberId, 'sales_person', 'Joined the sales team'), refused)
    const invited = { ...names, email: newcomer.email }
    const asSales = { ...invited, type: 'sales_person', idempotency_key: newId() } as const
    await assert.rejects(inviteMember(newcomer, asSales), refused)
    await inviteMember(newcomer, { ...invited, idempotency_key: newId() })

    const toSales = { seen: null, referrer: sales.memberId, reason: 'They told us' }
    for (const by of [self, seller]) await assert.rejects(changeReferrer(by, client.memberId, toSales), refused)
    await changeReferrer(newcomer, client.memberId, toSales)
    const toNobody = { ...toSales, seen: sales.memberId, referrer: null }
    await assert.rejects(changeReferrer(self, client.memberId, toNobody), refused)
    // A salesperson may give up a client, or the sales page.
    await changeReferrer(seller, client.memberId, toNobody)
    await changeMemberType(seller, sales.memberId, 'client', 'Left the sales team')
  })

  it('approves none of their own requests', async () => {
    const { memberId, email } = await addMember(setup.system)
    const self = await colleague(email)
    const requestTypeId = await addRequestType(setup.system)
    const id = await addRequest(setup.system, { memberId, requestTypeId })
    const done = { id, from: 'not-assigned', to: 'done' } as const
    await assert.rejects(decideRequest(self, done), refused)
    await decideRequest(await colleague(), done)
    const other = await addRequest(setup.system, { memberId, requestTypeId })
    await decideRequest(self, { ...done, id: other, to: 'rejected', comment: 'A proof is missing.' })
  })

  it('is recognised in each spelling of an internationalized address', async () => {
    const { memberId } = await addMember(setup.system, { email: 'mara@b\u00fccher.test', documents_status: 'approved' })
    const self = await colleague('Mara@XN--BCHER-KVA.test')
    await assert.rejects(setKycCategory(self, memberId, null), refused)
    const deposit = await ownDeposit(memberId)
    await assert.rejects(approveDeposit(self, deposit), { message: moneyDecisionTexts.selfApproval })
  })

  it('is recognised by a former address for 90 days', async () => {
    const { memberId, email } = await addMember(setup.system, { documents_status: 'approved' })
    const self = await colleague(email)
    const deposit = await ownDeposit(memberId)
    const change = { ...names, id: memberId, version: 1, reason: 'Asked for it', email: 'new@mara.test' }
    await changeMemberDetails(await colleague(), change)
    await assert.rejects(approveDeposit(self, deposit), { message: moneyDecisionTexts.selfApproval })
    await assert.rejects(setKycCategory(self, memberId, null), refused)
    await approveDeposit(await colleague(), deposit)
    const isSelf = () => inTransaction(setup.system, (tx) => isSelfApproval(tx, self, memberId))
    setup.context.clock.advance(89 * 86_400_000)
    assert.equal(await isSelf(), true)
    setup.context.clock.advance(2 * 86_400_000)
    assert.equal(await isSelf(), false)
  })
})
