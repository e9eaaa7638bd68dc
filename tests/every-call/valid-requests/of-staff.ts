import { randomInt } from 'node:crypto'
import { noteDifference } from '../../../server/accounts/differences.ts'
import type { System } from '../../../server/foundation/actor.ts'
import { inTransaction } from '../../../server/foundation/database/database.ts'
import { newId } from '../../../server/foundation/ids.ts'
import { addDeadLetters } from '../../fixtures/dead-letters.ts'
import { here } from '../../fixtures/on-this-machine.ts'
import { addMismatch } from '../../fixtures/reconciliations.ts'
import { addTerms } from '../../fixtures/requests.ts'
import { addOpening, addPlatform } from '../../fixtures/trading/platforms.ts'
import { addMember } from '../../fixtures/workspaces.ts'
import { type About, about, alone, aPicture, emptied } from './staff-request.ts'
import {
  addPlatformAccount,
  by,
  enterElsewhere,
  enterMember,
  enterStaff,
  type Fixture,
  newPassword,
  type Prepare,
} from './valid-request.ts'

/** An account that exists only on its platform, which staff ignore. */
const aDifference: About = async ({ setup: { system, platformId } }) => {
  const login = String(800_000_000 + Math.floor(Math.random() * 100_000_000))
  const found = { kind: 'unknown_owner', login, accountId: null, reason: 'no_address', at: null } as const
  const { difference_id: id } = await inTransaction(system, async (tx) => {
    await noteDifference(tx, system, platformId, found)
    const rows = tx.selectFrom('account_differences').where(here).select('difference_id')
    return rows.where('platform_login', '=', login).executeTakeFirstOrThrow()
  })
  return { id }
}

const aMismatch: About = async ({ setup: { system } }) => ({
  id: await addMismatch(system),
})

const anExplainedMismatch: About = async ({ setup: { system, staff } }) => ({
  id: await addMismatch(system, { by: staff.staffId }),
})

/** Also bypasses the triggers: an opening whose account may or may not exist (openings/desk-openings.test.ts). */
const anOpeningInDoubt: About = ({ setup: { system, platformId }, owner }) => leaveInDoubt(system, platformId, owner)

/** The same, on a platform that is not connected. */
const anOpeningWithoutPlatform: About = async ({ setup: { system }, owner }) =>
  leaveInDoubt(system, await addPlatform(system, { name: `Shut down ${newId()}` }), owner)

export async function leaveInDoubt(
  system: System,
  platformId: string,
  owner: Fixture['owner'],
): Promise<{ id: string }> {
  const { memberId } = await addMember(system)
  const id = await addOpening(system, { memberId, platformId })
  await owner.query('set session_replication_role = replica')
  await owner.query(`update account_openings set state = 'unknown' where opening_id = $1`, [id])
  await owner.query('set session_replication_role = origin')
  return { id }
}

const terms =
  (body: object, isDraft = false): About =>
  async ({ setup: { staff } }) => ({
    id: await addTerms(staff, { isDraft, blocked_portal_sections: ['downloads'] }),
    body,
  })

const text = {
  name: 'Rules of the harbour',
  tickbox_text: 'I have read it.',
  template: '<p>Keep to the right.</p>',
  blocked_portal_sections: ['downloads'],
}

/** Uses the current version and names; the request would be refused for outdated ones alone. */
async function changedLists({ owner, setup: { system } }: Fixture): Promise<object> {
  const found = await owner.query<{ version: number; vendors: string[]; departments: string[] }>(
    `select coalesce((versions->'lists'->>'version')::int, 0) as version, vendors, departments
      from workspaces where workspace_id = $1`,
    [system.workspaceId],
  )
  const { version, vendors = [], departments = [] } = found.rows[0] ?? {}
  return { section: 'lists', version, vendors: [...vendors, newId()], departments }
}

async function aVendor({ owner, setup: { system } }: Fixture): Promise<string> {
  const vendor = newId()
  await owner.query('update workspaces set vendors = array_append(vendors, $2) where workspace_id = $1', [
    system.workspaceId,
    vendor,
  ])
  return vendor
}

/** One platform for each request, so that no version conflicts occur. */
const aPlatform =
  (body: object): About =>
  async ({ setup: { system } }) => ({ id: await addPlatform(system), body })

/** The platform that responds; no request of these tests changes it. */
const thePlatform: About = async ({ setup }) => ({ id: setup.platformId, body: {} })

const connection = {
  ...{ base_url: 'https://mt5.example.com', manager_login: '1002', time_zone: 'Europe/Athens' },
  ...{ time_zone_shift_minutes: 0, ca_pem: null, server_name: null },
  ...{ connect_ms: 1_000, read_ms: 1_000, write_ms: 1_000 },
  ...{ settle_ms: 60_000, look_again_ms: 5_000, lease_ms: 20_000 },
}

