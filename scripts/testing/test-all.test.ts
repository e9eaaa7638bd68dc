import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  everydayJourneys,
  everydaySlow,
  findOnly,
  isAlone,
  isGuard,
  minutesFor,
  ofFirefox,
  ofHistory,
  planTests,
  UsageError,
} from './test-plan.ts'
import type { FileReport } from './test-pool.ts'
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
    test('are those that import a changed file, and every journey, committed or not', () => {
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
  test('in a run with a limit, only money and access begin in its last third', () => {
    assert.equal(minutesFor('server/withdrawals/overdraw.slow.test.ts', 18), 18)
    assert.equal(minutesFor('journeys/everybody/hostile-names.journey.ts', 18), 12)
  })
  test('money and sign-in count as guarded, a page does not', () => {
    assert.ok(isGuard('server/withdrawals/overdraw.slow.test.ts') && isGuard('server/sessions/guessing.slow.test.ts'))
    assert.ok(
      !isGuard('server/members/desk-list.slow.test.ts') && !isGuard('journeys/everybody/hostile-names.journey.ts'),
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
