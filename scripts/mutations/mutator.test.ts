import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { openReach } from '../testing/test-imports.ts'
import { draw, filesToMutate, mutantsOf, randomBySeed, testsReaching } from './mutator.ts'

const thing = `export async function pay(tx: Tx, { amount, state }: Row): Promise<string> {
  if (state !== 'pending') refuse('illegal_move', 'decided already')
  if (amount === null)
    throw new Error('no amount')
  if (amount === '0') {
    return 'nothing'
  }
  await lockAccount(tx, amount)
  const row = await tx
    .selectFrom('rows')
    .where('workspace_id', '=', 'w')
    .where('rows.member_id', '=', 'm')
    .where('row_id', '=', 'r')
    .forUpdate()
    .execute()
  if (row) return 'one'
  else return 'other'
}
`

const root = mkdtempSync(join(tmpdir(), 'atrium-mutator-'))
after(() => rmSync(root, { recursive: true }))
for (const [file, text] of [
  ['server/funding/thing.ts', thing],
  ['server/funding/thing.test.ts', "import { pay } from './thing.ts'"],
  ['server/funding/a.test.ts', "import { pay } from './thing.ts'"],
  ['server/funding/crediting/killed.slow.test.ts', "import { pay } from './thing.ts'"],
  ['server/funding/other.test.ts', ''],
  ['server/members/near.test.ts', "import { pay } from '../funding/thing.ts'"],
] as const) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

test('removes each guard, lock and condition once if the rest still parses', () => {
  const mutants = mutantsOf(root, 'server/funding/thing.ts', () => [])
  assert.deepEqual(
    mutants.map(({ name }) => name.replace('server/funding/thing.ts:', '')),
    [
      "2 without its guard: if (state !== 'pending') refuse('illegal_move', 'decided already')",
      "3 without its guard: if (amount === null) throw new Error('no amount')",
      '8 without its lock: await lockAccount(tx, amount)',
      "11 without its workspace: .where('workspace_id', '=', 'w')",
      "12 without its member: .where('rows.member_id', '=', 'm')",
      '14 without its lock: .forUpdate()',
    ],
  )
  const [first] = mutants
  assert.equal(first?.text, thing.replace(/ {2}if \(state.*\n/, ''))
})

test('runs the fast tests of the same folder that reach the file, the one with its name first', () => {
  assert.deepEqual(filesToMutate(root), ['server/funding/thing.ts'])
  assert.deepEqual(testsReaching(root, openReach(root))('server/funding/thing.ts'), [
    'server/funding/thing.test.ts',
    'server/funding/a.test.ts',
  ])
})

test('draws the same mutants for the same seed, without duplicates', () => {
  const items = Array.from({ length: 50 }, (_none, at) => at)
  const drawn = draw(items, 20, randomBySeed(7))
  assert.deepEqual(draw(items, 20, randomBySeed(7)), drawn)
  assert.notDeepEqual(draw(items, 20, randomBySeed(8)), drawn)
  assert.equal(new Set(drawn).size, 20)
  assert.equal(draw(items, 80, randomBySeed(7)).length, 50)
})
