import { randomBytes } from 'node:crypto'
import type { System } from '../foundation/actor.ts'
import type { PlatformDownloads, TradingAccounts } from '../foundation/database.generated.ts'
import { inTransaction } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { makeIntentTag } from '../trading-platforms/intent-tag.ts'
import { type Made, nextCount } from './made.ts'

type PlatformOptions = {
  type?: 'mt4' | 'mt5'
  name?: string
  groups?: { name: string; alias: string }[]
  /** Without one the platform is known but cannot be reached. */
  connection?: { settings: object; secret: object; settleMs?: number; lookAgainMs?: number; leaseMs?: number }
}

export async function addPlatform(system: System, options: PlatformOptions = {}): Promise<string> {
  const key = { workspace_id: system.workspaceId, platform_id: newId() }
  const { connection } = options
  await inTransaction(system, async (tx) => {
    await tx
      .insertInto('trading_platforms')
      .values({
        ...key,
        type: options.type ?? 'mt5',
        name: options.name ?? 'MetaTrader 5',
        groups: JSON.stringify(options.groups ?? [{ name: 'real\\standard', alias: 'Standard' }]),
        created_at: system.ground.clock.now(),
      })
      .execute()
    if (!connection) return
    await tx
      .insertInto('platform_connections')
      .values({
        ...key,
        settings: JSON.stringify(connection.settings),
        sealed_secret: system.ground.seal.seal(JSON.stringify(connection.secret)),
        ...(connection.settleMs !== undefined && { settle_ms: connection.settleMs }),
        ...(connection.lookAgainMs !== undefined && { look_again_ms: connection.lookAgainMs }),
        ...(connection.leaseMs !== undefined && { lease_ms: connection.leaseMs }),
      })
      .execute()
  })
  return key.platform_id
}

type AccountValues = Made<Omit<TradingAccounts, 'platform_id'>> & { memberId: string; platformId: string }

export async function addAccount(system: System, values: AccountValues): Promise<string> {
  const { memberId, platformId, ...given } = values
  const account_id = given.account_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('trading_accounts')
      .values({
        platform_login: String(500_000 + nextCount()),
        live_account: true,
        group_name: 'real\\standard',
        leverage: 100,
        currency: 'USD',
        created_at: system.ground.clock.now(),
        ...given,
        account_id,
        workspace_id: system.workspaceId,
        member_id: memberId,
        platform_id: platformId,
      })
      .execute(),
  )
  return account_id
}

type FiguresValues = { memberId: string; accountId: string; at?: Date; balance?: string; equity?: string }

/** How an account stood at a moment. */
export async function addFigures(system: System, { memberId, accountId, ...values }: FiguresValues): Promise<void> {
  const figures = { at: system.ground.clock.now(), balance: '1000.00', equity: '1001.50', ...values }
  const key = { workspace_id: system.workspaceId, account_id: accountId, member_id: memberId }
  await inTransaction(system, (tx) =>
    tx
      .insertInto('account_figures')
      .values({ ...key, ...figures })
      .execute(),
  )
}

type DownloadValues = Made<Omit<PlatformDownloads, 'platform_id'>> & { platformId: string; content?: Buffer }

/** A link unless there is content: then a file, its bytes in the store. */
export async function addDownload(
  system: System,
  values: DownloadValues,
): Promise<{ id: string; fileId: string | null }> {
  const { platformId, content, ...given } = values
  const key = { workspace_id: system.workspaceId, created_at: system.ground.clock.now() }
  const id = newId()
  const file_id = content ? newId() : null
  const storage_key = `${system.workspaceId}/${file_id}`
  if (content) await system.ground.files.write(storage_key, content)
  await inTransaction(system, async (tx) => {
    if (content && file_id)
      await tx
        .insertInto('platform_files')
        .values({
          ...{ ...key, file_id, name: 'guide.pdf', content_type: 'application/pdf', storage_key },
          ...{ size_bytes: content.length, sha256: randomBytes(32) },
        })
        .execute()
    await tx
      .insertInto('platform_downloads')
      .values({
        ...{
          system: 'windows',
          name: 'MetaTrader 5',
          link: content ? null : 'https://downloads.example.com/setup.exe',
        },
        ...{ position: nextCount(), file_id },
        ...given,
        ...{ ...key, download_id: id, platform_id: platformId },
      })
      .execute()
  })
  return { id, fileId: file_id }
}

type OpeningValues = { memberId: string; platformId: string; kind?: 'live' | 'demo'; group?: string }

/** An opening that was written down and not handed over yet. */
export async function addOpening(
  system: System,
  { memberId, platformId, kind = 'live', group = 'real\\standard' }: OpeningValues,
): Promise<string> {
  const opening_id = newId()
  const now = system.ground.clock.now()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('account_openings')
      .values({
        workspace_id: system.workspaceId,
        opening_id,
        member_id: memberId,
        kind,
        platform_id: platformId,
        group_name: group,
        leverage: 100,
        tag: makeIntentTag(),
        state: 'ready',
        lease_until: now,
        next_step_at: now,
        created_at: now,
      })
      .execute(),
  )
  return opening_id
}
