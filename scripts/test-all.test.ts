import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findOnly, longestJourney, neverLeftOut, ofFirefox, ofHistory, planTests, UsageError } from './test-plan.ts'
import { type FileReport, runPool } from './test-pool.ts'
import type { Counts } from './test-reporter.ts'
import { closingLine, closingLines, isGreen, slowest } from './test-result.ts'

let root: string
before(() => {
  root = mkdtempSync(join(tmpdir(), 'atrium-runner-'))
})
after(() => rmSync(root, { recursive: true, force: true }))

function write(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
  return file
}

describe('counting', () => {
  async function runFiles(sources: readonly string[], { isAlone = false } = {}) {
    const files = sources.map((source, index) => {
      write(`run/${index}.test.mjs`, `import { after, before, describe, test } from 'node:test'\n${source}`)
      return { path: join(root, `run/${index}.test.mjs`), isAlone }
    })
    const reports: FileReport[] = []
    const pool = { cwd: root, env: process.env, lanes: 1, running: new Set<ChildProcess>(), mayBegin: () => true }
    const left = await runPool(files, { ...pool, output: 'ignore', onFile: (report) => reports.push(report) })
    assert.deepEqual(left, [])
    assert.deepEqual(
      reports.map(({ file }) => file),
      files.map(({ path }) => path),
    )
    assert.equal(pool.running.size, 0)
    const sum = (name: keyof Counts) => reports.reduce((total, report) => total + report[name], 0)
    const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
    return { counts, reds: reports.flatMap((report) => report.reds) }
  }

  for (const [name, sources, expected] of [
    ['passing tests', ["test('a', () => {}); test('b', () => {})"], { passed: 2, failed: 0, skipped: 0 }],
    ['suites are not tests', ["describe('s', () => { test('a', () => {}) })"], { passed: 1, failed: 0, skipped: 0 }],
    ['a failure', ["test('a', () => { throw new Error('no') })"], { passed: 0, failed: 1, skipped: 0 }],
    ['skipped and postponed', ["test.skip('a'); test.todo('b')"], { passed: 0, failed: 0, skipped: 2 }],
    ['a file that breaks', ["test('a', () => {})", 'throw new Error("no")'], { passed: 1, failed: 1, skipped: 0 }],
    [
      'a hook that breaks',
      ["before(() => { throw new Error('no') }); test('a', () => {})"],
      { passed: 0, failed: 2, skipped: 0 },
    ],
    ['a file without tests', ['', "test('a', () => {})"], { passed: 1, failed: 1, skipped: 0 }],
    [
      'a process that ends',
      ["test('a', () => {})", "test('b', () => process.exit(0))", "test('c', () => {})"],
      { passed: 2, failed: 1, skipped: 0 },
    ],
    [
      'a test that never ends',
      ["test('a', { timeout: 1 }, () => new Promise((done) => setTimeout(done, 1000)))"],
      { passed: 0, failed: 1, skipped: 0 },
    ],
  ] as const) {
    for (const isAlone of [false, true])
      test(`${name}, ${isAlone ? 'each file in a process of its own' : 'all files in one process'}`, async () => {
        const { counts, reds } = await runFiles(sources, { isAlone })
        assert.deepEqual(counts, expected)
        assert.equal(reds.length, expected.failed)
      })
  }

  test('the hooks of a file run around its own tests alone', async () => {
    const hooked = (name: string) => `
      before(() => { globalThis.open = [...(globalThis.open ?? []), '${name}'] })
      after(() => { globalThis.open = globalThis.open.filter((name) => name !== '${name}') })
      test('${name}', () => { if (globalThis.open.join() !== '${name}') throw new Error(globalThis.open.join()) })`
    assert.deepEqual((await runFiles([hooked('a'), hooked('b')])).counts, { passed: 2, failed: 0, skipped: 0 })
  })

  test('what a file changes of its process is as before for the next one', async () => {
    const changes =
      "import { mock } from 'node:test'; process.env.ATRIUM_TEST_LEFT_OVER = '1'; test('a', () => void mock.method(globalThis, 'fetch', () => 0))"
    const looks = "test('b', () => { if (process.env.ATRIUM_TEST_LEFT_OVER || fetch.mock) throw new Error('changed') })"
    assert.deepEqual((await runFiles([changes, looks])).counts, { passed: 2, failed: 0, skipped: 0 })
  })

  test('a failure says its place and its reason', async () => {
    const source = "test('the name', () => { throw new Error('outer', { cause: new Error('inner') }) })"
    const { reds } = await runFiles([source])
    assert.equal(reds.length, 1)
    assert.match(reds[0] ?? '', /run\/0\.test\.mjs:2 {2}the name: outer$/)
  })
})

describe('the closing line', () => {
  for (const [counts, line, green] of [
    [{ passed: 3, failed: 0, skipped: 0 }, '3 passed, 0 failed', true],
    [{ passed: 3, failed: 1, skipped: 0 }, '3 passed, 1 failed', false],
    [{ passed: 3, failed: 0, skipped: 1 }, '3 passed, 0 failed, 1 skipped', false],
    [{ passed: 0, failed: 0, skipped: 0 }, '0 passed, 0 failed', false],
  ] as const) {
    test(line, () => assert.deepEqual([closingLine(counts), isGreen(counts)], [line, green]))
  }

  test('names what was red, and is the last one', () => {
    const lines = closingLines({ passed: 3, failed: 2, skipped: 0, reds: ['lint', 'server/a.test.ts:2  adds'] })
    assert.deepEqual(lines.split('\n'), ['✖ lint', '✖ server/a.test.ts:2  adds', '3 passed, 2 failed'])
  })
})

