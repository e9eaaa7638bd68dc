import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { type Counts, type FileReport, interrupt, runPool, type TestFile } from './test-pool.ts'

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

/** A test with an error that it does not handle. */
const straying =
  "test('a', async () => { setTimeout(() => { throw new Error('no') }); await new Promise((done) => setTimeout(done, 50)) })"

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
    {
      workers = 1,
      running = new Set<ChildProcess>(),
      mayBegin = (_file?: string): boolean => true,
      silentMsMax = 300_000,
    } = {},
  ): Promise<FileReport[]> {
    const reports: FileReport[] = []
    const pool = { cwd: root, env: process.env, workers, running, mayBegin, silentMsMax }
    const left = await runPool(files, { ...pool, output: 'ignore', onFile: (report) => reports.push(report) })
    const begun = reports.map(({ file }) => file)
    assert.deepEqual([...begun, ...left].toSorted(), files.map(({ path }) => path).toSorted())
    assert.equal(pool.running.size, 0)
    return reports
  }

  for (const [name, sources, expected] of [
    ['passing tests', ["test('a', () => {}); test('b', () => {})"], { passed: 2, failed: 0, skipped: 0 }],
    [
      'a test that waits for nothing',
      ["test('a', () => new Promise(() => {}))", "test('b', () => {})"],
      { passed: 1, failed: 1, skipped: 0 },
    ],
    [
      'tests without their suites',
      ["describe('s', () => { test('a', () => {}) })"],
      { passed: 1, failed: 0, skipped: 0 },
    ],
    ['a failure', ["test('a', () => { throw new Error('no') })"], { passed: 0, failed: 1, skipped: 0 }],
    ['skipped and postponed tests', ["test.skip('a'); test.todo('b')"], { passed: 0, failed: 0, skipped: 2 }],
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
    ['an error that no test handles', [straying], { passed: 0, failed: 2, skipped: 0 }],
    [
      'a rejection that no test handles',
      [
        "test('a', async () => { await 1; void Promise.reject(new Error('no')); await new Promise((done) => setTimeout(done, 50)) })",
      ],
      { passed: 0, failed: 2, skipped: 0 },
    ],
    [
      'a file after an error that no test handles',
      [straying, "test('b', () => {})"],
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
      test(`counts ${name}, ${isAlone ? 'each file in a process of its own' : 'all files in one process'}`, async () => {
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

  const begun = () => join(root, 'begun.txt')
  /** Waits in its thread, which takes no CPU time. */
  const holding = () => `
    import { writeFileSync } from 'node:fs'
    import { test } from 'node:test'
    test('a', () => {
      writeFileSync('${begun()}', '')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const held = () => ({ path: join(root, write('run/held.test.mjs', holding())), isAlone: false })

  test('a test that never yields fails its file, and the next one runs in another process', async () => {
    const next = join(root, write('run/next.test.mjs', "import { test } from 'node:test'; test('b', () => {})"))
    const reports = await runAll([held(), { path: next, isAlone: false }], { silentMsMax: 2_000 })
    assert.deepEqual(
      reports.map(({ passed, reds }) => [passed, reds.map((red) => red.split(': ')[1])]),
      [
        [0, ['its process never yielded']],
        [1, []],
      ],
    )
  })

  test('an interruption ends a test that never yields', async () => {
    const running = new Set<ChildProcess>()
    rmSync(begun(), { force: true })
    const whole = runAll([held()], { running })
    await eventually('the test holds its process', async () => existsSync(begun()))
    interrupt(running, 0)
    const [report] = await whole
    assert.deepEqual([report?.failed, running.size], [1, 0])
  })

  test('a file that may not begin is left, and those after it', async () => {
    const files = ['x', 'y', 'z'].map((name) => ({
      path: join(root, write(`run/${name}.test.mjs`, "import { test } from 'node:test'; test('a', () => {})")),
      isAlone: false,
    }))
    const reports = await runAll(files, { mayBegin: (file) => !file?.endsWith('y.test.mjs') })
    assert.deepEqual(
      reports.map(({ file }) => file),
      [files[0]?.path],
    )
  })

  test('hooks of a file run only around its own tests', async () => {
    const hooked = (name: string) => `
      before(() => { globalThis.open = [...(globalThis.open ?? []), '${name}'] })
      after(() => { globalThis.open = globalThis.open.filter((name) => name !== '${name}') })
      test('${name}', () => { if (globalThis.open.join() !== '${name}') throw new Error(globalThis.open.join()) })`
    assert.deepEqual((await runFiles([hooked('a'), hooked('b')])).counts, { passed: 2, failed: 0, skipped: 0 })
  })

  test('changes of a file to its process are reverted before the next one', async () => {
    const changes = `
      import { mock } from 'node:test'
      process.env.ATRIUM_TEST_LEFT_OVER = '1'
      Object.assign(globalThis, { document: {} })
      Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true })
      test('a', () => void mock.method(globalThis, 'fetch', () => 0))`
    const checks = `
      test('b', () => {
        const isChanged = process.env.ATRIUM_TEST_LEFT_OVER || fetch.mock || 'document' in globalThis
        if (isChanged || !navigator.hardwareConcurrency) throw new Error('changed')
      })`
    assert.deepEqual((await runFiles([changes, checks])).counts, { passed: 2, failed: 0, skipped: 0 })
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
