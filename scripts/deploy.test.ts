import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { readEnvironment, secretVariables } from '../server/environment.ts'
import { readStages, readVariables } from './image-steps.ts'

const root = dirname(import.meta.dirname)
const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8')

/** The files under deploy/ name variables, folders and figures of the program, and nobody compiles them. */
const known = [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(
  ([, name]) => name,
)
const isKnown = (name: string): boolean =>
  known.includes(name) || secretVariables.some((secret) => name === `${secret}_FILE`)

describe('the image', () => {
  const stages = readStages(read('Dockerfile'))
  const copied = stages.flatMap(({ steps }) => steps.filter(({ word }) => word === 'COPY'))

  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const isGiven = (path: string): boolean =>
    rules.reduce((given, rule) => {
      const isAllowing = rule.startsWith('!')
      const pattern = isAllowing ? rule.slice(1) : rule
      const isAbout = [path, ...parents(path)].some((each) => pattern === '*' || matchesGlob(each, pattern))
      return isAbout ? isAllowing : given
    }, true)

  it('is made of files that are there and that the builder is given', () => {
    const sources = copied.filter(({ flags }) => !flags.from).flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1))
    assert.ok(sources.length > 8)
    for (const source of sources) {
      assert.ok(existsSync(join(root, source)), source)
      assert.ok(isGiven(source), `${source} is left out by .dockerignore`)
    }
    for (const never of [
      'data/secret.key',
      'deploy/secrets/atrium_key',
      '.env',
      '.git/config',
      'server/testing/ground.ts',
      'web/dist/x.js',
    ])
      assert.ok(!isGiven(never), `${never} would go to the builder`)
  })

  it('holds the program, and nothing of the demo, of simulators, or of how it is built and tested', () => {
    const own = stages.at(-1)?.steps.filter(({ word, flags }) => word === 'COPY' && !flags.from) ?? []
    assert.deepEqual(
      own.flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1)),
      ['package.json', 'contract', 'server'],
    )
    const needed = modulesFrom('server/main.ts')
    assert.ok(needed.size > 400)
    assert.deepEqual(
      [...needed].filter((path) => !isGiven(path) || !/^(contract|server)\//.test(path)),
      [],
    )
  })

  it('runs as an ordinary user, in production, with variables that the program knows', () => {
    const last = stages.at(-1)
    assert.ok(last)
    const words = new Map(last.steps.map(({ word, rest }) => [word, rest]))
    assert.equal(words.get('USER'), 'node')
    const variables = readVariables(words.get('ENV') ?? '')
    assert.deepEqual(
      Object.keys(variables).filter((name) => !isKnown(name)),
      [],
    )
    assert.equal(variables.NODE_ENV, 'production')
    assert.ok(words.has('HEALTHCHECK'))
    assert.equal(last.steps.at(-1)?.word, 'CMD')
  })
})