describe('the slowest files', () => {
  const report = (wallMs: number): FileReport => ({
    file: `${wallMs}.test.ts`,
    wallMs,
    cpuMs: 500,
    passed: 1,
    failed: 0,
    skipped: 0,
    reds: [],
  })

  test('are named from the slowest on', () => {
    const lines = slowest([report(1000), report(3000), report(2000)], 2).split('\n')
    assert.deepEqual(lines, [
      'The slowest files:',
      '  3.0 s (0.5 s of a core)  3000.test.ts',
      '  2.0 s (0.5 s of a core)  2000.test.ts',
    ])
  })
  test('are not named where there are few', () => assert.equal(slowest([report(1)], 10), ''))
})

describe('what is run', () => {
  before(() => {
    for (const file of [
      'server/a.test.ts',
      'server/b.slow.test.ts',
      'web/node_modules/x/c.test.ts',
      'journeys/d.journey.ts',
    ])
      write(file, '')
  })

  test('everything', () => {
    const tests = ['server/a.test.ts', 'server/b.slow.test.ts']
    assert.deepEqual(planTests([], root), { kind: 'all', tests, journeys: ['journeys/d.journey.ts'], notHere: [] })
  })
  test('everything that an archive has all it needs for, and the rest is named', () => {
    for (const file of ofHistory) write(file, '')
    const plan = planTests([], root)
    assert.ok(plan.kind === 'all')
    assert.deepEqual(plan.tests, ['server/a.test.ts', 'server/b.slow.test.ts'])
    assert.deepEqual(plan.notHere, [{ lacks: 'the history of the repository', files: ofHistory }])
    for (const file of ofHistory) rmSync(join(root, file))
  })
  for (const args of [[], ['--most']])
    test(`${args[0] ?? 'everything'} where there is no Firefox, and what needs one is named`, () => {
      for (const file of ofFirefox) write(file, '')
      const without = planTests(args, root, { PATH: root })
      assert.ok(without.kind === 'all' || without.kind === 'most')
      assert.deepEqual(without.journeys, ['journeys/d.journey.ts'])
      assert.deepEqual(without.notHere, [{ lacks: 'Firefox', files: ofFirefox }])
      const browser = join(root, write('firefox-esr', ''))
      for (const env of [{ PATH: root }, { PATH: '', FIREFOX_PATH: browser }]) {
        const plan = planTests(args, root, env)
        assert.ok(plan.kind === 'all' || plan.kind === 'most')
        assert.deepEqual(plan.journeys.toSorted(), ['journeys/d.journey.ts', ...ofFirefox])
        assert.deepEqual(plan.notHere, [])
      }
      for (const file of [...ofFirefox, 'firefox-esr']) rmSync(join(root, file))
    })
  test('the fast half', () => {
    assert.deepEqual(planTests(['--fast'], root), { kind: 'fast', tests: ['server/a.test.ts'], journeys: [] })
  })
  test('what ninety minutes are enough for', () => {
    const here = dirname(import.meta.dirname)
    const [all, most] = [planTests([], here), planTests(['--most'], here)]
    assert.ok(all.kind === 'all' && most.kind === 'most')
    const left = [...all.tests, ...all.journeys].filter((file) => ![...most.tests, ...most.journeys].includes(file))
    assert.deepEqual(
      left.filter((file) => !file.endsWith('.slow.test.ts')),
      [longestJourney],
    )
    assert.deepEqual(
      most.tests.filter((file) => file.endsWith('.slow.test.ts')),
      neverLeftOut,
    )
  })
  for (const [what, args, tests, journeys] of [
    [
      'named files',
      ['server/b.slow.test.ts', './journeys/d.journey.ts'],
      ['server/b.slow.test.ts'],
      ['journeys/d.journey.ts'],
    ],
    ['a folder', ['server/'], ['server/a.test.ts', 'server/b.slow.test.ts'], []],
    ['words that all stand in a path', ['SLOW server'], ['server/b.slow.test.ts'], []],
    ['each thing once', ['server', 'b.slow'], ['server/a.test.ts', 'server/b.slow.test.ts'], []],
  ] as const) {
    test(what, () => assert.deepEqual(planTests([...args], root), { kind: 'files', tests, journeys }))
  }
  test('all of it, but what was proven, in parts of which each file is in one', () => {
    const parts = ['1/2', '2/2'].map((shard) => planTests(['--all', '--shard', shard], root))
    const whole = planTests(['--all'], root)
    assert.ok('leavesOutProven' in whole)
    assert.deepEqual(
      parts.flatMap((part) => ('tests' in part ? [...part.tests, ...part.journeys] : [])).sort(),
      [...whole.tests, ...whole.journeys].sort(),
    )
    assert.deepEqual(planTests(['--all', '--fresh'], root), planTests([], root))
  })
  for (const args of [
    ['--quick'],
    ['--fast', '--faults'],
    ['server/missing.test.ts'],
    ['--all', '--shard', '3/2'],
    ['--all', '--shard', 'half'],
    ['--all', 'server'],
  ]) {
    test(`not ${args.join(' ')}`, () => assert.throws(() => planTests(args, root), UsageError))
  }
  test('a test that is marked as the only one is found', () => {
    write('one.test.ts', `test.${'only'}('a', () => {})`)
    write('two.test.ts', `test('a', { ${'only'}: true }, () => {})`)
    write('three.test.ts', "test('a', () => {})")
    assert.deepEqual(findOnly(['one.test.ts', 'two.test.ts', 'three.test.ts'], root), ['one.test.ts', 'two.test.ts'])
  })
})
