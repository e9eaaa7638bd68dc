// spec: OP operation
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { startStorage } from '../../tests/doubles/bucket.ts'
import { type MadeContext, makeTestContext, type TestContext } from '../../tests/fixtures/context.ts'
import { makeWebBuild } from '../../tests/fixtures/web-build.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { openBucketStore } from '../files/s3-store.ts'
import { type FileStore, openFolderStore } from '../files/store.ts'
import { sweepUploads } from '../files/sweep.ts'
import { Unavailable } from '../foundation/errors.ts'
import { makeSeal } from '../foundation/secrets.ts'
import { resealBuilds } from './resealing.ts'
import { removeOldBuilds, startStoringBuild, unusedForMs } from './store-build.ts'
import { buildsFolder } from './stored-build.ts'

const script = `console.log('${'a long line; '.repeat(200)}')`
const common = { 'base-00000000.js': 'common to both' }
const first = {
  packed: { 'portal-11111111.js': script },
  plain: {
    ...common,
    'flag-1a1a1a1a.svg': '<svg/>',
    'pdf-data/6.5.1/cmaps/H.bcmap': 'table',
    'robots.txt': 'no asset',
  },
}
const second = {
  packed: { 'portal-22222222.css': 'a{}'.repeat(500) },
  plain: { ...common, 'lazy.module-2b2b2b2b.js': 'later', 'viewer-2c2c2c2c.js': 'frame', 'empty-2d2d2d2d.js': '' },
  frame: '<script src="/assets/viewer-2c2c2c2c.js"></script>',
}

let made: MadeContext
let storage: Awaited<ReturnType<typeof startStorage>>
before(async () => {
  made = await makeTestContext()
  made.context.clock.set(new Date())
  storage = await startStorage()
})
after(async () => {
  await storage.close()
  await made.close()
})

/** Starts a process of another build on the same storage, up to the point where it listens. */
async function startProcess(files: FileStore, webDirectory: string, more: Partial<TestContext> = {}) {
  const context: TestContext = { ...made.context, files, config: { ...made.context.config, webDirectory }, ...more }
  const app = await buildApp(context)
  const stop = await startStoringBuild(context)
  return {
    context,
    app,
    async end() {
      stop()
      await app.close()
    },
  }
}
type Process = Awaited<ReturnType<typeof startProcess>>

const ask = (app: FastifyInstance, name: string, headers: Record<string, string> = {}) =>
  app.inject({ url: `/assets/${name}`, headers })

