import { makePng } from '../../fixtures/sample-files.ts'
import { addMember, openTestSession } from '../../fixtures/workspaces.ts'
import { by, enterStaff, type Fixture, type Prepare } from './valid-request.ts'

export const alone =
  (body: object = {}): Prepare =>
  async (fixture) =>
    by(await enterStaff(fixture), { body })

export type About = (fixture: Fixture) => Promise<{ id: string; body?: object }>

export const about =
  (make: About): Prepare =>
  async (fixture) => {
    const { id, body } = await make(fixture)
    return by(await enterStaff(fixture), { places: { id }, ...(body && { body }) })
  }

export const aMember: About = async ({ setup: { system } }) => {
  const { memberId } = await addMember(system)
  await openTestSession(system, { kind: 'member', id: memberId })
  return { id: memberId }
}

export const aPicture = makePng({ width: 8, height: 8 }).toString('base64')

/** Deletes rows of earlier requests, which would change the outcome of this one. */
export const emptied = ({ owner, setup: { system } }: Fixture, table: string, which = 'true'): Promise<unknown> =>
  owner.query(`delete from ${table} where workspace_id = $1 and ${which}`, [system.workspaceId])
