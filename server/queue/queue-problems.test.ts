import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueProblems } from './queue-problems.ts'

type Line = { err: { message: string; code: unknown }; queue: unknown; more: number }

test('logs a repeated problem at intervals with its count, and a different one immediately', () => {
  const lines: Line[] = []
  let nowMs = 0
  const report = queueProblems({ error: (line: unknown) => void lines.push(line as Line) }, () => nowMs)
  const away = { message: 'connect ECONNREFUSED', code: 'ECONNREFUSED', stack: 'there', queue: 'files.scan' }
  for (let worker = 0; worker < 96; worker += 1) report(away)
  report(new Error('Another one'))
  assert.deepEqual(
    lines.map(({ err, queue, more }) => [err.message, err.code, queue, more]),
    [
      ['connect ECONNREFUSED', 'ECONNREFUSED', 'files.scan', 0],
      ['Another one', undefined, undefined, 0],
    ],
  )
  nowMs = 10_001
  report(away)
  assert.equal(lines.at(-1)?.more, 95)
})
