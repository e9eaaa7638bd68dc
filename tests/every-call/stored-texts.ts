import { correctAccountOwner, setAccountAccess } from '@atrium/contract/account-sync/desk-calls.ts'
import {
  createBankAccount,
  createFundAccount,
  updateBankAccount,
  updateFundAccount,
} from '@atrium/contract/banking/calls.ts'
import { addCompanyBank, changeCompanyBank } from '@atrium/contract/banking/desk-calls.ts'
import { createDeposit } from '@atrium/contract/deposits/calls.ts'
import { rejectDeposit, settleStuckDeposit } from '@atrium/contract/deposits/desk-calls.ts'
import { saveAddresses } from '@atrium/contract/members/calls.ts'
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
import { offerProvider } from '@atrium/contract/payments/providers.ts'
import { addPlatform as addPlatformCall, changePlatform, setDownloads } from '@atrium/contract/platforms/desk-calls.ts'
import { explainMismatch } from '@atrium/contract/reconciliation/desk-calls.ts'
import {
  renameDeskPasskey,
  renamePasskey,
  resetMemberFactors,
  resetStaffFactors,
} from '@atrium/contract/sessions/security.ts'
import { changeOwnName, inviteStaff } from '@atrium/contract/staff/desk-calls.ts'
import { saveListView } from '@atrium/contract/staff/list-views.ts'
import { createTerms, saveTerms } from '@atrium/contract/terms/desk-calls.ts'
import { withParagraphs } from '@atrium/contract/terms/html.ts'
import { createTicket, respondToTicket } from '@atrium/contract/tickets/calls.ts'
import { addCannedReply, changeCannedReply, noteOnTicket, replyToTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { createWithdrawal } from '@atrium/contract/withdrawals/calls.ts'
import {
  markPayoutFailed,
  markWithdrawalPaid,
  rejectWithdrawal,
  reportReturnedTransfer,
  settleStuckWithdrawal,
} from '@atrium/contract/withdrawals/desk-calls.ts'
import { changeWorkspace } from '@atrium/contract/workspace-settings/desk-calls.ts'
import type pg from 'pg'
import { newId } from '../../server/foundation/ids.ts'
import { makeUniqueToken } from '../../server/sessions/unique-token.ts'
import { cleanTermsHtml } from '../../server/terms/clean-html.ts'
import { addBankAccount, addCompanyBankAccount, addFundAccount } from '../fixtures/payments/money.ts'
import { addPaymentException } from '../fixtures/payments/payment-exceptions.ts'
import { ensureProvider } from '../fixtures/payments/payment-providers.ts'
import {
  debitOne,
  makePendingWithdrawal,
  openWithdrawer,
  payOneByHand,
  withdrawalInputOf,
} from '../fixtures/payments/withdrawals.ts'
import { addMismatch } from '../fixtures/reconciliations.ts'
import { addMedia, addTerms } from '../fixtures/requests.ts'
import { addTicket } from '../fixtures/tickets.ts'
import { addPlatform } from '../fixtures/trading/platforms.ts'
import { makePendingDeposit, type TradingFixture } from '../fixtures/trading/trading-fixture.ts'
import { addMember, addStaff } from '../fixtures/workspaces.ts'
import { storedKycDocumentTexts } from './stored-document-texts.ts'
import { storedRequestTexts } from './stored-request-texts.ts'
import type { Body, StoredText } from './stored-text.ts'
import { leaveUnknown } from './valid-requests/of-payments.ts'
import { leaveInDoubt } from './valid-requests/of-staff.ts'
import { addPlatformAccount } from './valid-requests/valid-request.ts'

const log = '/desk/api/audit?limit=1'
const graph = (query: string): string => `/graph?q=${Buffer.from(query).toString('base64url')}`
const ownAddresses = graph('{ current_member { addresses { address_line_1 address_line_2 city postcode state } } }')
const ownBanks = graph(
  '{ bank_accounts { account_holder bank_account bank_name address_line_1 city state bank_branch postcode } }',
)
const ownFunds = graph('{ other_accounts { name provider address_id address_tag notes } }')
const ownDeposits = graph('{ balance_transactions(limit: 1, page: 1) { comment origin } }')

export function storedTexts(setup: TradingFixture, owner: pg.Client): StoredText[] {
  return [
    ...ofMembers(setup, owner),
    ...ofTheDesk(setup, owner),
    ...ofTheBrokerage(setup, owner),
    ...ofPlatforms(setup, owner),
    ...ofCompanyBanks(setup, owner),
    ...ofProviders(setup, owner),
    ...ofTickets(setup, owner),
    ...storedKycDocumentTexts(setup, owner),
    ...storedRequestTexts(setup, owner),
  ]
}

function ofMembers(setup: TradingFixture, owner: pg.Client): StoredText[] {
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
    ...ofBeneficiaries(setup, owner),
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

const bank = { currency: 'EUR', account_holder: 'Mara', swift: 'DEUTDEFF', bank_name: 'Members Bank', country: 'DE' }
/** Either number is enough, so an invalid one is reported only for itself. */
const iban_number = 'DE89370400440532013000'
const place = {
  iban_number,
  bank_account: '00112233',
  address_line_1: '1 Bank Street',
  city: 'Frankfurt',
  state: 'Hesse',
  bank_branch: 'Centre',
  postcode: '60311',
}
const wallet = { type: 'other', name: 'Savings', provider: 'Payday', preferred_currency: 'EUR', address_id: 'mara-1' }

function ofBeneficiaries({ system, member: { memberId } }: TradingFixture, owner: pg.Client): StoredText[] {
  /** Deletes earlier rows, since the texts would exceed the maximum number. */
  const clear = () => owner.query('delete from bank_accounts; delete from fund_accounts')
  const banks = {
    fields: ['account_holder', 'bank_name', 'address_line_1', 'city', 'state', 'bank_branch', 'postcode'],
    shown: (): ['member', string][] => [['member', ownBanks]],
  }
  const funds = {
    fields: ['name', 'provider', 'address_id', 'address_tag', 'notes'],
    shown: (): ['member', string][] => [['member', ownFunds]],
  }
  const made = (body: Body, add?: () => Promise<string>) => async (): Promise<Body> => {
    await clear()
    return add ? { ...body, _id: await add() } : body
  }
  return [
    { call: createBankAccount, ...banks, body: made({ ...bank, ...place }) },
    {
      call: updateBankAccount,
      ...banks,
      body: made({ ...bank, ...place }, () => addBankAccount(system, { memberId })),
    },
    { call: createFundAccount, ...funds, body: made(wallet) },
    { call: updateFundAccount, ...funds, body: made(wallet, () => addFundAccount(system, { memberId })) },
  ]
}

function ofTheDesk(setup: TradingFixture, owner: pg.Client): StoredText[] {
  const { system, staff } = setup
  const { workspaceId } = system
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
      shown: () => [['staff', log]],
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
      shown: () => [['staff', log]],
    },
    {
      call: endOpening,
      fields: ['reason'],
      body: async () => leaveInDoubt(system, await addPlatform(system, { name: `Gone ${newId()}` }), owner),
      shown: () => [['staff', log]],
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
    },
    {
      call: changeMemberDetails,
      fields: ['first_name', 'last_name', 'reason'],
      body: async () => {
        const { memberId: id, email } = await addMember(system)
        return { id, first_name: 'Mara', last_name: 'New', email, version: 1, reason: 'Asked on the phone' }
      },
      shown: () => [['staff', log]],
    },
    {
      call: changeMemberType,
      fields: ['reason'],
      body: async () => ({ id: (await addMember(system)).memberId, type: 'sales_person' }),
      shown: () => [['staff', log]],
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
      shown: () => [['staff', log]],
    },
    {
      call: resetMemberFactors,
      fields: ['reason'],
      body: async () => {
        const { memberId } = await addMember(system)
        await addKey(owner, workspaceId, { member_id: memberId })
        return { id: memberId }
      },
      shown: () => [['staff', log]],
    },
    {
      call: resetStaffFactors,
      fields: ['reason'],
      body: async () => {
        const { staffId } = await addStaff(system)
        await addKey(owner, workspaceId, { staff_id: staffId })
        return { id: staffId }
      },
      shown: () => [['staff', log]],
    },
    {
      call: inviteStaff,
      fields: ['name'],
      body: async () => ({ email: `${newId()}@harbour.test`, role: 'viewer' }),
      shown: () => [],
      isAnswered: true,
    },
    { call: changeOwnName, fields: ['name'], body: async () => ({}), shown: () => [['staff', '/desk/api/me']] },
    {
      call: saveListView,
      fields: ['saved.0.name'],
      body: async () => ({ list: 'openings', saved: [{ name: 'Mine', search: {} }], hidden: [] }),
      shown: () => [['staff', '/desk/api/account/list-views?list=openings']],
    },
  ]
}

