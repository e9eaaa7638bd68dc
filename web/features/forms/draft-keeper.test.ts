import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDraftKeeper, type Keeping } from './draft-keeper.ts'

/** Timers that run when the test says so. */
function handTimers() {
  let waiting: { act: () => void; ms: number } | null = null
  return {
    set(act: () => void, ms: number) {
      waiting = { act, ms }
      return waiting
    },
    clear() {
      waiting = null
    },
    waitingMs: () => waiting?.ms ?? null,
    run() {
      const due = waiting
      waiting = null
      due?.act()
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

function begin({
  fails = [] as NonNullable<Keeping['problem']>[],
  known = null as null | { _id: string; revision: number; saved_at: number },
} = {}) {
  const timers = handTimers()
  const asked: (number | null)[] = []
  let edits = 0
  let answer: (() => void) | null = null
  const keeper = createDraftKeeper({
    known,
    edits: () => edits,
    save: async (revision) => {
      asked.push(revision)
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      const failure = fails.shift()
      if (failure) throw new Error(failure)
      return { _id: 'draft', revision: (revision ?? 0) + 1, saved_at: 1_000 * asked.length }
    },
    reasonOf: (error) => (error as Error).message as NonNullable<Keeping['problem']>,
    restMs: 1,
    againMs: 5,
    timers,
  })
  return {
    keeper,
    timers,
    asked,
    enter: () => {
      edits += 1
      keeper.touch()
    },
    answer: async () => {
      await settled()
      answer?.()
      await settled()
    },
  }
}

describe('a draft of a form', () => {
  it('is saved once the typing rests, going on from its last revision', async () => {
    const { keeper, timers, asked, enter, answer } = begin()
    enter()
    enter()
    assert.equal(keeper.keeping().isDirty, true)
    assert.deepEqual(asked, [])
    timers.run()
    await answer()
    assert.deepEqual(keeper.keeping(), { savedAt: 1_000, isDirty: false, problem: null })
    enter()
    timers.run()
    await answer()
    assert.deepEqual(asked, [null, 1])
  })

  it('is saved again for what was typed while it was saved', async () => {
    const { keeper, timers, asked, enter, answer } = begin()
    enter()
    timers.run()
    enter()
    assert.equal(timers.waitingMs(), null, 'one at a time')
    await answer()
    assert.equal(keeper.keeping().isDirty, true)
    assert.equal(timers.waitingMs(), 1)
    timers.run()
    await answer()
    assert.deepEqual(asked, [null, 1])
    assert.equal(keeper.keeping().isDirty, false)
  })

  it('is tried again after a failure, and left alone once another device has saved', async () => {
    const { keeper, timers, asked, enter, answer } = begin({ fails: ['failed', 'elsewhere'] })
    enter()
    timers.run()
    await answer()
    assert.equal(keeper.keeping().problem, 'failed')
    assert.equal(timers.waitingMs(), 5)
    timers.run()
    await answer()
    assert.equal(keeper.keeping().problem, 'elsewhere')
    enter()
    assert.equal(timers.waitingMs(), null)
    assert.equal(asked.length, 2)
    assert.equal(keeper.keeping().isDirty, true)
  })

  it('is not tried on while nobody has the form before them, and goes on when somebody has', async () => {
    const { keeper, timers, asked, enter, answer } = begin({ fails: ['failed'] })
    enter()
    timers.run()
    keeper.watch(false)
    await answer()
    assert.equal(timers.waitingMs(), null)
    keeper.watch(true)
    assert.equal(timers.waitingMs(), 1)
    timers.run()
    await answer()
    assert.deepEqual(asked, [null, null])
    assert.equal(keeper.keeping().problem, null)
  })

  it('waits for a save on its way before it is sent, and is not saved after', async () => {
    const { keeper, timers, asked, enter, answer } = begin({ known: { _id: 'before', revision: 4, saved_at: 9 } })
    assert.equal(keeper.keeping().savedAt, 9)
    enter()
    timers.run()
    const resting = keeper.rest()
    await answer()
    assert.equal(await resting, 'draft')
    assert.deepEqual(asked, [4])
    enter()
    keeper.end()
    assert.equal(keeper.keeping().isDirty, false)
    assert.equal(timers.waitingMs(), null)
    enter()
    assert.equal(timers.waitingMs(), null)
    assert.equal(keeper.keeping().isDirty, false)
  })
})