/** Sends the path unnormalized. */
async function askAsItIs(app: FastifyInstance, path: string): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo
  const [answer] = (await once(request({ port, path, host: '127.0.0.1' }).end(), 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return answer
}

const names = ['cache-control', 'content-type', 'content-encoding', 'vary', 'access-control-allow-origin']
const secured = ['x-content-type-options', 'content-security-policy', 'cross-origin-resource-policy', 'x-frame-options']

const kinds: Record<string, (folder: string) => FileStore> = {
  folder: (folder) => openFolderStore(join(folder, 'files')),
  bucket: () => openBucketStore(storage.bucket, { pageKeysMax: 3 }),
}

for (const [kind, open] of Object.entries(kinds)) {
  describe(`two builds in one ${kind}`, () => {
    let folder: string
    let files: FileStore
    let older: Process
    let newer: Process
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'atrium-builds-'))
      files = open(folder)
      older = await startProcess(files, makeWebBuild(join(folder, 'first'), first))
      // Requested before the other build exists: a name unknown then is found later.
      assert.equal((await ask(older.app, 'portal-22222222.css')).statusCode, 404)
      newer = await startProcess(files, makeWebBuild(join(folder, 'second'), second))
    })
    after(async () => {
      await older.end()
      await newer.end()
      await files.close()
      rmSync(folder, { recursive: true, force: true })
    })

    it('are both served by each process, with the same answers', async () => {
      for (const [own, other, build] of [
        [older, newer, first],
        [newer, older, second],
      ] as const) {
        for (const [name, content] of Object.entries({ ...build.plain, ...build.packed })) {
          if (name === 'robots.txt') continue
          for (const encoding of ['gzip, deflate, br', 'identity', 'br;q=0, identity']) {
            const expected = await ask(own.app, name, { 'accept-encoding': encoding })
            const found = await ask(other.app, name, { 'accept-encoding': encoding })
            assert.equal(found.statusCode, 200, `${name} ${encoding}: ${found.payload}`)
            const isPacked = found.headers['content-encoding'] === 'br'
            const bytes = isPacked ? brotliDecompressSync(found.rawPayload) : found.rawPayload
            assert.equal(bytes.toString(), content, name)
            for (const header of [...names, ...secured])
              assert.equal(found.headers[header], expected.headers[header], `${header} of ${name}, ${encoding}`)
          }
          const head = await other.app.inject({ method: 'HEAD', url: `/assets/${name}` })
          assert.deepEqual([head.statusCode, head.payload], [200, ''], name)
        }
      }
    })

    it('serve nothing under any other name', async () => {
      const hostile = [
        'robots.txt',
        'portal-33333333.js',
        'portal-1111111.js',
        'portal-11111111.js.br',
        'portal-11111111.js.map',
        'portal-11111111.html',
        'portal-11111111.js/',
        '../portal/index.html',
        '..%2fportal%2findex.html',
        '%2e%2e/%2e%2e/secret.key',
        '..\\secret.key',
        'portal%2d11111111.js',
        'portal-11111111.js%00',
        'pdf-data/6.5.1/cmaps/../../../x-11111111.js',
        'pdf-data/../../x.js',
        'pdf-data/6.5.1/cmaps/absent.bcmap',
        'constructor-11111111.constructor',
        '',
        '/',
        `${'a'.repeat(200)}-11111111.js`,
        `../${buildsFolder}/x/index`,
      ]
      await newer.app.listen({ port: 0, host: '127.0.0.1' })
      for (const name of hostile) {
        const answer = await askAsItIs(newer.app, `/assets/${name}`)
        assert.equal(answer.statusCode, 404, name)
        assert.equal(answer.headers['cache-control'], 'no-store', name)
        assert.equal(answer.headers['x-content-type-options'], 'nosniff', name)
      }
      const posted = await newer.app.inject({ method: 'POST', url: '/assets/portal-11111111.js', payload: {} })
      assert.equal(posted.statusCode, 404)
    })

    it('are written once and renewed daily', async () => {
      const written: string[] = []
      const watched: FileStore = {
        ...files,
        write: async (key, content) => {
          written.push(key.replace(/[0-9a-f]{64}/, 'build'))
          await files.write(key, content)
        },
      }
      const clock = { ...made.context.clock, now: () => new Date(made.context.clock.now().getTime() + 25 * 3_600_000) }
      const start = async (more = {}) => (await startProcess(watched, join(folder, 'first'), more)).end()
      await start()
      assert.deepEqual(written, [])
      await start({ clock })
      assert.deepEqual(written, ['web-builds/build/index'])
      await start({ clock })
      assert.deepEqual(written, ['web-builds/build/index'])
    })

    it('are stored again when their content is missing or the key changes', async () => {
      const content = (await keysOf(files)).filter((key) => key.endsWith('/content'))
      for (const key of content) await files.remove(key)
      await (await startProcess(files, join(folder, 'first'))).end()
      assert.equal((await keysOf(files)).filter((key) => key.endsWith('/content')).length, 1)
      const { secretKey } = made.context.config
      const seal = makeSeal('another key, of forty letters or so and more', [secretKey])
      const changed = await startProcess(files, join(folder, 'second'), { seal })
      assert.equal((await ask(changed.app, 'portal-11111111.js')).statusCode, 200)
      await changed.end()
      const after = await startProcess(files, join(folder, 'first'), {
        seal: makeSeal('another key, of forty letters or so and more'),
      })
      assert.equal((await ask(after.app, 'portal-22222222.css')).statusCode, 200)
      await after.end()
    })

    it('are served after a key change, even if no process of the build runs', async () => {
      const { secretKey } = made.context.config
      const next = 'the key after that, of forty letters or so'
      for (const build of ['first', 'second']) await (await startProcess(files, join(folder, build))).end()
      const own = await startProcess(files, join(folder, 'second'), { seal: makeSeal(next, [secretKey]) })
      assert.deepEqual(await resealBuilds(own.context), { sealed_anew: 1, unreadable: 0 })
      assert.deepEqual(await resealBuilds(own.context), { sealed_anew: 0, unreadable: 0 })
      await own.end()
      const after = await startProcess(files, join(folder, 'second'), { seal: makeSeal(next) })
      assert.equal((await ask(after.app, 'portal-11111111.js')).statusCode, 200)
      await after.end()
      const otherKeys = { ...made.context, files, seal: makeSeal('a key that has sealed nothing of all this') }
      assert.deepEqual(await resealBuilds(otherKeys), { sealed_anew: 0, unreadable: 2 })
    })

    it('are separate from uploads, and are removed after a month without renewal', async () => {
      const system = await addWorkspace(made.context)
      const later = (ms: number) => ({ ...made.context.clock, now: () => new Date(Date.now() + ms) })
      const swept = await sweepUploads({
        ...system,
        context: { ...made.context, files, clock: later(unusedForMs * 2) },
      })
      assert.equal(swept.files, 0)
      const there = await keysOf(files)
      assert.equal(there.length, 4)
      await removeOldBuilds({ ...made.context, files, clock: later(unusedForMs - 3_600_000) })
      assert.deepEqual(await keysOf(files), there)
      await removeOldBuilds({ ...made.context, files, clock: later(unusedForMs + 3_600_000) })
      assert.deepEqual(await keysOf(files), [])
      const fresh = await startProcess(files, join(folder, 'second'))
      assert.equal((await ask(fresh.app, 'portal-11111111.js')).statusCode, 404)
      await fresh.end()
    })
  })
}

