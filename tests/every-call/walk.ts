import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { tryAtOnce, tryEffects, tryReading } from './effects.ts'
import { type CallRoute, type EveryCall, openEveryCall, prepare } from './fixture.ts'
import { stateOfOtherTenant, tryCanaries, tryOthersIds } from './outsiders.ts'
import { openRefusals, type Refusals } from './refusals.ts'
import { sampleFor, seed, whole } from './sample.ts'
import { everyDay, everything, tryWrongInput } from './wrong-input.ts'

/** What a brokerage may have, so that a whole walk, which makes some of it for each thing that it tries, is refused nothing for that. */
const many = 100_000
const roomForAll = {
  termsTemplatesMax: many,
  requestTypesMax: many,
  requestsWaitingMax: many,
  formsMax: many,
  fileCategoriesMax: many,
  cannedRepliesMax: many,
} satisfies Partial<Record<keyof typeof limits, number>>

/**
 * One walk over the calls of the router that `isOurs` says: who is refused, what somebody else's ids are answered, what comes of
 * wrong input, what the call leaves behind, and what sending it again does. Each call has one test.
 */
export function walkCalls(name: string, isOurs: (route: CallRoute) => boolean, { isWhole = false } = {}): void {
  describe(name, () => {
    let fixture: EveryCall
    let refusals: Refusals
    let atStart: Awaited<ReturnType<typeof stateOfOtherTenant>>
    before(async () => {
      if (isWhole) Object.assign(limits, roomForAll)
      fixture = await openEveryCall()
      atStart = await stateOfOtherTenant(fixture)
      refusals = await openRefusals(fixture)
    })
    after(() => fixture.close())

    it('each call', { timeout: 3_600_000 }, async (t) => {
      for (const route of fixture.calls.filter(isOurs))
        await t.test(route.name, { timeout: isWhole ? 1_200_000 : 300_000 }, () =>
          saysSeed(walkCall({ fixture, refusals, route, isWhole })),
        )
    })

    it('leaves everything of the other tenant as it was, and takes nothing of it into anything else', async () => {
      assert.deepEqual(await stateOfOtherTenant(fixture), atStart)
    })

    it('writes no day or hour as machines do', async () => {
      const { rows } = await fixture.owner.query<{ subject: string; sealed_content: Buffer }>(
        'select subject, sealed_content from mails where sealed_content is not null',
      )
      const { seal } = fixture.setup.context
      const letters = rows.map(({ subject, sealed_content }) => `${subject}\n${seal.open(sealed_content)}`)
      const wrong = letters.filter((letter) => /\b\d{4}-\d{2}-\d{2}(T\d{2}|\b)/.test(letter))
      assert.deepEqual(wrong, [])
    })
  })
}

type Walk = { fixture: EveryCall; refusals: Refusals; route: CallRoute; isWhole: boolean }

async function walkCall({ fixture, refusals, route, isWhole }: Walk): Promise<void> {
  const sample = isWhole ? whole : sampleFor(route.call)
  const refused = await prepare(fixture, route)
  await refusals.tryAll(route, refused, sample)
  await tryOthersIds(fixture, route, { owns: refused, isWhole })
  if (route.method === 'GET') {
    await tryCanaries(fixture, route)
    await tryReading(fixture, route)
  } else {
    // What was prepared for others meanwhile may stand in the way of the first one: an order of all that there is, a version.
    await tryEffects(fixture, route, await prepare(fixture, route))
    // An order of all that there is conflicts with itself, so it is no matter of chance.
    if (route.url.endsWith('/order') || sample.has(`at once ${route.name}`, 3))
      await tryAtOnce(fixture, route, await prepare(fixture, route))
  }
  await refusals.letIn(route, refused)
  await tryWrongInput(fixture, route, isWhole ? everything : everyDay(route))
}

/** The seed stands beside whatever failed, since another day draws another sample. */
export async function saysSeed(walked: Promise<void>): Promise<void> {
  try {
    await walked
  } catch (error) {
    if (error instanceof Error) error.message += `\n(ATRIUM_TEST_SEED=${seed})`
    throw error
  }
}
