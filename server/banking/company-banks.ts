import { beneficiaryLimits } from '@atrium/contract/banking/beneficiary-limits.ts'
import {
  type CompanyBankValues,
  type companyBankInput,
  storedCompanyBank,
} from '@atrium/contract/banking/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { refuseStale, revisionOf } from '../foundation/revision.ts'
import { notifyAdministrators } from '../notifications/administrators.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { lockWorkspace } from '../workspaces/choices.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { endingOf } from './notifications.ts'

type Input = z.output<typeof companyBankInput>
type Known = CompanyBankValues & { _id: string }
export type CompanyBank = Known & { revision: string }

export async function listCompanyBanksForDesk(staff: Staff): Promise<CompanyBank[]> {
  authorizeStaff(staff, 'workspace.manage')
  return reading(staff, async (tx) => withRevisions(await list(tx, staff)))
}

const withRevisions = (banks: readonly Known[]): CompanyBank[] =>
  banks.map((bank) => ({ ...bank, revision: revisionOf(bank) }))

async function list(tx: Tx, { workspaceId }: Staff): Promise<Known[]> {
  const rows = await tx
    .selectFrom('company_bank_accounts')
    .select(['company_bank_account_id as _id', 'currency', 'bank_name', 'account_holder', 'iban_number'])
    .select(['bank_account', 'swift', 'sort_code', 'identifier', 'address_line_1', 'notes'])
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .orderBy('currency')
    .orderBy('created_at')
    .orderBy('company_bank_account_id')
    .limit(beneficiaryLimits.companyBanksMax)
    .execute()
  return rows
}

/**
 * Makes one change to the accounts that members pay into, and serializes concurrent ones. Requires a fresh proof of
 * identity, since every member would pay into an account slipped in here.
 */
function change(staff: Staff, work: (tx: Tx, known: Known[]) => Promise<void>): Promise<CompanyBank[]> {
  authorizeStaff(staff, 'workspace.manage')
  return inTransaction(staff, async (tx) => {
    await requireProof(tx, staff)
    await lockWorkspace(tx, staff)
    await work(tx, await list(tx, staff))
    return withRevisions(await list(tx, staff))
  })
}

const isSame = (one: CompanyBankValues, other: CompanyBankValues) =>
  Object.entries(other).every(([name, value]) => one[name as keyof CompanyBankValues] === value)

export function addCompanyBank(staff: Staff, input: Input): Promise<CompanyBank[]> {
  const values = storedCompanyBank(input)
  return change(staff, async (tx, known) => {
    // A repeated form adds nothing.
    if (known.some((bank) => isSame(bank, values))) return
    if (known.length >= beneficiaryLimits.companyBanksMax) refuse('conflict', deskTexts.companyBanksTooMany)
    const id = newId()
    const row = { workspace_id: staff.workspaceId, company_bank_account_id: id, created_at: staff.context.clock.now() }
    await tx
      .insertInto('company_bank_accounts')
      .values({ ...values, ...row })
      .execute()
    await audit(tx, staff, { action: 'company-bank.added', subject: { kind: 'company_bank', id }, after: values })
    await notifyOthers(tx, staff, 'added', values)
  })
}

type Meant = { id: string; seen?: string | undefined }

/** `seen` is the revision that the page showed. */
export function changeCompanyBank(staff: Staff, { id, seen }: Meant, input: Input): Promise<CompanyBank[]> {
  const values = storedCompanyBank(input)
  return change(staff, async (tx, known) => {
    const before = known.find((bank) => bank._id === id)
    if (!before) refuseNotFound()
    if (isSame(before, values)) return
    refuseStale(seen, before)
    await set(tx, staff, id, values)
    const { _id, ...old } = before
    await audit(tx, staff, {
      action: 'company-bank.changed',
      subject: { kind: 'company_bank', id },
      before: old,
      after: values,
    })
    await notifyOthers(tx, staff, 'changed', values)
  })
}

/** An archived one takes no money. */
const notifyOthers = (tx: Tx, staff: Staff, did: 'added' | 'changed', bank: CompanyBankValues): Promise<void> =>
  notifyAdministrators(tx, staff, {
    did: `${did} the bank account ${bank.bank_name}, ${bank.currency}, ${endingOf(bank.iban_number || bank.bank_account || '')}`,
    meaning: 'Members transfer their deposits to the bank accounts that the portal shows them.',
  })

/** Stops offering it; earlier deposits still refer to it. Archiving is permanent. */
export function archiveCompanyBank(staff: Staff, id: string): Promise<CompanyBank[]> {
  return change(staff, async (tx, known) => {
    const before = known.find((bank) => bank._id === id)
    if (!before) refuseNotFound()
    const { settings } = await readWorkspace(tx, staff)
    if (settings.default_bank_accounts_for_clients.includes(id)) refuse('conflict', deskTexts.companyBankInUse)
    await set(tx, staff, id, { removed_at: staff.context.clock.now() })
    const { _id, ...old } = before
    await audit(tx, staff, { action: 'company-bank.archived', subject: { kind: 'company_bank', id }, before: old })
  })
}

async function set(tx: Tx, staff: Staff, id: string, values: Partial<CompanyBankValues> & { removed_at?: Date }) {
  await tx
    .updateTable('company_bank_accounts')
    .set(values)
    .where('workspace_id', '=', staff.workspaceId)
    .where('company_bank_account_id', '=', id)
    .execute()
}
