import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { openReach } from '../testing/test-imports.ts'
import { draw, filesToMutate, mutantsOf, randomBySeed, testsReaching } from './mutants.ts'

const pay = `export async function pay(tx: Tx, amount: string): Promise<void> {
  if (amount === '0')
    return
  await lockAccount(tx, amount)
  await tx.selectFrom('rows')
    .where('amount', '=', amount)
    .execute()
}
`
const imports = "import { pay } from '../funding/pay.ts'"

const root = mkdtempSync(join(tmpdir(), 'atrium-mutator-'))
after(() => rmSync(root, { recursive: true }))
for (const [file, text] of [
  ['server/funding/pay.ts', pay],
  ['server/funding/pay.test.ts', "import { pay } from './pay.ts'"],
  ['server/funding/a.test.ts', "import { through } from '../members/through.ts'"],
  ['server/funding/b.test.ts', "import { pay } from './pay.ts'"],
  ['server/funding/crediting/killed.slow.test.ts', "import { pay } from '../pay.ts'"],
  ['server/funding/other.test.ts', ''],
  ['server/funding/rows.generated.ts', ''],
  ['server/members/through.ts', imports],
  ['server/members/near.test.ts', imports],
  ['server/members/beside.test.ts', "import { through } from './through.ts'"],
  ['server/members/further.ts', "import { through } from './through.ts'"],
  ['server/members/far.test.ts', "import { further } from './further.ts'"],
] as const) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

test('names each mutant by its line and what is changed', () => {
  const mutants = mutantsOf(root, 'server/funding/pay.ts', () => ['server/funding/pay.test.ts'])
  assert.deepEqual(
    mutants.map(({ name }) => name.replace('server/funding/pay.ts:', '')),
    [
      "2 without its guard: if (amount === '0') return",
      "2 with !==: if (amount === '0')",
      '4 without its lock: await lockAccount(tx, amount)',
      '4 without its await: await lockAccount(tx, amount)',
      "5 without its call: await tx.selectFrom('rows') .where('amount', '=', amount) .execute()",
      "5 without its await: await tx.selectFrom('rows')",
      "6 without its condition: .where('amount', '=', amount)",
    ],
  )
  assert.equal(mutants[1]?.text, pay.replace('===', '!=='))
  assert.deepEqual(mutants[1]?.tests, ['server/funding/pay.test.ts'])
})

test('runs the fast tests of the folder, its own and the nearest first, then near ones of other folders', () => {
  assert.deepEqual(filesToMutate(root), [
    'server/funding/pay.ts',
    'server/members/further.ts',
    'server/members/through.ts',
  ])
  assert.deepEqual(testsReaching(root, openReach(root))('server/funding/pay.ts'), [
    'server/funding/pay.test.ts',
    'server/funding/b.test.ts',
    'server/funding/a.test.ts',
    'server/members/near.test.ts',
    'server/members/beside.test.ts',
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
