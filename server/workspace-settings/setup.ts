import type { CallAnswer } from '@atrium/contract/call.ts'
import { type readSetup, type SetupStep, setupSteps } from '@atrium/contract/workspace-settings/setup.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'

type Steps = CallAnswer<typeof readSetup>['steps']

/** The setup steps of a brokerage, derived from its data. */
export function readSetupSteps(staff: Staff): Promise<Steps> {
  authorizeStaff(staff, 'workspace.manage')
  return reading(staff, async (tx) => {
    const any = (table: string, more = sql`true`) =>
      sql<boolean>`exists (select from ${sql.table(table)} as one where one.workspace_id = ${staff.workspaceId}::uuid and ${more})`
    const isOwn = sql`one.staff_id = ${staff.staffId}::uuid`
    const { rows } = await sql<Record<SetupStep, boolean>>`select
      ${any('totp_factors', sql`${isOwn} and one.confirmed_at is not null and one.removed_at is null`)}
        or ${any('passkeys', sql`${isOwn} and one.removed_at is null`)} as second_factor,
      ${any('workspace_logos')} as brand,
      ${any('trading_platforms', sql`one.enabled`)} as platform,
      ${any('payment_providers', sql`one.enabled`)} or ${any('company_bank_accounts', sql`one.removed_at is null`)} as payments,
      ${any('file_categories', sql`one.required and one.archived_at is null`)} as documents,
      ${any('terms_templates', sql`one.state = 'published'`)} as terms,
      ${any('staff_users', sql`one.staff_id <> ${staff.staffId}::uuid and one.status <> 'locked'`)} as colleagues,
      ${any('members')} as members`.execute(tx)
    return setupSteps.map((name) => ({ name, is_done: rows[0]?.[name] ?? false }))
  })
}
