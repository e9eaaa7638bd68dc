import { correctAccountOwner, setAccountAccess } from '@atrium/contract/account-sync/desk-calls.ts'
import { rejectDeposit, settleStuckDeposit } from '@atrium/contract/deposits/desk-calls.ts'
import {
  changeMemberDetails,
  changeMemberType,
  changeReferrer,
  eraseMember,
  inviteMember,
  lockMember,
} from '@atrium/contract/members/desk-calls.ts'
import { endOpening } from '@atrium/contract/openings/desk-calls.ts'
import { decideException } from '@atrium/contract/payments/exceptions.ts'
import { explainMismatch } from '@atrium/contract/reconciliation/desk-calls.ts'
import { renameDeskPasskey, resetMemberFactors, resetStaffFactors } from '@atrium/contract/sessions/security.ts'
import { changeOwnName, inviteStaff } from '@atrium/contract/staff/desk-calls.ts'
import { saveListView } from '@atrium/contract/staff/list-views.ts'
import { normalizeName } from '@atrium/contract/validators/person-name.ts'
import {
  markPayoutFailed,
  markWithdrawalPaid,
  rejectWithdrawal,
  reportReturnedTransfer,
  settleStuckWithdrawal,
} from '@atrium/contract/withdrawals/desk-calls.ts'
import type pg from 'pg'
import { newId } from '../../../server/foundation/ids.ts'
import { addPaymentException } from '../../fixtures/payments/payment-exceptions.ts'
import { debitOne, makePendingWithdrawal, openWithdrawer, payOneByHand } from '../../fixtures/payments/withdrawals.ts'
import { addMismatch } from '../../fixtures/reconciliations.ts'
import { addPlatform } from '../../fixtures/trading/platforms.ts'
import { makePendingDeposit, type TradingFixture } from '../../fixtures/trading/trading-fixture.ts'
import { addMember, addStaff } from '../../fixtures/workspaces.ts'
import { leaveUnknown } from '../valid-requests/of-payments.ts'
import { leaveInDoubt } from '../valid-requests/of-staff.ts'
import { addPlatformAccount } from '../valid-requests/valid-request.ts'
import { addKey, auditLog, type Body, type StoredText } from './stored-text.ts'

