import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { explainFolder, nodeProgram, SetUpProblem, setUp } from './setup.js'

let root: string
let said: string[]
const print = (line: string) => said.push(line)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'atrium-setup-'))
  said = []
  write('package.json', JSON.stringify({ type: 'module', workspaces: ['web'] }))
  write('package-lock.json', '{}')
  write('web/package.json', '{}')
  write('web/main.ts', 'first')
  write('contract/money/money.ts', 'first')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

/** A fake npm that installs a fake vite: each appends a line to its own log when it runs. */
function fakeNpm({ script = '' } = {}) {
  const vite = `
    import { appendFileSync, mkdirSync } from 'node:fs'
    mkdirSync('web/dist', { recursive: true })
    appendFileSync('built', 'x')`
  const source = `
    const { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
    ${script}
    rmSync('node_modules', { recursive: true, force: true })
    mkdirSync('node_modules/.bin', { recursive: true })
    mkdirSync('node_modules/vite/bin', { recursive: true })
    symlinkSync(process.execPath, 'node_modules/.bin/node')
    writeFileSync('node_modules/vite/bin/vite.js', ${JSON.stringify(vite)})
    appendFileSync('installed', 'x')`
  const file = join(root, 'fake', 'npm-cli.js')
  write('fake/package.json', '{}')
  write('fake/npm-cli.js', source)
  return { PATH: '', npm_execpath: file, npm_node_execpath: process.execPath }
}

function times(list: 'installed' | 'built') {
  return existsSync(join(root, list)) ? readFileSync(join(root, list), 'utf8').length : 0
}

const setUpFake = (build = true, env: NodeJS.ProcessEnv = fakeNpm()) => setUp({ build, root, print, env })

describe('set-up steps', () => {
  test('the first run installs and builds, the second does nothing and prints nothing', async () => {
    await setUpFake()
    assert.deepEqual([times('installed'), times('built')], [1, 1])
    assert.match(said.join('\n'), /Installed packages in \d+\.\d s\n.*\nBuilt the web in \d+\.\d s$/)
    said = []
    await setUpFake(true, { PATH: '' }) // No npm in the path: it must not be needed.
    assert.deepEqual([times('installed'), times('built'), said], [1, 1, []])
  })

  for (const file of ['package-lock.json', 'package.json', 'web/package.json', '.npmrc']) {
    test(`a changed ${file} installs again`, async () => {
      await setUpFake(false)
      write(file, JSON.stringify({ type: 'module', workspaces: ['web'], changed: true }))
      await setUpFake(false)
      assert.deepEqual([times('installed'), times('built')], [2, 0])
    })
  }

  for (const file of ['web/main.ts', 'web/new.tsx', 'contract/money/money.ts']) {
    test(`a changed ${file} builds again without installing`, async () => {
      await setUpFake()
      write(file, 'second')
      await setUpFake()
      assert.deepEqual([times('installed'), times('built')], [1, 2])
    })
  }

  test('a new timestamp or a changed test does not trigger a build', async () => {
    await setUpFake()
    utimesSync(join(root, 'web/main.ts'), new Date(), new Date())
    write('web/main.test.ts', 'a test')
    await setUpFake()
    assert.equal(times('built'), 1)
  })

  test('skips the build when it is not requested', async () => {
    await setUpFake(false)
    assert.equal(times('built'), 0)
  })

  test('repeats an interrupted install', async () => {
    await assert.rejects(setUpFake(false, fakeNpm({ script: 'process.exit(1)' })))
    await setUpFake(false)
    assert.equal(times('installed'), 1)
  })
})

describe('concurrent set-ups', () => {
  test('the second one waits and finds the work done', async () => {
    await Promise.all([setUpFake(), setUpFake()])
    assert.deepEqual([times('installed'), times('built')], [1, 1])
    assert.equal(said.filter((line) => line.startsWith('Waiting for another set-up')).length, 1)
    assert.equal(existsSync(join(root, '.setup-lock')), false)
  })

  test('takes over the lock of a killed holder', async () => {
    const holder = spawn(process.execPath, ['-e', ''])
    await once(holder, 'exit')
    write('.setup-lock/holder', JSON.stringify({ pid: holder.pid, host: hostname() }))
    await setUpFake()
    assert.equal(times('installed'), 1)
  })

  test('takes over a lock of another machine without a heartbeat', async () => {
    write('.setup-lock/holder', JSON.stringify({ pid: process.pid, host: 'elsewhere' }))
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(join(root, '.setup-lock'), longAgo, longAgo)
    await setUpFake()
    assert.equal(times('installed'), 1)
  })
})

test('takes over a lock of another machine that was set before the clock went back', async () => {
  write('.setup-lock/holder', JSON.stringify({ pid: process.pid, host: 'elsewhere' }))
  const ahead = new Date(Date.now() + 3_600_000)
  utimesSync(join(root, '.setup-lock'), ahead, ahead)
  await setUpFake()
  assert.equal(times('installed'), 1)
})

describe('error messages', () => {
  const failing = (text: string) => fakeNpm({ script: `console.error(${JSON.stringify(text)}); process.exit(1)` })

  for (const [name, text, expected] of [
    ['no network', 'npm error code EAI_AGAIN', /registry cannot be reached/],
    ['a full disk', 'npm error code ENOSPC', /disk is full\. Free some space and start again\.$/],
    ['anything else', 'npm error something new', /something new\n\nIt ended with code 1/],
  ] as const) {
    test(`explains ${name}`, async () => {
      await assert.rejects(setUpFake(false, failing(text)), (error) => {
        assert.ok(error instanceof SetUpProblem)
        assert.match(error.message, expected)
        return true
      })
    })
  }

  test('explains a full disk while the web is built, and before anything runs', async () => {
    const env = fakeNpm()
    await setUp({ build: true, root, print, env })
    write('node_modules/vite/bin/vite.js', `console.error('ENOSPC: no space left on device, write'); process.exit(1)`)
    write('web/main.ts', 'second')
    await assert.rejects(setUp({ build: true, root, print, env }), /Free some space and start again\.$/)
    const ofFolder = (code: string) => explainFolder(Object.assign(new Error(`${code}: of mkdir`), { code }))
    assert.match(ofFolder('ENOSPC') ?? '', /Free some space and start again\.$/)
    assert.match(ofFolder('EROFS') ?? '', /^This folder cannot be written to .*: start as its owner\.$/)
    assert.equal(ofFolder('ENOENT'), undefined)
  })

  test('explains a missing npm', async () => {
    await assert.rejects(setUp({ build: false, root, print, env: { PATH: root } }), /npm was not found/)
  })
})

test('npm gets its own cache folder if the user has none', async () => {
  const script = "require('node:fs').writeFileSync('cache', process.env.npm_config_cache)"
  await setUpFake(false, { ...fakeNpm({ script }), npm_config_cache: '/dev/null/cache' })
  assert.ok(readFileSync(join(root, 'cache'), 'utf8').startsWith(tmpdir()))
})

test('commands run on the Node that npm installed', () => {
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true })
  symlinkSync(process.execPath, join(root, 'node_modules', '.bin', 'node'))
  assert.equal(nodeProgram(root), join(root, 'node_modules', '.bin', 'node'))
})
