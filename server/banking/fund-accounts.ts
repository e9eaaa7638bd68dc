import { type fundAccountInput, storedFundAccount } from '@atrium/contract/banking/calls.ts'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import type { z } from 'zod'
import { lockOwnFiles, validateUse } from '../files/own-files.ts'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { revisionOf } from '../foundation/revision.ts'
import {
  addBeneficiary,
  type BeneficiaryStore,
  type Edited,
  type Keyed,
  removeBeneficiary,
  type SavedBeneficiary,
  type Stored,
  saveBeneficiary,
} from './beneficiary-change.ts'
import { lockRow, removeRow } from './beneficiary-row.ts'
import { endingOf } from './notifications.ts'
import { type FundAccountShape, listFundAccounts } from './queries.ts'

type Input = z.output<typeof fundAccountInput>
type Columns = {
  type: string
  name: string
  provider: string
  preferred_currency: string
  address_id: string
  address_tag: string | null
  notes: string | null
  qr_media_id: string | null
}

export function addFundAccount(member: Member, input: Input & Keyed): Promise<SavedBeneficiary> {
  return addBeneficiary(member, store, columnsOf(input), input.nonce_token)
}

export function changeFundAccount(member: Member, edited: Edited, input: Input): Promise<SavedBeneficiary> {
  return saveBeneficiary(member, store, columnsOf(input), edited)
}

export function removeFundAccount(member: Member, id: string): Promise<void> {
  return removeBeneficiary(member, store, id)
}

function columnsOf(input: Input): Columns {
  const { type, name, provider, preferred_currency, address_id, address_tag, notes, address_qr } =
    storedFundAccount(input)
  return { type, name, provider, preferred_currency, address_id, address_tag, notes, qr_media_id: address_qr }
}

function storedAs(row: FundAccountShape): Stored<Columns> {
  const { fund_account_id: id, usable_from: usableFrom, qr_name: _, ...values } = row
  return { id, usableFrom, values }
}

export const revisionOfFundAccount = (row: FundAccountShape): string => revisionOf(storedAs(row).values)

const table = { name: 'fund_accounts', key: 'fund_account_id' } as const

const store: BeneficiaryStore<Columns> = {
  kind: 'fund_account',
  scope: 'other-accounts',
  nonRoutingFields: ['notes'],
  async list(tx, member) {
    return (await listFundAccounts(tx, member, null)).map(storedAs)
  },
  async check(tx, member, { qr_media_id }) {
    const said = qr_media_id && (await validateQr(tx, member, qr_media_id))
    if (said) refuseFields({ address_qr: [said] })
  },
  async insert(tx, member, { id, values, now, usableFrom }) {
    await tx
      .insertInto('fund_accounts')
      .values({
        ...values,
        workspace_id: member.workspaceId,
        member_id: member.memberId,
        fund_account_id: id,
        created_at: now,
        usable_from: usableFrom,
      })
      .execute()
  },
  async update(tx, member, { id, values, now, usableFrom }) {
    await tx
      .updateTable('fund_accounts')
      .set({ ...values, changed_at: now, usable_from: usableFrom })
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('fund_account_id', '=', id)
      .execute()
  },
  lock: (tx, member, id) => lockRow(tx, member, table, id),
  remove: (tx, member, id, at) => removeRow(tx, member, table, { id, at }),
  duplicateField(one, other) {
    const names = ['type', 'provider', 'preferred_currency', 'address_id', 'address_tag'] as const
    return names.every((name) => one[name] === other[name]) ? 'address_id' : null
  },
  name: ({ name, provider, preferred_currency, address_id }) =>
    `${name}, ${provider}, ${preferred_currency}, ${endingOf(address_id)}`,
}

/** Why the picture cannot be used, or null: it must be the member's own and attached to nothing else. Locks it against the sweep. */
async function validateQr(tx: Tx, member: Member, mediaId: string): Promise<string | null> {
  const [file] = await lockOwnFiles(tx, member, [mediaId])
  if (!file || !(file.isFree || (await isQr(tx, member, mediaId)))) return beneficiaryTexts.qrUnknown
  return validateUse(file, 'qr')
}

async function isQr(tx: Tx, member: Member, mediaId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('fund_accounts')
    .select('fund_account_id')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('qr_media_id', '=', mediaId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
