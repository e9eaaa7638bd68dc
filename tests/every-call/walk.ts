import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { tryAtOnce, tryEffects, tryReading } from './effects.ts'
import { type CallRoute, type EveryCall, openEveryCall, prepare } from './fixture.ts'
import { stateOfOtherTenant, tryCanaries, tryOthersIds } from './outsiders.ts'
import { openRefusals, type Refusals } from './refusals.ts'
import { everySample, sampleFor, seed } from './sample.ts'
import { everyDay, everything, tryWrongInput } from './wrong-input.ts'

/** Limits high enough that a whole walk, which creates rows for each attempt, never reaches them. */
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
 * Walks over the router's calls that `isOurs` selects: refusals, ids of other owners, malformed input, the call's effects,
 * and repeats. Each call has one test.
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

    it('passes every check of each call', { timeout: 3_600_000 }, async (t) => {
      for (const route of fixture.calls.filter(isOurs))
        await t.test(route.name, { timeout: isWhole ? 1_200_000 : 300_000 }, () =>
          withSeed(walkCall({ fixture, refusals, route, isWhole })),
        )
    })

    it('leaves all rows of the other tenant unchanged and copies nothing of them', async () => {
      assert.deepEqual(await stateOfOtherTenant(fixture), atStart)
    })

    it('writes no machine-readable dates in mails', async () => {
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
  const sample = isWhole ? everySample : sampleFor(route.call)
  const refused = await prepare(fixture, route)
  await refusals.tryAll(route, refused, sample)
  await tryOthersIds(fixture, route, { owns: refused, isWhole })
  if (route.method === 'GET') {
    await tryCanaries(fixture, route)
    await tryReading(fixture, route)
  } else {
    // Prepares a new request: other preparations may have invalidated the first one, such as an order of all rows, or a
    // version.
    await tryEffects(fixture, route, await prepare(fixture, route))
    // An order of all rows conflicts with itself, so it is always tried.
    if (route.url.endsWith('/order') || sample.has(`at once ${route.name}`, 3))
      await tryAtOnce(fixture, route, await prepare(fixture, route))
  }
  await refusals.letIn(route, refused)
  await tryWrongInput(fixture, route, isWhole ? everything : everyDay(route))
}

/** Adds the seed to the error, since another day draws another sample. */
export async function withSeed(walked: Promise<void>): Promise<void> {
  try {
    await walked
  } catch (error) {
    if (error instanceof Error) error.message += `\n(ATRIUM_TEST_SEED=${seed})`
    throw error
  }
}
