import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressOn } from './progress.ts'

test('reports every few seconds on a terminal and never to a file', () => {
  for (const isTTY of [true, false]) {
    const lines: string[] = []
    let moment = 0
    const report = progressOn({ isTTY, write: (text) => lines.push(text) }, () => moment)
    for (const name of ['members/1', 'members/2', 'media/1', 'notices/1']) {
      moment += 3_000
      report(name)
    }
    assert.deepEqual(lines, isTTY ? ['2 objects, now members/2\n', '4 objects, now notices/1\n'] : [])
  }
})
