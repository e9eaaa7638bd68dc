import assert from 'node:assert/strict'
import { reading } from '../foundation/database.ts'
import { settleOpening } from '../openings/settle.ts'
import type { Answered } from './caller.ts'
import { addMember, approveDocuments, chooseSettings, openTestSession } from './harbour.ts'
import { openServedFloor } from './served-floor.ts'

export const password = 'Tidal-Gauge-71'
export const realGroup = 'real\\standard-usd'
export const demoGroup = 'demo\\standard-usd'
/** By which the platform makes an account. */
export const addCall = '/api/user/add'

/** A member who is signed in. */
export type Opener = { id: string; email: string; token: string }
export type OpeningFloor = Awaited<ReturnType<typeof openOpeningFloor>>

/** A served floor whose members open accounts. */
export async function openOpeningFloor() {
  const floor = await openServedFloor()
  const { system, caller, simulator } = floor

  const setSettings = (settings: Record<string, unknown>): Promise<void> => chooseSettings(floor, settings)

  const bodyOf = (change: object = {}) => ({
    initial_deposit: 0,
    main_password: password,
    trading_platform: floor.platformId,
    group: realGroup,
    leverage: 100,
    ...change,
  })

  function openingsOf({ id }: Opener) {
    return reading(system, (tx) =>
      tx
        .selectFrom('account_openings')
        .selectAll()
        .where('workspace_id', '=', system.workspaceId)
        .where('member_id', '=', id)
        .orderBy('opening_id')
        .execute(),
    )
  }

  return {
    ...floor,
    setSettings,
    bodyOf,
    openingsOf,

    /** Nothing is left of what the test before chose. */
    async clear(): Promise<void> {
      simulator.control.clearFaults()
      await setSettings({})
    },

    async enter({ isApproved = true } = {}): Promise<Opener> {
      const { memberId, email } = await addMember(system)
      if (isApproved) await approveDocuments(system, memberId)
      const { token } = await openTestSession(system, { kind: 'member', id: memberId })
      return { id: memberId, email, token }
    },

    openLive: ({ token }: Opener, change: object = {}): Promise<Answered> =>
      caller.post('/members/trading/open-live-account', bodyOf(change), token),
    openDemo: ({ token }: Opener, change: object = {}): Promise<Answered> =>
      caller.post('/members/trading/open-demo-account', bodyOf({ group: demoGroup, ...change }), token),

    accountsOf: ({ id }: Opener) =>
      reading(system, (tx) =>
        tx
          .selectFrom('trading_accounts')
          .selectAll()
          .where('workspace_id', '=', system.workspaceId)
          .where('member_id', '=', id)
          .execute(),
      ),

    onPlatform: (): string[] => simulator.control.accountsOf('*'),
    sends: (): number => simulator.control.calls().filter(({ path }) => path === addCall).length,

    async underWayOf(person: Opener): Promise<{ state: string; kind: string }[]> {
      const { body } = await caller.get('/members/trading/openings', person.token)
      return body.openings as { state: string; kind: string }[]
    },

    /** What the queue would do over time. */
    async visitUntilEnded(person: Opener): Promise<string> {
      for (let visit = 0; visit < 40; visit++) {
        const opening = (await openingsOf(person)).at(-1)
        assert.ok(opening)
        if (!['ready', 'sending', 'unknown'].includes(opening.state)) return opening.state
        await settleOpening(system, opening.opening_id)
        floor.ground.clock.advance(40_000)
      }
      throw new Error('The opening never ended')
    },
  }
}
