import type { changeIdentityVendor as changeCall, DeskVendor } from '@atrium/contract/identity-vendors/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { notifyAdministrators } from '../notifications/administrators.ts'
import { isSecret, secretsOf, settingsFrom, wrongFieldsOf } from '../payments/connections/desk-connection.ts'
import { describeSettings } from '../payments/connections/desk-providers.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { apiAddress, workspaceAddress } from '../workspaces/address.ts'
import { lockWorkspace } from '../workspaces/choices.ts'
import { readWorkspace, type Workspace } from '../workspaces/workspace.ts'
import type { VendorAdapter, VendorSettings } from './contract.ts'
import { findVendorAdapter, vendorNames } from './registry.ts'
import { findVendor, settingsOf, type VendorRow } from './vendors.ts'

export const callbackPath = (uid: string): string => `/callbacks/identity/${uid}`

export function listIdentityVendors(staff: Staff): Promise<DeskVendor[]> {
  authorizeStaff(staff, 'workspace.manage')
  return reading(staff, (tx) => listAll(tx, staff))
}

/** Every vendor with an adapter, configured or not. */
async function listAll(tx: Tx, staff: Staff): Promise<DeskVendor[]> {
  const workspace = await readWorkspace(tx, staff)
  const found: DeskVendor[] = []
  for (const uid of vendorNames) {
    const adapter = findVendorAdapter(uid)
    if (adapter) found.push(describe(staff, { uid, adapter, workspace, row: await findVendor(tx, staff, uid) }))
  }
  return found
}

type Described = { uid: string; adapter: VendorAdapter; workspace: Workspace; row: VendorRow | null }

function describe(staff: Staff, { uid, adapter, workspace, row }: Described): DeskVendor {
  return {
    app_uid: uid,
    name: adapter.name,
    enabled: row?.enabled ?? false,
    version: row?.version ?? 0,
    notify_url: notifyUrl(staff.context.config, workspace, uid),
    settings: describeSettings(adapter, row ? settingsOf(staff, row) : {}, {}),
  }
}

const notifyUrl = (config: Config, workspace: Workspace, uid: string): string =>
  `${apiAddress(config, workspace) ?? workspaceAddress(config, workspace)}${callbackPath(uid)}`

type Given = z.output<(typeof changeCall)['input']>

/**
 * Sets a vendor's connection and whether members are sent to it. As for payment providers, a stored secret is never
 * sent to another address, and the whole change needs a proof of the staff member.
 */
export async function changeIdentityVendor(staff: Staff, given: Given): Promise<DeskVendor[]> {
  authorizeStaff(staff, 'workspace.manage')
  const adapter = findVendorAdapter(given.app_uid)
  if (!adapter) refuseFields({ app_uid: [deskTexts.vendorUnknown] })
  return inTransaction(staff, async (tx) => {
    await lockWorkspace(tx, staff)
    const row = await findVendor(tx, staff, given.app_uid)
    const current = row ? settingsOf(staff, row) : {}
    const wanted = settingsFrom(adapter.fields, given.settings, current)
    const changed = Object.keys(adapter.fields).filter((name) => wanted[name] !== (current[name] ?? ''))
    if (row && changed.length === 0 && row.enabled === given.enabled) return listAll(tx, staff)
    await requireProof(tx, staff)
    if ((row?.version ?? 0) !== given.version) refuse('conflict', deskTexts.settingsChanged)
    const errors = wrongFieldsOf(staff.context.config, adapter.fields, { given: given.settings, wanted, current })
    if (Object.keys(errors).length > 0) refuseFields(errors)
    const id = await keep(tx, staff, { adapter, row, given, wanted })
    await record(tx, staff, { id, adapter, row, given, current, wanted, changed })
    // Undecided checks count only while their vendor is on.
    const { workspaceId } = staff
    if ((row?.enabled ?? false) !== given.enabled)
      await staff.context.jobs.enqueue(tx, 'documents.settle-standings', { workspaceId, id: workspaceId })
    return listAll(tx, staff)
  })
}

type VendorChange = { adapter: VendorAdapter; row: VendorRow | null; given: Given; wanted: VendorSettings }

async function keep(tx: Tx, staff: Staff, { adapter, row, given, wanted }: VendorChange): Promise<string> {
  const workspace_id = staff.workspaceId
  const part = (secret: boolean): string =>
    JSON.stringify(
      Object.fromEntries(Object.entries(wanted).filter(([name]) => isSecret(adapter.fields, name) === secret)),
    )
  if (given.enabled)
    await tx.updateTable('identity_vendors').set({ enabled: false }).where('workspace_id', '=', workspace_id).execute()
  const values = {
    enabled: given.enabled,
    settings: part(false),
    sealed_secret: staff.context.seal.seal(part(true)),
    version: given.version + 1,
  }
  const vendor_id = row?.vendor_id ?? newId()
  await tx
    .insertInto('identity_vendors')
    .values({ ...values, workspace_id, vendor_id, app_uid: given.app_uid, created_at: staff.context.clock.now() })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'vendor_id']).doUpdateSet(values))
    .execute()
  return vendor_id
}

type Recorded = VendorChange & { id: string; current: VendorSettings; changed: string[] }

async function record(tx: Tx, staff: Staff, recorded: Recorded): Promise<void> {
  const { id, adapter, row, given, current, wanted, changed } = recorded
  const auditedOf = (settings: VendorSettings) =>
    Object.fromEntries(
      changed.filter((name) => !isSecret(adapter.fields, name)).map((name) => [name, settings[name] ?? '']),
    )
  await audit(tx, staff, {
    action: 'identity-vendor.changed',
    subject: { kind: 'identity_vendor', id },
    before: { ...auditedOf(current), enabled: row?.enabled ?? false },
    after: {
      ...auditedOf(wanted),
      enabled: given.enabled,
      secrets_replaced: secretsOf(adapter.fields).filter((name) => changed.includes(name)),
    },
  })
  const switched = (row?.enabled ?? false) === given.enabled ? [] : [given.enabled ? 'switched on' : 'switched off']
  const labels = changed.map((name) => adapter.fields[name]?.label ?? name)
  await notifyAdministrators(tx, staff, {
    did: `changed the connection of the identity vendor ${adapter.name}: ${[...switched, ...labels].join(', ')}`,
    meaning: 'Members whom an identity vendor approves may deposit without a limit and withdraw.',
  })
}
