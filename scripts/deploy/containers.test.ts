// spec: OP operation
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { secretVariables } from '../../server/environment.ts'
import { connectionsOfWorkMax } from '../../server/foundation/database/pool.ts'
import { connectionsOfJobsMax } from '../../server/queue/jobs.ts'
import { readEnvironment } from '../../server/read-environment.ts'
import { readStages, readVariables } from '../release/image-steps.ts'
import { isKnown, read, root } from './deploy-files.ts'

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

  it('is built from existing files that the build context includes', () => {
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
      'tests/fixtures/context.ts',
      'web/dist/x.js',
    ])
      assert.ok(!isGiven(never), `${never} would be in the build context`)
  })

  it('contains the program without the demo, the simulators, and build and test files', () => {
    const own = stages.at(-1)?.steps.filter(({ word, flags }) => word === 'COPY' && !flags.from) ?? []
    assert.deepEqual(
      own.flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1)),
      ['contract', 'server'],
    )
    for (const program of ['server/main.ts', 'server/admin.ts']) {
      const needed = modulesFrom(program)
      assert.ok(needed.size > 300, program)
      assert.deepEqual(
        [...needed].filter((path) => !isGiven(path) || !/^(contract|server)\//.test(path)),
        [],
        program,
      )
    }
  })

  it('accepts the commands that help texts and alerts name', () => {
    const packages = stages.find(({ name }) => name === 'packages')?.steps ?? []
    const [line] = packages.filter(({ rest }) => rest.startsWith('npm pkg set')).map(({ rest }) => rest)
    assert.ok(line)
    const folder = mkdtempSync(join(tmpdir(), 'atrium-words-'))
    try {
      cpSync(join(root, 'package.json'), join(folder, 'package.json'))
      const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      assert.equal(scripts.admin, 'node server/admin.ts')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    const own = stages.at(-1)?.steps.find(({ word, rest }) => word === 'COPY' && /package\.json/.test(rest))
    assert.equal(own?.flags.from, 'packages', 'package.json comes from the stage that removed the scripts')
  })

  it('runs as an unprivileged user, in production, with known variables', () => {
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

  it('use known variables with valid values', () => {
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

  it('have a database with the number of connections that the README gives, and a restart policy', () => {
    const readme = read('README.md')
    const settings = Object.fromEntries(
      (services.database?.command ?? []).filter((word) => word.includes('=')).map((word) => word.split('=')),
    )
    assert.equal(settings.restart_after_crash, 'off')
    assert.equal(services.database?.restart, 'unless-stopped')
    const each = connectionsOfWorkMax + connectionsOfJobsMax
    const [, work, jobs, both] =
      /at most (\d+) connections to the database and (\d+) for its jobs \((\d+)\)/.exec(readme) ?? []
    assert.deepEqual([work, jobs, both].map(Number), [connectionsOfWorkMax, connectionsOfJobsMax, each])
    const scales = [...readme.matchAll(/--scale web=(\d+)/g)].map(([, count]) => Number(count))
    assert.ok(scales.length > 1)
    // Besides the web processes: a worker, a backup, a command, a migrating start, and PostgreSQL's reserved connections.
    for (const web of scales)
      assert.ok((web + 3) * each + 3 + 3 <= Number(settings.max_connections), `${web} web processes are too many`)
  })

  it('have a read-only root, no new privileges, and no secret in a variable', () => {
    for (const [name, service] of own) {
      assert.equal(service.read_only, true, name)
      assert.deepEqual([service.cap_drop, service.security_opt], [['ALL'], ['no-new-privileges:true']], name)
      const bare = Object.keys(service.environment ?? {}).filter((variable) =>
        (secretVariables as readonly string[]).includes(variable),
      )
      // This mail server needs no password, and a key's name is not secret.
      assert.deepEqual(
        bare.filter((variable) => !['SMTP_URL', 'S3_ACCESS_KEY_ID', 'BACKUP_S3_ACCESS_KEY_ID'].includes(variable)),
        [],
        name,
      )
    }
  })

  it('get every secret from make-secrets.sh, which keeps existing ones', () => {
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
      assert.equal(statSync(join(folder, 'secrets')).mode & 0o077, 0, 'other users of the machine have no access')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

type Service = {
  image?: string
  command?: string[]
  restart?: string
  environment?: Record<string, unknown>
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
}
type Compose = { services: Record<string, Service>; secrets: Record<string, { file: string }> }

/** `a/b/c` is in `a/b` and in `a`: an ignored folder ignores its content. */
function parents(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** Every module of the repository that this one imports, directly or indirectly. */
function modulesFrom(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const text = readFileSync(join(root, path), 'utf8')
  for (const [, named = ''] of text.matchAll(/(?:from|import|import\(|new URL\() ?'((?:\.|@atrium\/)[^']*\.ts)'/g))
    modulesFrom(named.startsWith('@') ? named.replace('@atrium/', '') : join(dirname(path), named), found)
  return found
}