describe('the containers', () => {
  const { services, secrets } = parse(read('compose.yaml'), { merge: true }) as Compose
  const own = Object.entries(services).filter(([, { image }]) => image === 'atrium')

  it('are set up by variables that the program knows and takes', () => {
    assert.deepEqual(
      own.map(([name]) => name),
      ['web', 'jobs', 'backup'],
    )
    for (const [name, { environment = {} }] of own) {
      assert.deepEqual(
        Object.keys(environment).filter((variable) => !isKnown(variable)),
        [],
        name,
      )
      const plain = Object.entries(environment).filter(([variable]) => !variable.endsWith('_FILE'))
      const values = plain.map(([variable, value]) => [variable, String(value).replace(/^\$\{\w+:-(.*)\}$/, '$1')])
      const ofBuckets = { S3_SECRET_ACCESS_KEY: 'of the test', BACKUP_S3_SECRET_ACCESS_KEY: 'of the test' }
      const DATABASE_URL = 'postgres://database/atrium'
      const secret = { ATRIUM_SECRET_KEY: randomBytes(32).toString('base64'), DATABASE_URL, ...ofBuckets }
      assert.doesNotThrow(
        () => readEnvironment({ NODE_ENV: 'production', ...secret, ...Object.fromEntries(values) }),
        name,
      )
    }
  })

  it('cannot write to their root, gain rights, or hold a secret in a variable', () => {
    for (const [name, service] of own) {
      assert.equal(service.read_only, true, name)
      assert.deepEqual([service.cap_drop, service.security_opt], [['ALL'], ['no-new-privileges:true']], name)
      const bare = Object.keys(service.environment ?? {}).filter((variable) =>
        (secretVariables as readonly string[]).includes(variable),
      )
      // The mail server here asks for no password, and a key's name is no secret.
      assert.deepEqual(
        bare.filter((variable) => !['SMTP_URL', 'S3_ACCESS_KEY_ID', 'BACKUP_S3_ACCESS_KEY_ID'].includes(variable)),
        [],
        name,
      )
    }
  })

  it('get every secret that they name from make-secrets.sh, which keeps what is there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-deploy-'))
    try {
      cpSync(join(root, 'deploy', 'make-secrets.sh'), join(folder, 'make-secrets.sh'))
      cpSync(join(root, 'deploy', 'secrets', '.gitignore'), join(folder, 'secrets', '.gitignore'))
      const make = () => {
        const { status, stderr } = spawnSync('sh', [join(folder, 'make-secrets.sh')], { encoding: 'utf8' })
        assert.equal(status, 0, stderr)
        return readdirSync(join(folder, 'secrets')).map((name) => readFileSync(join(folder, 'secrets', name), 'utf8'))
      }
      const first = make()
      assert.deepEqual(make(), first)
      for (const { file } of Object.values(secrets)) assert.ok(statSync(join(folder, file)).size > 20, file)
      const key = readFileSync(join(folder, 'secrets', 'atrium_key'), 'utf8').trim()
      const databaseUrl = readFileSync(join(folder, 'secrets', 'database_url'), 'utf8').trim()
      const environment = { NODE_ENV: 'production', ATRIUM_SECRET_KEY: key, DATABASE_URL: databaseUrl }
      assert.doesNotThrow(() => readEnvironment(environment))
      assert.equal(statSync(join(folder, 'secrets')).mode & 0o077, 0, 'nobody else on the machine comes in')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

it('the service of systemd is set up by variables that the program knows', () => {
  const lines = read('atrium.service').match(/^Environment=.*$/gm) ?? []
  const names = lines.flatMap((line) => [...line.matchAll(/([A-Z][A-Z0-9_]+)=/g)].map(([, name = '']) => name))
  assert.ok(names.includes('ATRIUM_SECRET_KEY_FILE'))
  assert.deepEqual(
    names.filter((name) => !isKnown(name)),
    [],
  )
})

it('the service of systemd is started again however often it ended', () => {
  // Systemd gives up after five starts within ten seconds, unless told otherwise.
  const unit = /^\[Unit\]$(.*?)^\[/ms.exec(read('atrium.service'))?.[1] ?? ''
  assert.match(unit, /^StartLimitIntervalSec=0$/m)
  assert.match(read('atrium.service'), /^Restart=always$/m)
})

describe('the nightly backup', () => {
  // Systemd joins what ends with a backslash, and reads two dollars as one.
  const [, quoted = ''] = /^ExecStart=\/bin\/sh -c '(.*?)'$/ms.exec(read('atrium-backup.service')) ?? []
  const script = quoted.replaceAll('\\\n', ' ').replaceAll('$$', '$')

  /** Which of the commands were called, and what the service ends with. */
  function run(exits: { make: number; clear: number }): [string[], number | null] {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-nightly-'))
    try {
      mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
      const node = `#!/bin/sh\necho "$*" >> calls\ncase $3 in make) exit ${exits.make};; *) exit ${exits.clear};; esac\n`
      writeFileSync(join(folder, 'node_modules/.bin/node'), node, { mode: 0o755 })
      const { status } = spawnSync('/bin/sh', ['-c', script], { cwd: folder })
      return [readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n'), status]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const make = 'server/admin.ts backup make'
  const clear = 'server/admin.ts backup clear 30'

  it('clears old ones away after one that a file is missing from, and has failed all the same', () => {
    assert.deepEqual(run({ make: 3, clear: 0 }), [[make, clear], 3])
    assert.deepEqual(run({ make: 0, clear: 0 }), [[make, clear], 0])
  })

  it('clears nothing away after one that was not made, and tells when clearing fails', () => {
    assert.deepEqual(run({ make: 1, clear: 0 }), [[make], 1])
    assert.deepEqual(run({ make: 143, clear: 0 }), [[make], 143])
    assert.deepEqual(run({ make: 0, clear: 1 }), [[make, clear], 1])
    assert.deepEqual(run({ make: 3, clear: 1 }), [[make, clear], 1])
  })
})

type Service = {
  image?: string
  environment?: Record<string, unknown>
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
}
type Compose = { services: Record<string, Service>; secrets: Record<string, { file: string }> }

/** `a/b/c` lies in `a/b` and `a`: whoever leaves out a folder leaves out what is in it. */
function parents(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** Every module of ours that this one reads, directly or by others. */
function modulesFrom(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const text = readFileSync(join(root, path), 'utf8')
  for (const [, named = ''] of text.matchAll(/(?:from|import|import\(|new URL\() ?'((?:\.|@atrium\/)[^']*\.ts)'/g))
    modulesFrom(named.startsWith('@') ? named.replace('@atrium/', '') : join(dirname(path), named), found)
  return found
}
