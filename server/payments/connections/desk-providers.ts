import { type DeskProvider, paymentFailures } from '@atrium/contract/payments/providers.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { reading, type Tx } from '../../foundation/database/database.ts'
import { refuseNotFound } from '../../foundation/errors.ts'
import type { ProviderAdapter } from '../../payment-providers/contract.ts'
import { findAdapter, listAdapters, logoOf, shownLogoOf } from '../../payment-providers/registry.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'
import { openStates } from '../order.ts'
import { isConnectable } from './desk-connection.ts'
import { listTerms } from './desk-offer.ts'
import { findProviderById, readConnection, type Settings } from './provider.ts'
import { notifyUrl } from './urls.ts'

type ProviderHealth = DeskProvider['standing']
const noHealth: ProviderHealth = {
  is_connected: false,
  ...{ last_notice_at: null, failed_at: null, failure: null, failure_detail: null },
  ...{ open_orders: 0, for_staff: 0, is_left_in_peace: false },
}

/** Every registered provider, first those of the workspace in the members' order. */
export async function listProviders(actor: Staff) {
  authorizeStaff(actor, 'workspace.manage')
  const added = await reading(actor, async (tx) => {
    const rows = await tx
      .selectFrom('payment_providers')
      .select(['provider_id', 'app_uid', 'title', 'enabled', 'logo_url'])
      .where('workspace_id', '=', actor.workspaceId)
      .orderBy('position')
      .orderBy('app_uid')
      .execute()
    return Promise.all(
      rows.map(async ({ provider_id, ...row }) => ({
        _id: provider_id,
        ...row,
        currencies: (await listTerms(tx, actor, provider_id)).map(({ currency }) => currency),
        standing: await readHealth(tx, actor, { id: provider_id, uid: row.app_uid }),
      })),
    )
  })
  const known = added.flatMap((row) => {
    const adapter = findAdapter(row.app_uid)
    return adapter ? [{ ...row, name: adapter.name, image_url: shownLogoOf(row) }] : []
  })
  const there = new Set(known.map(({ app_uid }) => app_uid))
  const others = listAdapters()
    .filter(([uid]) => !there.has(uid))
    .map(([app_uid, { name }]) => ({ _id: null, app_uid, name, image_url: logoOf(app_uid), title: null, ...notAdded }))
  return [...known, ...others]
}

const notAdded = { enabled: false, currencies: [], standing: noHealth }

/** All data of a provider except its secrets, which are write-only. */
export async function readDeskProvider(actor: Staff, id: string): Promise<DeskProvider> {
  authorizeStaff(actor, 'workspace.manage')
  return reading(actor, async (tx) => {
    const row = await findProviderById(tx, actor, id)
    const adapter = row && findAdapter(row.app_uid)
    if (!row || !adapter) refuseNotFound()
    const settings = await readConnection(tx, actor, id)
    const workspace = await readWorkspace(tx, actor)
    return {
      _id: row.provider_id,
      app_uid: row.app_uid,
      name: adapter.name,
      image_url: shownLogoOf(row),
      has_own_logo: row.logo_url !== null,
      title: row.title,
      position: row.position,
      enabled: row.enabled,
      version: row.version,
      notify_url: notifyUrl(actor.context.config, workspace, row.app_uid),
      is_simulated: Object.values(settings ?? {}).some((text) => text.startsWith('http://')),
      settings: describeSettings(adapter, settings ?? {}, await readSetTimes(tx, actor, id)),
      currencies: await listTerms(tx, actor, id),
      standing: await readHealth(tx, actor, { id, uid: row.app_uid }),
    }
  })
}

export function describeSettings(
  { fields }: Pick<ProviderAdapter, 'fields'>,
  settings: Settings,
  setAt: Readonly<Record<string, string>>,
): DeskProvider['settings'] {
  return Object.entries(fields).map(
    ([name, { label, help, isSecret = false, isLong = false, choices, usual = '' }]) => ({
      ...{ name, label, help, usual },
      is_secret: isSecret,
      is_long: isLong,
      choices: choices ? [...choices] : null,
      value: isSecret ? null : (settings[name] ?? ''),
      is_set: (settings[name] ?? '') !== '',
      set_at: isSecret && setAt[name] ? Date.parse(setAt[name]) : null,
    }),
  )
}

async function readSetTimes(tx: Tx, actor: Staff, id: string): Promise<Record<string, string>> {
  const row = await tx
    .selectFrom('payment_provider_connections')
    .select('secrets_set_at')
    .where('workspace_id', '=', actor.workspaceId)
    .where('provider_id', '=', id)
    .executeTakeFirst()
  return (row?.secrets_set_at ?? {}) as Record<string, string>
}

const failure = z.enum(paymentFailures).nullable().catch('unknown')

/** The provider's health from stored data, without a call. */
async function readHealth(tx: Tx, actor: Staff, { id, uid }: { id: string; uid: string }): Promise<ProviderHealth> {
  const { rows } = await sql<{
    failed_at: Date | null
    failure: string | null
    failure_detail: string | null
    last_notice_at: Date | null
    open_orders: number
    for_staff: number
  }>`
    select connection.failed_at, connection.failure, connection.failure_detail, orders.*, notices.last_notice_at
    from (
      select
        (count(*) filter (where state = any (${openStates})))::int as open_orders,
        (count(*) filter (where state = 'for_staff'))::int as for_staff
      from deposit_orders
      where workspace_id = ${actor.workspaceId} and provider_id = ${id} and state = any (${[...openStates, 'for_staff']})
    ) as orders
    cross join (
      select max(last_received_at) as last_notice_at
      from (
        select last_received_at from payment_notifications
        where workspace_id = ${actor.workspaceId} and provider_id = ${id}
        order by notification_id desc limit 100
      ) as newest
    ) as notices
    left join payment_provider_connections as connection
      on connection.workspace_id = ${actor.workspaceId} and connection.provider_id = ${id}`.execute(tx)
  const row = rows[0]
  if (!row) return noHealth
  return {
    is_connected: isConnectable(actor, uid, await readConnection(tx, actor, id)),
    last_notice_at: row.last_notice_at?.getTime() ?? null,
    failed_at: row.failed_at?.getTime() ?? null,
    failure: failure.parse(row.failure),
    failure_detail: row.failure_detail,
    open_orders: row.open_orders,
    for_staff: row.for_staff,
    is_left_in_peace: actor.context.providers.circuitState(actor, id)?.isCircuitOpen ?? false,
  }
}