/** Texts of staff about money and people, and about themselves. */
export function storedDeskTexts(setup: TradingFixture, owner: pg.Client): StoredText[] {
  const { system, staff } = setup
  const { workspaceId } = system
  const detailsChange: Omit<StoredText, 'fields'> = {
    call: changeMemberDetails,
    body: async () => {
      const { memberId: id, email } = await addMember(system)
      return { id, first_name: 'Mara', last_name: 'New', email, version: 1, reason: 'Asked on the phone' }
    },
    shown: () => [['staff', auditLog]],
  }
  return [
    {
      call: renameDeskPasskey,
      fields: ['name'],
      body: async () => ({ _id: await addKey(owner, workspaceId, { staff_id: staff.staffId }) }),
      shown: () => [['staff', '/desk/api/security']],
    },
    {
      call: rejectDeposit,
      fields: ['note'],
      body: async () => ({ id: await makePendingDeposit(setup), reason: 'other' }),
      shown: ({ id }) => [['staff', `/desk/api/deposits/${id}`]],
    },
    {
      call: rejectWithdrawal,
      fields: ['note'],
      body: async () => ({ id: await makePendingWithdrawal(setup), reason: 'withdrawal_other' }),
      shown: ({ id }) => [['staff', `/desk/api/withdrawals/${id}`]],
    },
    {
      call: markWithdrawalPaid,
      fields: ['reference'],
      body: async () => ({ id: await debitOne(setup, await openWithdrawer(setup), '1.00') }),
      shown: ({ id }) => [['staff', `/desk/api/withdrawals/${id}`]],
    },
    {
      call: markWithdrawalPaid,
      fields: ['reason'],
      body: async () => ({ id: await debitOne(setup, await openWithdrawer(setup), '1.00'), reference: 'SWIFT 4711' }),
      shown: ({ id }) => [['staff', `/desk/api/withdrawals/${id}`]],
    },
    {
      call: markPayoutFailed,
      fields: ['note'],
      body: async () => ({ id: await debitOne(setup, await openWithdrawer(setup), '1.00') }),
      shown: ({ id }) => [['staff', `/desk/api/withdrawals/${id}`]],
    },
    {
      call: reportReturnedTransfer,
      fields: ['reference', 'reason'],
      body: async () => ({
        id: await payOneByHand(setup),
        ...{ amount: '1.00', reference: 'RETURN 4711', reason: 'The account is closed' },
      }),
      shown: ({ id }) => [['staff', `/desk/api/withdrawals/${id}`]],
    },
    ...(['deposit', 'withdrawal'] as const).map((type) => ({
      call: type === 'deposit' ? settleStuckDeposit : settleStuckWithdrawal,
      fields: ['reason'],
      body: async () => ({
        id: await leaveUnknown({ setup, owner }, type),
        ...{ outcome: 'executed', operation: '4711', reason: 'In the report of the dealer' },
      }),
      shown: ({ id }: Body): ['staff', string][] => [['staff', `/desk/api/${type}s/${id}`]],
    })),
    {
      call: explainMismatch,
      fields: ['note'],
      body: async () => ({ id: await addMismatch(system) }),
      shown: () => [['staff', '/desk/api/reconciliation/days/2026-11-20']],
    },
    {
      call: decideException,
      fields: ['note', 'outside_reference'],
      body: async () => ({
        id: await addPaymentException(setup, owner),
        ...{ decision: 'given_back', note: 'Sent back', outside_reference: 'BANK-1' },
      }),
      shown: () => [],
      isAnswered: true,
    },
    {
      call: lockMember,
      fields: ['reason'],
      body: async () => ({ id: (await addMember(system)).memberId }),
      shown: ({ id }) => [['staff', `/desk/api/members/${id}`]],
    },
    {
      call: setAccountAccess,
      fields: ['reason'],
      body: async () => {
        const { memberId: id } = await addMember(system)
        return { id: await addPlatformAccount({ setup }, { id }), access: 'read_only' }
      },
      shown: () => [['staff', auditLog]],
    },
    {
      call: correctAccountOwner,
      fields: ['reason'],
      body: async () => {
        const id = await addPlatformAccount({ setup }, { id: (await addMember(system)).memberId })
        const customer_number = `${newId()}`
        await addMember(system, { customer_number })
        return { id, customer_number }
      },
      shown: () => [['staff', auditLog]],
    },
    {
      call: endOpening,
      fields: ['reason'],
      body: async () => leaveInDoubt(system, await addPlatform(system, { name: `Gone ${newId()}` }), owner),
      shown: () => [['staff', auditLog]],
    },
    {
      call: inviteMember,
      fields: ['first_name', 'last_name'],
      body: async () => ({
        ...{ idempotency_key: newId(), first_name: 'Ines', last_name: 'Invited', country: 'MT', language: null },
        ...{ email: `${newId().slice(-12)}@harbour.test`, type: 'client' },
      }),
      shown: () => [],
      isAnswered: true,
      normalise: normalizeName,
    },
    { ...detailsChange, fields: ['first_name', 'last_name'], normalise: normalizeName },
    { ...detailsChange, fields: ['reason'] },
    {
      call: changeMemberType,
      fields: ['reason'],
      body: async () => ({ id: (await addMember(system)).memberId, type: 'sales_person' }),
      shown: () => [['staff', auditLog]],
    },
    {
      call: changeReferrer,
      fields: ['reason'],
      body: async () => {
        const { memberId: referrer } = await addMember(system, { type: 'sales_person' })
        return { id: (await addMember(system)).memberId, seen: null, referrer }
      },
      shown: ({ id }) => [['staff', `/desk/api/members/${id}`]],
    },
    {
      call: eraseMember,
      fields: ['reason'],
      body: async () => {
        const customer_number = `${newId()}`
        return { id: (await addMember(system, { customer_number })).memberId, customer_number }
      },
      shown: () => [['staff', auditLog]],
    },
    {
      call: resetMemberFactors,
      fields: ['reason'],
      body: async () => {
        const { memberId } = await addMember(system)
        await addKey(owner, workspaceId, { member_id: memberId })
        return { id: memberId }
      },
      shown: () => [['staff', auditLog]],
    },
    {
      call: resetStaffFactors,
      fields: ['reason'],
      body: async () => {
        const { staffId } = await addStaff(system)
        await addKey(owner, workspaceId, { staff_id: staffId })
        return { id: staffId }
      },
      shown: () => [['staff', auditLog]],
    },
    {
      call: inviteStaff,
      fields: ['name'],
      body: async () => ({ email: `${newId()}@harbour.test`, role: 'viewer' }),
      shown: () => [],
      isAnswered: true,
      normalise: normalizeName,
    },
    {
      call: changeOwnName,
      fields: ['name'],
      body: async () => ({}),
      shown: () => [['staff', '/desk/api/me']],
      normalise: normalizeName,
    },
    {
      call: saveListView,
      fields: ['saved.0.name'],
      body: async () => ({ list: 'openings', saved: [{ name: 'Mine', search: {} }], hidden: [] }),
      shown: () => [['staff', '/desk/api/account/list-views?list=openings']],
    },
  ]
}
