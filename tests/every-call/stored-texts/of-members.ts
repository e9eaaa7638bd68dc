import { createDeposit } from '@atrium/contract/deposits/calls.ts'
import { saveAddresses } from '@atrium/contract/members/calls.ts'
import { startDeposit } from '@atrium/contract/payments/start-deposit.ts'
import { renamePasskey } from '@atrium/contract/sessions/security.ts'
import { createWithdrawal } from '@atrium/contract/withdrawals/calls.ts'
import type pg from 'pg'
import { makeUniqueToken } from '../../../server/sessions/unique-token.ts'
import { startBody } from '../../fixtures/payments/payment-fixture.ts'
import { ensureProvider } from '../../fixtures/payments/payment-providers.ts'
import { openWithdrawer, withdrawalInputOf } from '../../fixtures/payments/withdrawals.ts'
import { addMedia } from '../../fixtures/requests.ts'
import type { TradingFixture } from '../../fixtures/trading/trading-fixture.ts'
import { storedBeneficiaryTexts } from './of-banking.ts'
import { addKey, graph, type StoredText } from './stored-text.ts'

const ownAddresses = graph('{ current_member { addresses { address_line_1 address_line_2 city postcode state } } }')
const ownDeposits = graph('{ balance_transactions(limit: 1, page: 1) { comment origin } }')

/** Texts that a member enters about themselves and their money. */
export function storedMemberTexts(setup: TradingFixture, owner: pg.Client): StoredText[] {
  const { system, member, accountId, beneficiaryId } = setup
  const address = { address_line_1: 'Quay 1', city: 'Valletta', country: 'MT', primary: true }
  return [
    {
      call: saveAddresses,
      fields: ['address_line_1', 'address_line_2', 'city', 'postcode', 'state'].map((name) => `addresses.0.${name}`),
      body: async () => ({ version: await profileVersion(owner, member.memberId), addresses: [address] }),
      shown: () => [
        ['member', ownAddresses],
        ['staff', `/desk/api/members/${member.memberId}`],
      ],
    },
    {
      call: createDeposit,
      fields: ['comment', 'origin'],
      body: async () => ({
        trading_account: accountId,
        amount: '10.00',
        comment: 'From savings',
        origin: 'Members Bank',
        destination_id: beneficiaryId,
        files: [await addMedia(system, { memberId: member.memberId })],
        token_key: 'transaction_deposit',
        nonce_token: await makeUniqueToken(member, 'transaction_deposit'),
      }),
      shown: (_, { transaction }) => [
        ['staff', `/desk/api/deposits/${(transaction as { _id: string })._id}`],
        ['member', ownDeposits],
      ],
    },
    {
      call: startDeposit,
      fields: ['comment'],
      body: async () => {
        await ensureProvider(system)
        return startBody(setup, { payment_method: 'safecharge', comment: 'From my card' })
      },
      shown: () => [['member', ownDeposits]],
    },
    ...storedBeneficiaryTexts(setup, owner),
    {
      call: createWithdrawal,
      fields: ['comment'],
      body: async () => withdrawalInputOf(await openWithdrawer(setup)),
      shown: (_, { transaction }) => [
        ['staff', `/desk/api/withdrawals/${(transaction as { _id: string })._id}`],
        ['member', ownDeposits],
      ],
    },
    {
      call: renamePasskey,
      fields: ['name'],
      body: async () => ({ _id: await addKey(owner, system.workspaceId, { member_id: member.memberId }) }),
      shown: () => [['member', '/members/security']],
    },
  ]
}

async function profileVersion(owner: pg.Client, memberId: string): Promise<number> {
  const { rows } = await owner.query<{ profile_version: number }>(
    'select profile_version from members where member_id = $1',
    [memberId],
  )
  return rows[0]?.profile_version ?? 0
}
