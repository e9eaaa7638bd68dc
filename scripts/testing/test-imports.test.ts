import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openReach } from './test-imports.ts'
import { openLedger } from './test-ledger.ts'

const files = {
  'package.json': '{}',
  'contract/package.json': '{}',
  'contract/money.ts': "import { a } from './texts.ts'",
  'contract/texts.ts': '',
  'server/package.json': '{}',
  'server/migrate.ts': "const folder = new URL('./migrations/', import.meta.url)",
  'server/migrations/1.sql': '',
  'server/deposit.ts': "import type { M } from '@atrium/contract/money.ts'\nimport pg from 'pg'",
  'server/deposit.test.ts':
    "import { test } from 'node:test'\nimport {\n  a,\n} from './deposit.ts'\nimport './migrate.ts'",
  'server/lazy.test.ts': "const part = await import('./deposit.ts')\nconst own = new URL('../server', import.meta.url)",
  'server/circle.ts': "export * from './circle.test.ts'",
  'server/circle.test.ts': "import './circle.ts'",
  'server/tree.test.ts': "import { globSync } from 'node:fs'\nglobSync('**/*')",
  'web/portal/main.tsx': '',
  'journeys/member.journey.ts': '',
  'node_modules/pg/index.js': '',
}

let root: string
before(() => {
  root = mkdtempSync(join(tmpdir(), 'atrium-reach-'))
  for (const [file, text] of Object.entries(files)) write(file, text)
})
after(() => rmSync(root, { recursive: true, force: true }))

function write(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

const reachOf = (file: string) => openReach(root).reachedFrom(file)

describe('files that a test reaches', () => {
  test('include its imports, through our packages, and named folders', () => {
    assert.deepEqual(reachOf('server/deposit.test.ts'), [
      'contract/money.ts',
      'contract/texts.ts',
      'package.json',
      'server/deposit.test.ts',
      'server/deposit.ts',
      'server/migrate.ts',
      'server/migrations/1.sql',
    ])
  })
  test('include dynamic imports, but not a package named only by its place', () => {
    const reached = reachOf('server/lazy.test.ts')
    assert.ok(reached.includes('contract/texts.ts'))
    assert.ok(!reached.includes('server/migrate.ts'))
  })
  test('include cyclic imports', () => {
    assert.deepEqual(reachOf('server/circle.test.ts'), ['package.json', 'server/circle.test.ts', 'server/circle.ts'])
  })
  for (const file of ['server/tree.test.ts', 'journeys/member.journey.ts']) {
    test(`are all files, without installed ones, for ${file}`, () => {
      const reached = reachOf(file)
      assert.ok(reached.includes('web/portal/main.tsx'))
      assert.ok(!reached.some((path) => path.startsWith('node_modules')))
    })
  }
})

describe('the proof of a test', () => {
  const digest = () => openReach(root).digestOf('server/deposit.test.ts')

  test('is valid while no file that the test reaches changes', () => {
    const proof = { digest: digest(), passed: 3 }
    openLedger(root).record('server/deposit.test.ts', proof)
    assert.equal(openLedger(root).provenBefore('server/deposit.test.ts', digest()), 3)
    write('server/tree.test.ts', '// Something else.')
    assert.equal(openLedger(root).provenBefore('server/deposit.test.ts', digest()), 3)
    write('server/migrations/1.sql', 'select 1')
    assert.equal(openLedger(root).provenBefore('server/deposit.test.ts', digest()), null)
  })
  test('is removed by a failure', () => {
    openLedger(root).record('server/deposit.test.ts', { digest: digest(), passed: 3 })
    openLedger(root).record('server/deposit.test.ts', null)
    assert.equal(openLedger(root).provenBefore('server/deposit.test.ts', digest()), null)
  })
  for (const text of ['', '{"server/deposit.test.ts":', '{"server/deposit.test.ts":{"digest":1}}', 'null']) {
    test(`is missing if the ledger reads ${JSON.stringify(text)}`, () => {
      write('node_modules/.cache/atrium-tests/proven.json', text)
      assert.equal(openLedger(root).provenBefore('server/deposit.test.ts', digest()), null)
    })
  }
})
