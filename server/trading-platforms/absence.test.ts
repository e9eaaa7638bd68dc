import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeAbsence } from './absence.ts'

const timing = { settleMs: 200_000, lookAgainMs: 30_000 }
const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1_000)

test('a first empty look-up proves nothing, and the next one is due when it can', () => {
  const early = judgeAbsence({ sentAt: at(0), absentSince: null, lookUpStartedAt: at(10), now: at(11) }, timing)
  assert.deepEqual(early, { isProven: false, since: at(10), dueInMs: 189_000 })
  const late = judgeAbsence({ sentAt: at(0), absentSince: null, lookUpStartedAt: at(500), now: at(510) }, timing)
  assert.deepEqual(late, { isProven: false, since: at(500), dueInMs: 20_000 })
})

test('a second empty look-up proves absence after the settling time and with enough distance', () => {
  const second = (lookUpStartedAt: Date) =>
    judgeAbsence({ sentAt: at(0), absentSince: at(180), lookUpStartedAt, now: at(900) }, timing)
  assert.equal(second(at(199)).isProven, false)
  assert.equal(second(at(209)).isProven, false)
  assert.deepEqual(second(at(210)), { isProven: true })
})
