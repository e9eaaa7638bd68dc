// spec: OP faults
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDraftKeeper, type SaveFailure } from './draft-keeper.ts'

/** Timers that the test runs by hand. */
function handTimers() {
  let waiting: { act: () => void; ms: number } | null = null
  let now = 0
  return {
    now: () => now,
    pass(ms: number) {
      now += ms
    },
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
  fails = [] as (SaveFailure | null)[],
  known = null as null | { _id: string; revision: number; saved_at: number },
} = {}) {
  const timers = handTimers()
  const asked: (number | null)[] = []
  /** Each save as "<edit count> at <page> on <base revision>". */
  const sent: string[] = []
  const submissions: (string | null)[] = []
  let edits = 0
  let step = 0
  let answer: (() => void) | null = null
  const keeper = createDraftKeeper({
    known,
    edits: () => edits,
    step: () => step,
    entered: () => `${edits} at ${step}`,
    save: async (revision, entered, submission) => {
      asked.push(revision)
      submissions.push(submission)
      sent.push(`${entered} on ${revision}`)
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      const failure = fails.shift()
      if (failure) throw new Error(failure)
      return { _id: 'draft', revision: (revision ?? 0) + 1, saved_at: 1_000 * asked.length }
    },
    reasonOf: (error) => (error as Error).message as SaveFailure,
    debounceMs: 2,
    unsavedMsMax: 9,
    againMs: 5,
    timers,
  })
  return {
    keeper,
    timers,
    asked,
    sent,
    submissions,
    turnTo: (page: number) => {
      step = page
      keeper.touch()
    },
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
  it('is saved after a pause in typing, based on its last revision', async () => {
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

  it('is saved again when typing continued during a save', async () => {
    const { keeper, timers, asked, enter, answer } = begin()
    enter()
    timers.run()
    enter()
    assert.equal(timers.waitingMs(), null, 'one at a time')
    await answer()
    assert.equal(keeper.keeping().isDirty, true)
    assert.equal(timers.waitingMs(), 2)
    timers.run()
    await answer()
    assert.deepEqual(asked, [null, 1])
    assert.equal(keeper.keeping().isDirty, false)
  })

  it('is retried after a failure, and not saved after another device has saved', async () => {
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

  it('is not retried while the page is hidden, and resumes when it is visible', async () => {
    const { keeper, timers, asked, enter, answer } = begin({ fails: ['failed'] })
    enter()
    timers.run()
    keeper.watch(false)
    await answer()
    assert.equal(timers.waitingMs(), null)
    keeper.watch(true)
    assert.equal(timers.waitingMs(), 2)
    timers.run()
    await answer()
    assert.deepEqual(asked, [null, null])
    assert.equal(keeper.keeping().problem, null)
  })

  it('waits for a running save before it is submitted, and is not saved afterwards', async () => {
    const { keeper, timers, asked, enter, answer } = begin({ known: { _id: 'before', revision: 4, saved_at: 9 } })
    assert.equal(keeper.keeping().savedAt, 9)
    enter()
    timers.run()
    const pausing = keeper.pause()
    await answer()
    const { _id, revision } = (await pausing) ?? {}
    assert.deepEqual([_id, revision], ['draft', 5])
    assert.deepEqual(asked, [4])
    enter()
    assert.equal(timers.waitingMs(), null, 'a save would conflict with the running submission')
    keeper.end()
    assert.equal(keeper.keeping().isDirty, false)
    assert.equal(timers.waitingMs(), null)
    enter()
    assert.equal(timers.waitingMs(), null)
    assert.equal(keeper.keeping().isDirty, false)
  })

  it('is resent unchanged before newer input when its outcome is unknown', async () => {
    const { keeper, timers, sent, enter, answer } = begin({ fails: ['unanswered', 'unanswered'] })
    enter()
    timers.run()
    await answer()
    assert.equal(keeper.keeping().problem, 'failed')
    enter()
    timers.run()
    await answer()
    assert.equal(timers.waitingMs(), 5)
    enter()
    timers.run()
    await answer()
    assert.deepEqual([keeper.keeping().problem, keeper.keeping().isDirty], [null, true])
    timers.run()
    await answer()
    assert.deepEqual(sent, ['1 at 0 on null', '1 at 0 on null', '1 at 0 on null', '3 at 0 on 1'])
    assert.equal(keeper.keeping().isDirty, false)
  })

  it('includes newer input in the next save after a refusal', async () => {
    const { timers, sent, enter, answer } = begin({ fails: ['unanswered', 'failed'] })
    for (let round = 0; round < 3; round++) {
      enter()
      timers.run()
      await answer()
    }
    assert.deepEqual(sent, ['1 at 0 on null', '1 at 0 on null', '3 at 0 on null'])
  })

  it('is resent before the submission when its outcome is unknown, and saving resumes afterwards', async () => {
    const { keeper, timers, sent, enter, answer } = begin({ fails: ['unanswered'] })
    enter()
    timers.run()
    await answer()
    enter()
    const pausing = keeper.pause()
    await answer()
    assert.equal((await pausing)?.revision, 1)
    assert.deepEqual(sent, ['1 at 0 on null', '1 at 0 on null'])
    assert.equal(timers.waitingMs(), null)
    keeper.resume()
    assert.equal(timers.waitingMs(), 2)
  })

  it('is not overwritten when the submission reports a save by another device', async () => {
    const { keeper, timers, asked, enter } = begin({ known: { _id: 'before', revision: 4, saved_at: 9 } })
    enter()
    await keeper.pause()
    keeper.resume({ isElsewhere: true })
    assert.deepEqual([keeper.keeping().problem, timers.waitingMs()], ['elsewhere', null])
    enter()
    assert.deepEqual([timers.waitingMs(), asked.length], [null, 0])
  })

  it('is resent when the reported save may be our own with a lost answer', async () => {
    const { keeper, timers, sent, enter, answer } = begin({ fails: ['unanswered', 'unanswered'] })
    enter()
    timers.run()
    await answer()
    const pausing = keeper.pause()
    await answer()
    assert.equal(await pausing, null)
    keeper.resume({ isElsewhere: true })
    assert.equal(keeper.keeping().problem, 'failed')
    timers.run()
    await answer()
    assert.deepEqual([keeper.keeping().problem, sent.length], [null, 3])
  })

  it('is saved after a maximum delay during continuous typing', async () => {
    const { timers, sent, enter, answer } = begin()
    for (let key = 0; key < 8; key++) {
      enter()
      assert.equal(timers.waitingMs(), 2)
      timers.pass(1)
    }
    enter()
    assert.equal(timers.waitingMs(), 1)
    timers.pass(1)
    enter()
    assert.equal(timers.waitingMs(), 0)
    timers.run()
    await answer()
    assert.deepEqual(sent, ['10 at 0 on null'])
    enter()
    assert.equal(timers.waitingMs(), 2)
  })

  it('is saved after a page change without counting as dirty, but an empty form creates none', async () => {
    const { keeper, timers, sent, turnTo, answer } = begin({ known: { _id: 'before', revision: 4, saved_at: 9 } })
    turnTo(1)
    assert.equal(keeper.keeping().isDirty, false)
    timers.run()
    await answer()
    assert.deepEqual(sent, ['0 at 1 on 4'])
    turnTo(1)
    assert.equal(timers.waitingMs(), null)
    const empty = begin()
    empty.turnTo(1)
    assert.equal(empty.timers.waitingMs(), null)
  })

  it('names an unanswered submission, and stops saving if the submission arrived', async () => {
    const { keeper, timers, sent, submissions, enter, answer } = begin({ fails: ['sent'] })
    enter()
    await keeper.pause()
    keeper.resume({ unheard: 'token' })
    assert.equal(timers.waitingMs(), 2)
    timers.run()
    await answer()
    assert.deepEqual([sent, submissions], [['1 at 0 on null'], ['token']])
    assert.deepEqual(keeper.keeping(), { savedAt: null, isDirty: false, problem: 'sent' })
    assert.equal(timers.waitingMs(), null)
    assert.equal(await keeper.pause(), null)
    assert.equal(keeper.isInDoubt(), false, 'the same answers may be sent again')
    keeper.resume({ unheard: 'token' })
    enter()
    assert.deepEqual([keeper.keeping().isDirty, timers.waitingMs()], [true, null])
    await keeper.pause()
    assert.equal(keeper.isInDoubt(), true, 'other answers may not')
    assert.equal(sent.length, 1)
  })

  it('continues to be saved if an unanswered submission never arrived', async () => {
    const { keeper, timers, sent, submissions, enter, answer } = begin()
    enter()
    await keeper.pause()
    keeper.resume({ unheard: 'token' })
    timers.run()
    await answer()
    enter()
    timers.run()
    await answer()
    assert.deepEqual(
      [sent, submissions],
      [
        ['1 at 0 on null', '2 at 0 on 1'],
        ['token', 'token'],
      ],
    )
    assert.equal((await keeper.pause())?.revision, 2)
    assert.equal(keeper.isInDoubt(), false)
  })

  it('is saved before answers that differ from an unanswered submission are sent', async () => {
    const { keeper, timers, sent, enter, answer } = begin({ fails: ['unanswered'] })
    enter()
    await keeper.pause()
    keeper.resume({ unheard: 'token' })
    await keeper.pause()
    assert.deepEqual([sent, keeper.isInDoubt()], [[], false])
    keeper.resume({ unheard: 'token' })
    for (const isInDoubt of [true, false, false]) {
      enter()
      const pausing = keeper.pause()
      await answer()
      await pausing
      assert.equal(keeper.isInDoubt(), isInDoubt)
      keeper.resume()
    }
    assert.deepEqual(sent, ['2 at 0 on null', '2 at 0 on null'])
    assert.equal(timers.waitingMs(), 2, 'newer input is saved on top of it')
  })
})