const download = { _id: null, system: 'web', name: 'Browser', link: 'https://web.example.com', file_id: null }

export const requestsOfStaff: Record<string, Prepare> = {
  'POST /desk/api/activity': async (fixture) => {
    const person = await enterStaff(fixture)
    fixture.setup.context.clock.advance(61_000)
    return by(person, { body: { mouse: true } })
  },
  'POST /desk/api/account/picture': alone({ picture: aPicture }),
  'POST /desk/api/account/password': async (fixture) => {
    const person = await enterStaff(fixture)
    return by(person, { body: { current_password: person.password, ...newPassword } })
  },
  'POST /desk/api/account/sessions/end': async (fixture) => {
    const person = await enterStaff(fixture)
    return by(person, { body: { _id: await enterElsewhere(fixture.setup.system, 'staff', person) } })
  },
  'POST /desk/api/account/sessions/end-others': async (fixture) => {
    const person = await enterStaff(fixture)
    await enterElsewhere(fixture.setup.system, 'staff', person)
    return by(person)
  },
  'POST /desk/api/openings/:id/look-again': about(anOpeningInDoubt),
  'POST /desk/api/openings/:id/end': about(anOpeningWithoutPlatform),
  'POST /desk/api/accounts/:id/access': about(async (fixture) => {
    const id = await addPlatformAccount(fixture, await enterMember(fixture))
    return { id }
  }),
  'POST /desk/api/accounts/:id/owner': about(async (fixture) => {
    const id = await addPlatformAccount(fixture, await enterMember(fixture))
    const customer_number = String(randomInt(500_000, 900_000))
    await addMember(fixture.setup.system, { customer_number })
    return { id, body: { customer_number, reason: 'It is theirs' } }
  }),
  'POST /desk/api/account-differences/:id/decide': about(aDifference),
  'POST /desk/api/reconciliation/days/:day/compare': async (fixture) =>
    by(await enterStaff(fixture), { places: { day: '2026-11-20' } }),
  'POST /desk/api/reconciliation/differences/:id/explain': about(aMismatch),
  'POST /desk/api/reconciliation/differences/:id/reopen': about(anExplainedMismatch),
  'POST /desk/api/workspace/change': async (fixture) =>
    by(await enterStaff(fixture), { body: await changedLists(fixture) }),
  'POST /desk/api/workspace/logo': alone({ logo: aPicture }),
  'POST /desk/api/workspace/vendor-logo': async (fixture) => {
    const vendor = await aVendor(fixture)
    return by(await enterStaff(fixture), { body: { vendor, logo: aPicture } })
  },
  'POST /desk/api/platforms/add': async (fixture) =>
    by(await enterStaff(fixture), { body: { type: 'mt5', name: `Platform ${newId()}` } }),
  'POST /desk/api/platforms/:id/change': (fixture) => {
    const groups = [{ name: 'real\\standard', alias: 'Classic', kind: 'live' }]
    return about(aPlatform({ version: 0, name: `Renamed ${newId()}`, groups }))(fixture)
  },
  'POST /desk/api/platforms/:id/connection': about(
    aPlatform({ ...connection, version: 0, enabled: true, secret: 'Test-Manager-2' }),
  ),
  'POST /desk/api/platforms/:id/try': about(thePlatform),
  'POST /desk/api/platforms/:id/downloads': about(
    aPlatform({ version: 0, downloads: [{ ...download, archived: false }] }),
  ),
  'POST /desk/api/platforms/files': async (fixture) =>
    by(await enterStaff(fixture), { file: { name: 'setup.exe', content: Buffer.from(`MZ${newId()}`) } }),
  'POST /desk/api/terms': alone(text),
  'POST /desk/api/terms/:id/save': about(terms({ ...text, revision: 1 }, true)),
  'POST /desk/api/terms/:id/publish': about(terms({ revision: 1, asks_again: true }, true)),
  'POST /desk/api/terms/:id/retire': about(terms({})),
  'POST /desk/api/terms/order': async (fixture) => {
    const ids = [
      await addTerms(fixture.setup.staff, { isDraft: true }),
      await addTerms(fixture.setup.staff, { isDraft: true }),
    ]
    return by(await enterStaff(fixture), { body: { ids: ids.reverse() } })
  },
  'POST /desk/api/mails/:id/try-again': about(async ({ setup: { system } }) => ({ id: await addDeadLetters(system) })),
  'POST /desk/api/mails/try-all-again': async (fixture) => {
    await emptied(fixture, 'mails', `state = 'failed'`)
    await addDeadLetters(fixture.setup.system)
    return by(await enterStaff(fixture), { body: {} })
  },
  'POST /desk/api/mails/:id/leave': about(async ({ setup: { system } }) => ({ id: await addDeadLetters(system) })),
}
