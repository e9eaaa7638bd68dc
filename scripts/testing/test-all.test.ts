import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  everydayJourneys,
  everydaySlow,
  findOnly,
  isAlone,
  isGuard,
  ofFirefox,
  ofHistory,
  planTests,
  UsageError,
} from './test-plan.ts'
import type { Counts } from './test-pool.ts'
import { type FileReport, runPool, type TestFile } from './test-pool.ts'
import { closingLine, closingLines, isGreen, slowest, tooExpensive } from './test-result.ts'

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
    const reports = await runAll(files)
    const sum = (name: keyof Counts) => reports.reduce((total, report) => total + report[name], 0)
    const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
    return { counts, reds: reports.flatMap((report) => report.reds) }
  }

  async function runAll(
    files: readonly TestFile[],
    { workers = 1, running = new Set<ChildProcess>() } = {},
  ): Promise<FileReport[]> {
    const reports: FileReport[] = []
    const pool = { cwd: root, env: process.env, workers, running, mayBegin: () => true }
    const left = await runPool(files, { ...pool, output: 'ignore', onFile: (report) => reports.push(report) })
    assert.deepEqual(left, [])
    assert.deepEqual(reports.map(({ file }) => file).toSorted(), files.map(({ path }) => path).toSorted())
    assert.equal(pool.running.size, 0)
    return reports
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
      'an error that no test handles',
      [
        "test('a', async () => { setTimeout(() => { throw new Error('no') }); await new Promise((done) => setTimeout(done, 50)) })",
      ],
      { passed: 0, failed: 2, skipped: 0 },
    ],
    [
      'a rejection that no test handles',
      [
        "test('a', async () => { await 1; void Promise.reject(new Error('no')); await new Promise((done) => setTimeout(done, 50)) })",
      ],
      { passed: 0, failed: 2, skipped: 0 },
    ],
    [
      'a file after an error that no test handles',
      [
        "test('a', async () => { setTimeout(() => { throw new Error('no') }); await new Promise((done) => setTimeout(done, 50)) })",
        "test('b', () => {})",
      ],
      { passed: 1, failed: 2, skipped: 0 },
    ],
    [
      'a test and a hook that a running test registers',
      ["test('a', async () => { await 1; test('b', () => {}) })", "test('c', () => after(() => {}))"],
      { passed: 0, failed: 2, skipped: 0 },
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

  test('a file starts only after its preparation, even with free workers', async () => {
    const running = new Set<ChildProcess>()
    let begun: number | undefined
    const build = new Promise<void>((done) =>
      setImmediate(() => {
        begun = running.size
        done()
      }),
    )
    const files = ['x', 'y'].map((name) => ({
      path: join(root, write(`run/${name}.test.mjs`, "import { test } from 'node:test'; test('a', () => {})")),
      isAlone: false,
      prepare: () => build,
    }))
    await runAll(files, { workers: 3, running })
    assert.equal(begun, 0)
  })

  test('hooks of a file run only around its own tests', async () => {
    const hooked = (name: string) => `
      before(() => { globalThis.open = [...(globalThis.open ?? []), '${name}'] })
      after(() => { globalThis.open = globalThis.open.filter((name) => name !== '${name}') })
      test('${name}', () => { if (globalThis.open.join() !== '${name}') throw new Error(globalThis.open.join()) })`
    assert.deepEqual((await runFiles([hooked('a'), hooked('b')])).counts, { passed: 2, failed: 0, skipped: 0 })
  })

  test('changes of a file to its process are reverted before the next one', async () => {
    const changes =
      "import { mock } from 'node:test'; process.env.ATRIUM_TEST_LEFT_OVER = '1'; test('a', () => void mock.method(globalThis, 'fetch', () => 0))"
    const looks = "test('b', () => { if (process.env.ATRIUM_TEST_LEFT_OVER || fetch.mock) throw new Error('changed') })"
    assert.deepEqual((await runFiles([changes, looks])).counts, { passed: 2, failed: 0, skipped: 0 })
  })

  test('shared journey resources are closed once, before a file of another kind', async () => {
    const closed = join(root, 'closed.txt')
    const fixture = join(import.meta.dirname, '../../tests/fixtures/end-of-worker.ts')
    const inJourney = write(
      'run/shares.journey.ts',
      `import { appendFileSync, existsSync } from 'node:fs'
      import { test } from 'node:test'
      import { atEndOfJourneys } from '${fixture}'
      test('a', () => atEndOfJourneys(async () => appendFileSync('${closed}', 'closed')))`,
    )
    const beside = write(
      'run/beside.journey.ts',
      `import { existsSync } from 'node:fs'
      import { test } from 'node:test'
      test('b', () => { if (existsSync('${closed}')) throw new Error('closed too early') })`,
    )
    const other = write(
      'run/other.test.ts',
      `import { readFileSync } from 'node:fs'
      import { test } from 'node:test'
      test('c', () => { if (readFileSync('${closed}', 'utf8') !== 'closed') throw new Error('still open') })`,
    )
    const reports = await runAll([inJourney, beside, other].map((file) => ({ path: join(root, file), isAlone: false })))
    assert.deepEqual(
      reports.flatMap(({ reds }) => reds),
      [],
    )
    assert.equal(readFileSync(closed, 'utf8'), 'closed')
  })

  test('a failure shows its place and its reason', async () => {
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

  test('repeats the failures and is printed last', () => {
    const lines = closingLines({ passed: 3, failed: 2, skipped: 0, reds: ['lint', 'server/a.test.ts:2  adds'] })
    assert.deepEqual(lines.split('\n'), ['✖ lint', '✖ server/a.test.ts:2  adds', '3 passed, 2 failed'])
  })
})

describe('the slowest files', () => {
  const report = (wallMs: number, cpuMs = 500, slowness = 1): FileReport => ({
    file: `${wallMs}.test.ts`,
    wallMs,
    cpuMs,
    slowness,
    passed: 1,
    failed: 0,
    skipped: 0,
    reds: [],
  })

  test('are listed from the slowest on', () => {
    const lines = slowest([report(1000), report(3000), report(2000)], 2).split('\n')
    assert.deepEqual(lines, [
      'The slowest files:',
      '  3.0 s (0.5 s of a core)  3000.test.ts',
      '  2.0 s (0.5 s of a core)  2000.test.ts',
    ])
  })
  test('are not listed in a short run', () => assert.equal(slowest([report(1)], 10), ''))
  test('exceed the everyday limit by CPU time, adjusted for the speed of the machine', () => {
    const reports = [report(1, 15_001), report(2, 15_000), report(3, 29_000, 2), report(4, 31_000, 2)]
    assert.deepEqual(tooExpensive(reports), ['1.test.ts', '4.test.ts'])
  })
})

describe('the plan', () => {
  before(() => {
    for (const file of [
      'server/a.test.ts',
      'server/b.slow.test.ts',
      'web/node_modules/x/c.test.ts',
      'journeys/d.journey.ts',
    ])
      write(file, '')
  })

  const everything = {
    kind: 'all',
    tests: ['server/b.slow.test.ts', 'server/a.test.ts'],
    journeys: ['journeys/d.journey.ts'],
    notHere: [],
    checksSources: true,
    leavesOutProven: true,
  }

  test('the everyday run has the fast tests and the static checks', () => {
    const expected = {
      ...everything,
      kind: 'everyday',
      tests: ['server/a.test.ts'],
      journeys: [],
      leavesOutProven: false,
    }
    assert.deepEqual(planTests([], root), expected)
  })
  test('every everyday journey and kill test exists', () => {
    const here = dirname(dirname(import.meta.dirname))
    const { tests, journeys } = planTests([], here)
    assert.deepEqual(journeys, everydayJourneys.toSorted())
    assert.ok(everydaySlow.every((file) => tests.includes(file)))
    assert.ok(tests.length > 300)
  })
  test('the check run has only the static checks', () => {
    const { tests, journeys, checksSources } = planTests(['--checks'], root)
    assert.deepEqual({ tests, journeys, checksSources }, { tests: [], journeys: [], checksSources: true })
  })
  test('the full run starts with slow files', () => {
    assert.deepEqual(planTests(['--all'], root), everything)
    assert.deepEqual(planTests(['--all', '--fresh'], root), { ...everything, leavesOutProven: false })
  })
  test('the full run in an archive leaves out tests that need history, and names them', () => {
    for (const file of ofHistory) write(file, '')
    const plan = planTests(['--all'], root)
    assert.deepEqual(plan.tests, everything.tests)
    assert.deepEqual(plan.notHere, [{ lacks: 'the history of the repository', files: ofHistory }])
    for (const file of ofHistory) rmSync(join(root, file))
  })
  test('the full run without Firefox leaves out its tests, and names them', () => {
    for (const file of ofFirefox) write(file, '')
    const without = planTests(['--all'], root, { PATH: root })
    assert.deepEqual(without.journeys, everything.journeys)
    assert.deepEqual(without.notHere, [{ lacks: 'Firefox', files: ofFirefox }])
    const browser = join(root, write('firefox-esr', ''))
    for (const env of [{ PATH: root }, { PATH: '', FIREFOX_PATH: browser }]) {
      const plan = planTests(['--all'], root, env)
      assert.deepEqual(plan.journeys.toSorted(), ['journeys/d.journey.ts', ...ofFirefox])
      assert.deepEqual(plan.notHere, [])
    }
    for (const file of [...ofFirefox, 'firefox-esr']) rmSync(join(root, file))
  })
  for (const [what, args, tests, journeys] of [
    [
      'named files',
      ['server/b.slow.test.ts', './journeys/d.journey.ts'],
      ['server/b.slow.test.ts'],
      ['journeys/d.journey.ts'],
    ],
    ['a folder', ['server/'], ['server/a.test.ts', 'server/b.slow.test.ts'], []],
    ['words that all occur in a path', ['SLOW server'], ['server/b.slow.test.ts'], []],
    ['each item once', ['server', 'b.slow'], ['server/a.test.ts', 'server/b.slow.test.ts'], []],
  ] as const) {
    test(what, () => {
      const plan = planTests([...args], root)
      assert.deepEqual(
        { ...plan, tests: plan.tests, journeys: plan.journeys },
        {
          ...everything,
          kind: 'named',
          tests: [...tests],
          journeys: [...journeys],
          checksSources: false,
          leavesOutProven: false,
        },
      )
    })
  }
  test('the full run leaves out proven files, and its shards have each file once', () => {
    const parts = ['1/2', '2/2'].map((shard) => planTests(['--all', '--shard', shard], root))
    const whole = planTests(['--all'], root)
    assert.deepEqual(
      parts.flatMap((part) => [...part.tests, ...part.journeys]).sort(),
      [...whole.tests, ...whole.journeys].sort(),
    )
  })
  for (const args of [
    ['--quick'],
    ['--checks', '--all'],
    ['--affected', '--since', 'no-such-commit'],
    ['--affected', '--minutes', 'soon'],
    ['server/missing.test.ts'],
    ['--all', '--shard', '3/2'],
    ['--all', '--shard', 'half'],
    ['--all', 'server'],
  ]) {
    test(`rejects ${args.join(' ')}`, () => assert.throws(() => planTests(args, root), UsageError))
  }
  describe('tests affected by a change', () => {
    let repository: string
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'pipe' })
    const put = (file: string, text: string) => {
      mkdirSync(dirname(join(repository, file)), { recursive: true })
      writeFileSync(join(repository, file), text)
    }
    before(() => {
      repository = mkdtempSync(join(tmpdir(), 'atrium-affected-'))
      put('server/rate.ts', 'export const rate = 1')
      put('server/one.test.ts', "import { rate } from './rate.ts'")
      put('server/funding/two.slow.test.ts', "import { rate } from '../rate.ts'")
      put('server/other.slow.test.ts', '')
      put('journeys/walk.journey.ts', '')
      git('init', '--quiet', '--initial-branch=main')
      git('config', 'user.email', 'a@example.com')
      git('config', 'user.name', 'A')
      git('add', '.')
      git('commit', '--quiet', '-m', 'one')
    })
    after(() => rmSync(repository, { recursive: true, force: true }))
    const affected = (...more: string[]) => {
      const { tests, journeys } = planTests(['--affected', ...more], repository)
      return [...tests, ...journeys]
    }

    test('are all tests without a difference from main, money and access first', () => {
      assert.deepEqual(affected(), [
        'server/funding/two.slow.test.ts',
        'server/one.test.ts',
        'server/other.slow.test.ts',
        'journeys/walk.journey.ts',
      ])
    })
    test('are those that import it, and every journey, committed or not', () => {
      const touched = ['server/funding/two.slow.test.ts', 'server/one.test.ts', 'journeys/walk.journey.ts']
      put('server/rate.ts', 'export const rate = 2')
      assert.deepEqual(affected(), touched)
      git('checkout', '--quiet', '-b', 'part')
      git('commit', '--quiet', '-a', '-m', 'two')
      assert.deepEqual(affected(), touched)
      assert.deepEqual(affected('--since', 'main'), touched)
      assert.deepEqual(
        affected('--slow'),
        touched.filter((file) => file !== 'server/one.test.ts'),
      )
    })
    test('are only document checks after a change of a document', () => {
      git('checkout', '--quiet', 'main')
      put('server/rate.ts', 'export const rate = 1')
      put('docs/page.md', 'text')
      assert.deepEqual(affected(), [])
    })
  })
  test('money and sign-in count as guarded, a page does not', () => {
    assert.ok(isGuard('server/withdrawals/overdraw.slow.test.ts') && isGuard('server/sessions/guessing.slow.test.ts'))
    assert.ok(
      !isGuard('server/members/desk-list.slow.test.ts') && !isGuard('journeys/everybody/worst-names.journey.ts'),
    )
  })
  for (const [options, isItsOwn] of [
    ['', false],
    ['{ movingPrices: true }', false],
    ['{ processes: 3 }', true],
    ["{ movingPrices: true, environment: { CLAMD_ADDRESS: '' } }", true],
    ['{ processes: 2, othersEnvironment }', true],
    ['{ wholeDatabase: true }', true],
  ] as const) {
    test(`a journey that opens a test app (${options}) ${isItsOwn ? 'runs alone' : 'shares a process'}`, () => {
      const file = write('opens.journey.ts', `before(async () => {\n  testApp = await openTestApp(${options})\n})`)
      assert.equal(isAlone(file, root), isItsOwn)
    })
  }
  const here = dirname(dirname(import.meta.dirname))
  test('recognizes the journeys that need a server of their own', () => {
    const { journeys } = planTests(['--all', '--fresh'], here)
    const alone = journeys.filter((file) => isAlone(file, here))
    assert.ok(alone.length > 5 && alone.length < journeys.length / 2, alone.join(' '))
  })
  test('no everyday journey starts its own server', () => {
    assert.deepEqual(
      everydayJourneys.filter((file) => isAlone(file, here)),
      [],
    )
  })
  test('a test with .only is found', () => {
    write('one.test.ts', `test.${'only'}('a', () => {})`)
    write('two.test.ts', `test('a', { ${'only'}: true }, () => {})`)
    write('three.test.ts', "test('a', () => {})")
    assert.deepEqual(findOnly(['one.test.ts', 'two.test.ts', 'three.test.ts'], root), ['one.test.ts', 'two.test.ts'])
  })
})
