import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { failpointsByPath } from './failpoint.ts'

const server = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(server, file), 'utf8')

/** The test that runs through each list, and its import name. A new list without an entry does not compile. */
const killedIn: Record<keyof typeof failpointsByPath, [file: string, list: string]> = {
  intent: ['funding/crediting/killed.test.ts', 'failpoints'],
  withdrawal: ['funding/crediting/killed.test.ts', 'withdrawalFailpoints'],
  payment: ['payments/killed.test.ts', 'paymentFailpoints'],
  payout: ['payments/killed.test.ts', 'payoutFailpoints'],
  opening: ['openings/killed.slow.test.ts', 'openingFailpoints'],
}

test('every list of failpoints has a test that kills at each of them', () => {
  for (const [file, list] of Object.values(killedIn))
    assert.match(read(file), new RegExp(String.raw`\b${list}\b`), file)
})

test('every failpoint is used and awaited in the program', () => {
  const sources = globSync('**/*.ts', { cwd: server, exclude: ['**/node_modules/**'] })
  const program = sources.filter((file) => !file.endsWith('.test.ts')).map(read)
  const reached = program.flatMap((text) => [...text.matchAll(/(await )?\breach\('([\w.-]+)'\)/g)])
  assert.deepEqual(
    reached.filter(([, isAwaited]) => !isAwaited).map(([, , name]) => name),
    [],
  )
  const names = new Set(reached.map(([, , name]) => name))
  assert.deepEqual([...names].sort(), Object.values(failpointsByPath).flat().sort())
})