async function keysOf(files: FileStore): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of files.list(buildsFolder)) keys.push(key)
  return keys.sort()
}

describe('untrusted storage', () => {
  let folder: string
  let files: FileStore
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-builds-'))
    files = openFolderStore(join(folder, 'files'))
    makeWebBuild(join(folder, 'first'), first)
    makeWebBuild(join(folder, 'second'), second)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('cannot inject a script', async () => {
    await (await startProcess(files, join(folder, 'first'))).end()
    const keys = await keysOf(files)
    const content = keys.find((key) => key.endsWith('/content')) ?? ''
    const index = keys.find((key) => key.endsWith('/index')) ?? ''
    const at = (key: string) => join(folder, 'files', key)
    writeFileSync(at(content), 'alert(document.cookie)'.repeat(200))
    const process = await startProcess(files, join(folder, 'second'))
    for (const name of ['portal-11111111.js', 'flag-1a1a1a1a.svg'])
      assert.equal((await ask(process.app, name)).statusCode, 404)
    for (const wrong of [
      Buffer.alloc(0),
      Buffer.from('{}'),
      makeSeal('somebody else, who has a key').seal('{"format":1}'),
    ]) {
      writeFileSync(at(index), wrong)
      assert.equal((await ask(process.app, 'portal-11111111.js')).statusCode, 404)
    }
    assert.equal((await ask(process.app, 'portal-22222222.css')).statusCode, 200)
    await process.end()
    await (await startProcess(files, join(folder, 'first'))).end()
    const healed = await startProcess(files, join(folder, 'second'))
    assert.equal((await ask(healed.app, 'flag-1a1a1a1a.svg')).statusCode, 200)
    await healed.end()
  })

  it('stops neither the start nor the own build when it fails', async () => {
    const away = async (): Promise<never> => {
      throw new Unavailable('It is away')
    }
    const faulty = async (): Promise<never> => {
      throw new Error('EACCES: not ours')
    }
    for (const fail of [away, faulty]) {
      const broken: FileStore = {
        ...{ write: fail, read: fail, remove: fail, close: files.close },
        // biome-ignore lint/correctness/useYield: it fails before the first.
        async *list() {
          await fail()
        },
      }
      const process = await startProcess(broken, join(folder, 'second'))
      assert.equal((await ask(process.app, 'portal-22222222.css')).statusCode, 200)
      const other = await ask(process.app, 'portal-11111111.js')
      assert.deepEqual([other.statusCode, other.headers['cache-control']], [503, 'no-store'])
      await process.end()
    }
  })

  it('is logged when it refuses writes', async () => {
    const lines: string[] = []
    const quiet = await makeTestContext({ logLines: lines, environment: { ATRIUM_WEB_DIST: join(folder, 'first') } })
    // A file is in the place of the folder.
    mkdirSync(join(quiet.folder, 'files'), { recursive: true })
    writeFileSync(join(quiet.folder, 'files', buildsFolder), '')
    const stop = await startStoringBuild(quiet.context)
    stop()
    await quiet.close()
    assert.ok(
      lines.some((line) => line.includes('could not be stored for other processes')),
      lines.join(''),
    )
  })
})

it('runs without a web build', async () => {
  const process = await startProcess(made.context.files, join(made.folder, 'absent'))
  assert.equal((await ask(process.app, 'portal-11111111.js')).statusCode, 404)
  await process.end()
})

it('serves its own build after another one replaced the folder', async () => {
  const folder = join(made.folder, 'replaced')
  const process = await startProcess(made.context.files, makeWebBuild(folder, first))
  rmSync(folder, { recursive: true, force: true })
  makeWebBuild(folder, second)
  for (const name of ['portal-11111111.js', 'portal-22222222.css'])
    assert.equal((await ask(process.app, name)).statusCode, 200)
  await process.end()
})