const companyBank = {
  currency: 'EUR',
  bank_name: 'Harbour Bank',
  account_holder: 'Harbour Markets Ltd',
  bank_account: '0011',
  iban_number,
  sort_code: '60-16-13',
  identifier: 'HM-EUR',
  address_line_1: '1 Harbour Square',
  notes: 'Write your account number as the reference.',
}

function ofCompanyBanks({ system }: TradingFixture, owner: pg.Client): StoredText[] {
  const kept = {
    fields: ['bank_name', 'account_holder', 'identifier', 'address_line_1', 'notes'],
    shown: (): ['staff', string][] => [['staff', '/desk/api/company-bank-accounts']],
  }
  // Deletes only the tests' own rows: the same text must be accepted again, and the number per workspace is limited.
  const clear = () => owner.query(`delete from company_bank_accounts where identifier is not null`)
  const body = async () => {
    await clear()
    return companyBank
  }
  const changed = async () => {
    await clear()
    return { ...companyBank, id: await addCompanyBankAccount(system, { identifier: 'HM' }) }
  }
  return [
    { call: addCompanyBank, ...kept, body },
    { call: changeCompanyBank, ...kept, body: changed },
  ]
}

function ofTheBrokerage({ system, staff }: TradingFixture, owner: pg.Client): StoredText[] {
  const terms = { name: 'Terms', tickbox_text: 'Yes', template: '<p>Text</p>', blocked_portal_sections: ['downloads'] }
  /** A workspace has at most a hundred templates, which the texts would exceed. */
  const clearDrafts = () => owner.query('delete from terms_drafts; delete from terms_templates')
  const revised = async (): Promise<Body> => {
    await clearDrafts()
    return { ...terms, id: await addTerms(staff, { isDraft: true }), revision: 1 }
  }
  const section = async (name: string): Promise<Body> => {
    const { rows } = await owner.query<{ version: number | null }>(
      `select (versions->$2->>'version')::int as version from workspaces where workspace_id = $1`,
      [system.workspaceId, name],
    )
    return { section: name, version: rows[0]?.version ?? 0 }
  }
  const created: Pick<StoredText, 'call' | 'body' | 'shown'> = {
    call: createTerms,
    async body() {
      await clearDrafts()
      return terms
    },
    shown: (_, { terms: made }) => [['staff', `/desk/api/terms/${(made as { _id: string })._id}`]],
  }
  const saved: typeof created = {
    call: saveTerms,
    body: revised,
    shown: ({ id }) => [['staff', `/desk/api/terms/${id}`]],
  }
  const settings: Pick<StoredText, 'call' | 'shown'> = {
    call: changeWorkspace,
    shown: () => [['staff', '/desk/api/workspace']],
  }
  return [
    ...[created, saved].flatMap((call): StoredText[] => [
      { ...call, fields: ['name', 'tickbox_text'] },
      { ...call, fields: ['template'], normalise: (text) => cleanTermsHtml(withParagraphs(text)) },
    ]),
    {
      ...settings,
      fields: ['name'],
      body: async () => ({ ...(await section('brand')), accent: '#123456', support_email: null }),
    },
    {
      ...settings,
      fields: ['vendors.0', 'departments.0'],
      body: async () => {
        // Clears the list, since saved names stay on it and the texts would exceed its maximum.
        await owner.query(`update workspaces set vendors = '{}', departments = '{}' where workspace_id = $1`, [
          system.workspaceId,
        ])
        return { ...(await section('lists')), vendors: [], departments: [] }
      },
    },
    {
      ...settings,
      fields: ['archived_vendors.0', 'archived_departments.0'],
      body: async () => {
        await owner.query(
          `update workspaces set settings = settings - 'archived_vendors' - 'archived_departments', vendors = '{}', departments = '{}'
           where workspace_id = $1`,
          [system.workspaceId],
        )
        return { ...(await section('lists')), vendors: [], departments: [] }
      },
    },
    {
      ...settings,
      fields: ['vendor_settings.0.name', 'vendor_settings.0.departments.0'],
      body: async () => {
        await owner.query(`update workspaces set vendors = '{Marina}' where workspace_id = $1`, [system.workspaceId])
        const own = { vendor: 'Marina', name: null, accent: null, support_email: null, default_currency: null }
        return { ...(await section('vendors')), vendor_settings: [{ ...own, departments: null }] }
      },
    },
    {
      ...settings,
      fields: ['taxonomies.0.entries.0.name'],
      body: async () => {
        await owner.query(
          `update workspaces set settings = jsonb_set(settings, '{taxonomies}', '{"document": []}') where workspace_id = $1`,
          [system.workspaceId],
        )
        const taxonomies = [{ entity: 'document', entries: [{ key: null, name: 'Late', archived: false }] }]
        return { ...(await section('taxonomies')), taxonomies }
      },
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

async function addKey(owner: pg.Client, workspaceId: string, whose: Record<string, string>): Promise<string> {
  const id = newId()
  const [column, person] = Object.entries(whose)[0] ?? []
  await owner.query(
    `insert into passkeys (workspace_id, passkey_id, ${column}, credential_id, public_key, counter, name, created_at)
     values ($1, $2, $3, $4, $5, 0, 'Laptop', now())`,
    [workspaceId, id, person, id, Buffer.from('key')],
  )
  return id
}

function ofPlatforms({ system }: TradingFixture, owner: pg.Client): StoredText[] {
  const group = { name: 'real\\standard', alias: 'Standard', kind: 'live' }
  const download = { _id: null, system: 'web', name: 'Browser', link: 'https://web.example.com', file_id: null }
  const shown: StoredText['shown'] = ({ id }) => [
    ['staff', `/desk/api/platforms/${id}`],
    ['staff', log],
  ]
  return [
    {
      call: addPlatformCall,
      fields: ['name'],
      async body() {
        // Deletes those without groups, so that the same text is accepted again.
        await owner.query(`delete from trading_platforms where groups = '[]'`)
        return { type: 'mt5' }
      },
      shown: () => [],
      isAnswered: true,
    },
    {
      call: changePlatform,
      fields: ['name', 'groups.0.alias', 'client_server'],
      async body() {
        // Renames the earlier ones, so that the same text is accepted again.
        await owner.query('update trading_platforms set name = platform_id::text')
        const id = await addPlatform(system)
        return { id, version: 0, name: 'Harbour', groups: [group], client_server: 'Harbour-Live' }
      },
      shown,
    },
    {
      call: setDownloads,
      fields: ['downloads.0.name'],
      body: async () => ({ id: await addPlatform(system), version: 0, downloads: [{ ...download, archived: false }] }),
      shown,
    },
  ]
}

function ofProviders({ system }: TradingFixture, owner: pg.Client): StoredText[] {
  const terms = { currency: 'EUR', amount_min: '10', amount_max: '500', fee_percent: '0', fee_fixed: '0' }
  return [
    {
      call: offerProvider,
      fields: ['title'],
      async body() {
        const id = await ensureProvider(system)
        const { rows } = await owner.query<{ version: number }>(
          'select version from payment_providers where provider_id = $1',
          [id],
        )
        return { id, version: rows[0]?.version ?? 0, enabled: true, title: 'Cards', position: 0, currencies: [terms] }
      },
      shown: ({ id }) => [
        ['staff', `/desk/api/providers/${id}`],
        ['staff', log],
      ],
    },
  ]
}

const ownTickets = graph('{ tickets(limit: 1) { subject description conversation { content } } }')

function ofTickets({ member }: TradingFixture, owner: pg.Client): StoredText[] {
  /** Clears the member's tickets, which are limited per hour. */
  const ticket = async (): Promise<string> => {
    await owner.query(`delete from rate_limits; delete from ticket_messages; delete from ticket_notes`)
    await owner.query(`delete from ticket_reads; delete from tickets`)
    return addTicket(member)
  }
  const shown: StoredText['shown'] = ({ id }) => [['staff', `/desk/api/tickets/${id}`]]
  const toBoth: StoredText['shown'] = ({ id }) => [
    ['staff', `/desk/api/tickets/${id}`],
    ['member', ownTickets],
  ]
  const replies: StoredText['shown'] = () => [['staff', '/desk/api/canned-replies']]
  const clearReplies = () => owner.query('delete from canned_replies')
  return [
    {
      call: createTicket,
      fields: ['subject', 'description'],
      async body() {
        await ticket()
        return { subject: 'Where is it?', description: 'My deposit has not arrived.' }
      },
      shown: (_, { ticket: made }) => [
        ['member', ownTickets],
        ['staff', `/desk/api/tickets/${(made as { _id: string })._id}`],
      ],
    },
    {
      call: respondToTicket,
      fields: ['response.content'],
      body: async () => ({ _id: await ticket(), response: { type: 'message', content: 'Hello' } }),
      shown: ({ _id }) => [
        ['member', ownTickets],
        ['staff', `/desk/api/tickets/${_id}`],
      ],
    },
    { call: replyToTicket, fields: ['content'], body: async () => ({ id: await ticket() }), shown: toBoth },
    { call: noteOnTicket, fields: ['content'], body: async () => ({ id: await ticket() }), shown },
    {
      call: addCannedReply,
      fields: ['name', 'content'],
      async body() {
        await clearReplies()
        return { name: 'Greeting', content: 'Good morning.' }
      },
      shown: replies,
    },
    {
      call: changeCannedReply,
      fields: ['name', 'content'],
      async body() {
        await clearReplies()
        const id = newId()
        await owner.query(
          `insert into canned_replies (workspace_id, reply_id, name, content, created_at)
           values ($1, $2, 'Greeting', 'Good morning.', now())`,
          [member.workspaceId, id],
        )
        return { id, name: 'Greeting', content: 'Good morning.' }
      },
      shown: replies,
    },
  ]
}
