import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type {
  changeWorkspace as changeCall,
  deskWorkspace,
  SectionValues,
  WorkspaceSection,
} from '@atrium/contract/workspace-settings/desk-calls.ts'
import {
  provenSections,
  workspaceSectionNames,
  workspaceSections,
} from '@atrium/contract/workspace-settings/desk-calls.ts'
import { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { notifyAdministrators } from '../notifications/administrators.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import {
  lockWorkspace,
  nextVersion,
  readVersions,
  type StoredValues,
  store,
  type Values,
} from '../workspaces/choices.ts'
import { readWorkspace, type Workspace } from '../workspaces/workspace.ts'
import { type Amounts, checkAmounts } from './amounts.ts'
import * as lists from './lists.ts'

type DeskWorkspace = z.input<typeof deskWorkspace>
type Change = z.output<(typeof changeCall)['input']>

export async function readDeskWorkspace(actor: Staff): Promise<DeskWorkspace> {
  authorizeStaff(actor, 'workspace.manage')
  return reading(actor, (tx) => describe(tx, actor))
}

/**
 * Saves one section under a row lock: of two concurrent saves the later one is refused; identical content is a no-op.
 * Settings are not cached, so a change applies from the next call.
 */
export async function changeWorkspace(actor: Staff, { section, version, ...rest }: Change): Promise<DeskWorkspace> {
  authorizeStaff(actor, 'workspace.manage')
  const values: Values = rest
  return inTransaction(actor, async (tx) => {
    await lockWorkspace(tx, actor)
    const workspace = await readWorkspace(tx, actor)
    const before = lists.auditedBySection(section, sectionsOf(workspace)[section] as Values)
    const wanted = lists.auditedBySection(section, values)
    const changed = Object.keys(wanted).filter((field) => !isSame(before[field], wanted[field]))
    if (changed.length === 0) return describe(tx, actor)
    // An unattended session must not change what protects money and access, or whom members believe to write to.
    if (provenSections.includes(section)) await requireProof(tx, actor)
    const versions = await readVersions(tx, actor)
    const current = versions[section]?.version ?? 0
    if (current !== version) refuse('conflict', deskTexts.settingsChanged)
    checkAmounts(values as Amounts)
    if (section === 'accounts')
      await refuseForeignBanks(tx, actor, values.default_bank_accounts_for_clients as string[])
    await store(tx, actor, storedValues(workspace, section, values))
    await nextVersion(tx, actor, section, actor.name)
    await audit(tx, actor, {
      action: `workspace.${section}-changed`,
      subject: { kind: 'workspace', id: actor.workspaceId },
      before: pick(before, changed),
      after: pick(wanted, changed),
    })
    if (guarding.includes(section))
      await notifyAdministrators(tx, actor, {
        did: `changed the settings of ${section}`,
        meaning: 'They say who has to approve money, and what protects it.',
      })
    return describe(tx, actor)
  })
}

/** The sections that guard decisions about money. */
const guarding: readonly WorkspaceSection[] = ['security', 'withdrawals', 'deposits']

function sectionsOf(workspace: Workspace): DeskWorkspace['sections'] {
  const { name, accent, supportEmail, features, settings } = workspace
  return {
    brand: { name, accent, support_email: supportEmail },
    features: { features },
    accounts: z.object(workspaceSections.accounts.shape).parse(settings),
    security: z.object(workspaceSections.security.shape).parse(settings),
    withdrawals: z.object(workspaceSections.withdrawals.shape).parse(settings),
    deposits: z.object(workspaceSections.deposits.shape).parse(settings),
    permissions: { default_permissions: settings.default_permissions },
    lists: lists.describeLists(workspace),
    vendors: { vendor_settings: lists.describeVendors(workspace) },
    taxonomies: { taxonomies: lists.describeTaxonomies(workspace) },
  }
}

const isSame = (left: unknown, right: unknown) => JSON.stringify(sorted(left)) === JSON.stringify(sorted(right))

/** Sorts keys, whose order has no meaning; lists keep their order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}

const pick = (values: Values, fields: string[]) => Object.fromEntries(fields.map((field) => [field, values[field]]))

/** Brand, features and lists have their own columns; everything else is in the settings. */
function storedValues(workspace: Workspace, section: WorkspaceSection, values: Values): StoredValues {
  if (section === 'brand') return { columns: values }
  if (section === 'features') return { columns: { features: JSON.stringify(values.features) } }
  if (section === 'vendors')
    return { settings: lists.keepVendors(workspace, (values as SectionValues<'vendors'>).vendor_settings) }
  if (section === 'taxonomies')
    return { settings: lists.keepTaxonomies(workspace, (values as SectionValues<'taxonomies'>).taxonomies) }
  if (section !== 'lists') return { settings: values }
  const { vendors, departments, ...archived } = values as SectionValues<'lists'>
  lists.checkLists(lists.describeLists(workspace), { vendors, departments, ...archived })
  return { columns: { vendors, departments }, settings: archived }
}

async function refuseForeignBanks(tx: Tx, actor: Staff, ids: string[]): Promise<void> {
  const known = new Set((await companyBanks(tx, actor)).map((bank) => bank._id))
  if (!ids.every((id) => known.has(id)))
    refuseFields({ default_bank_accounts_for_clients: [accountTexts.bankAccountUnknown] })
}

async function companyBanks(tx: Tx, actor: Staff) {
  const rows = await tx
    .selectFrom('company_bank_accounts')
    .select(['company_bank_account_id', 'bank_name', 'currency', 'account_holder'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('removed_at', 'is', null)
    .orderBy('bank_name')
    .limit(200)
    .execute()
  return rows.map((row) => ({
    _id: row.company_bank_account_id,
    name: `${row.bank_name}, ${row.currency}, ${row.account_holder}`,
  }))
}

export async function describe(tx: Tx, actor: Staff): Promise<DeskWorkspace> {
  const workspace = await readWorkspace(tx, actor)
  const known = await readVersions(tx, actor)
  const never = { version: 0, by: null, at: null }
  return {
    logo_url: workspace.logoUrl,
    vendor_logos: lists.describeVendorLogos(workspace),
    sections: sectionsOf(workspace),
    versions: Object.fromEntries(
      workspaceSectionNames.map((section) => [section, known[section] ?? never]),
    ) as DeskWorkspace['versions'],
    bank_accounts: await companyBanks(tx, actor),
  }
}
