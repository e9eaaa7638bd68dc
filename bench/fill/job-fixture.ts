import type { Member } from '../../server/foundation/actor.ts'
import type { Context } from '../../server/foundation/context.ts'
import type { JobHandlers } from '../../server/queue/jobs.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, memberActor } from '../../tests/fixtures/workspaces.ts'
import { firstLogin, manager } from '../load/live-platforms.ts'

/** `left`: the SQL after `from` that counts the remaining work. */
export type JobKind = {
  name: string
  prepare(fixture: JobFixture, count: number): Promise<void>
  handlers(context: Context): JobHandlers
  left: string
}

/** Separate processes: a platform, and the settings of a payment provider. */
export type Others = { platformUrl: string; zota: Record<string, string> }
export type JobFixture = Awaited<ReturnType<typeof openJobFixture>>

export const group = 'real\\standard-usd'

export async function openJobFixture(context: Context, { platformUrl, zota }: Others) {
  const system = await addWorkspace(context, { subdomain: 'bench', isDefault: true })
  const settings = { baseUrl: platformUrl, managerLogin: manager.login, timeZone: 'Europe/Athens' }
  const platformId = await addPlatform(system, {
    groups: [{ name: group, alias: 'Standard' }],
    connection: {
      settings: { ...settings, allowPlainHttp: true, callsPerSecond: 10_000 },
      secret: { managerPassword: manager.password },
    },
  })
  let login = firstLogin
  /** Creates the owner of the platform's next account. */
  const addOwner = async ({ live = true } = {}): Promise<{ accountId: string; member: Member }> => {
    const { memberId } = await addMember(system, { documents_status: 'approved' })
    const account = { memberId, platformId, platform_login: String(login++), group_name: group, live_account: live }
    const accountId = await addAccount(system, account)
    return { accountId, member: await memberActor(system, memberId) }
  }
  return { system, platformId, addOwner, zota }
}

export const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index++) await work()
}
