// spec: OP operation
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
import { commands } from '../../server/admin/commands.ts'
import { secretVariables } from '../../server/environment.ts'
import { connectionsOfWorkMax } from '../../server/foundation/database/database.ts'
import { outsideFolders } from '../../server/postgres/postgres-location.ts'
import { connectionsOfJobsMax } from '../../server/queue/jobs.ts'
import { readEnvironment } from '../../server/read-environment.ts'
import { readStages, readVariables } from '../release/image-steps.ts'

const root = dirname(dirname(import.meta.dirname))
const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8')

/** The files in deploy/ name the program's variables, folders and metrics, and no compiler checks them. */
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
      assert.ok(!isGiven(never), `${never} would go to the builder`)
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
    assert.equal(own?.flags.from, 'packages', 'the one in which they stand')
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
      assert.ok((web + 3) * each + 3 + 3 <= Number(settings.max_connections), `${web} are too many`)
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
      assert.equal(statSync(join(folder, 'secrets')).mode & 0o077, 0, 'nobody else on the machine comes in')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

it('the systemd service uses known variables', () => {
  const lines = read('atrium.service').match(/^Environment=.*$/gm) ?? []
  const names = lines.flatMap((line) => [...line.matchAll(/([A-Z][A-Z0-9_]+)=/g)].map(([, name = '']) => name))
  assert.ok(names.includes('ATRIUM_SECRET_KEY_FILE'))
  assert.deepEqual(
    names.filter((name) => !isKnown(name)),
    [],
  )
})

it('the systemd service restarts without a limit', () => {
  // By default systemd gives up after five starts within ten seconds.
  const unit = /^\[Unit\]$(.*?)^\[/ms.exec(read('atrium.service'))?.[1] ?? ''
  assert.match(unit, /^StartLimitIntervalSec=0$/m)
  assert.match(read('atrium.service'), /^Restart=always$/m)
})

describe('the installation without containers', () => {
  const chapter = readFileSync(join(root, 'docs', 'operators', 'without-containers.md'), 'utf8')

  it('creates every file that the units read, and names every unit', () => {
    const units = readdirSync(join(root, 'deploy')).filter((name) => /\.(service|timer)$/.test(name))
    assert.ok(units.length > 2)
    for (const unit of units) assert.ok(chapter.includes(`deploy/${unit}`), unit)
    const files = units.flatMap((unit) =>
      [...read(unit).matchAll(/=[a-z-]*:?(\/etc\/atrium\/[\w.-]+)/g)].map(([, path]) => path),
    )
    assert.ok(files.length > 3)
    for (const file of files) assert.ok(chapter.includes(`\`${file}\``), file)
    for (const name of ['key', 'backup-key', 'database']) assert.match(chapter, new RegExp(`^.*>${name}$`, 'm'), name)
    assert.ok(chapter.includes('haproxy-servers.cfg'))
  })

  it('sets known variables with valid values, including PUBLIC_URL', () => {
    const [, lines = ''] = /^```ini$(.*?)^```$/ms.exec(chapter) ?? []
    const pairs = [...lines.matchAll(/^([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    )
    assert.deepEqual(
      pairs.map(([name]) => name).filter((name) => !isKnown(name)),
      [],
    )
    const given = Object.fromEntries(pairs.map(([name, value]) => [name, value.replace('…', 'kT9-of-the-test-x4Rz')]))
    const key = { ATRIUM_SECRET_KEY: randomBytes(32).toString('base64'), DATABASE_URL: 'postgres://database/atrium' }
    assert.equal(readEnvironment({ NODE_ENV: 'production', ...key, ...given }).PUBLIC_URL, 'https://portal.example.com')
  })

  it('grants the database owner the privilege that the first start needs', () => {
    assert.match(chapter, /create role atrium_owner login createrole /)
    assert.match(chapter, /create database atrium owner atrium_owner/)
  })
})

it('stores the demo clusters outside the folder of the service', () => {
  const state = /^StateDirectory=(.*)$/m.exec(read('atrium.service'))?.[1]
  assert.equal(state, 'atrium')
  for (const folder of outsideFolders) assert.notEqual(folder, `/var/lib/${state}`)
})

describe('a command beside the systemd service', () => {
  /** A fake systemd-run: records its arguments, and reads two dollars as one. */
  const systemdRun = `#!/bin/sh
printf '%s\\n' "$@" | grep '^--' >asked
while case $1 in --*) true;; *) false;; esac; do shift; done
for word; do shift; set -- "$@" "$(printf %s "$word" | sed 's/[$][$]/$/g')"; done
script=$(printf %s "$3" | sed "s|^cd /opt/atrium|cd $PWD|")
shift 3
CREDENTIALS_DIRECTORY=$PWD/credentials exec /bin/sh -c "$script" "$@"
`
  const node = `#!/bin/sh
for word; do printf '<%s>' "$word"; done
echo " $ATRIUM_SECRET_KEY_FILE $DATABASE_URL_FILE $ATRIUM_BACKUP_KEY_FILE"
exit 3
`

  function run(...words: string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-command-'))
    try {
      for (const name of ['node_modules/.bin', 'credentials', 'bin']) mkdirSync(join(folder, name), { recursive: true })
      for (const name of ['key', 'database']) writeFileSync(join(folder, 'credentials', name), '')
      writeFileSync(join(folder, 'bin/systemd-run'), systemdRun, { mode: 0o755 })
      writeFileSync(join(folder, 'node_modules/.bin/node'), node, { mode: 0o755 })
      const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
      const script = join(root, 'deploy/atrium-admin')
      const { status, stdout, stderr } = spawnSync(script, words, { cwd: folder, env, encoding: 'utf8' })
      assert.equal(stderr, '')
      const asked = readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')
      return { status, out: stdout.replaceAll(folder, '.'), asked }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  it('runs with the user, settings and secrets of the service, and returns the exit code of the command', () => {
    const { status, out, asked } = run('jobs', 'failed', '--json')
    assert.deepEqual(
      [status, out],
      [3, '<server/admin.ts><jobs><failed><--json> ./credentials/key ./credentials/database \n'],
    )
    const unit = read('atrium.service')
    const same =
      unit.match(/^(User|Group|WorkingDirectory|EnvironmentFile|LoadCredential|StateDirectory\w*|UMask)=.*$/gm) ?? []
    assert.ok(same.length > 7)
    for (const line of same) assert.ok(asked.includes(`--property=${line}`), line)
    for (const option of ['--pipe', '--wait', '--quiet']) assert.ok(asked.includes(option), option)
    const [plain = ''] = asked.flatMap((line) => /^--property=Environment=(.*)$/.exec(line)?.[1] ?? [])
    assert.match(plain, /^NODE_ENV=production /)
    for (const pair of plain.split(' ')) assert.ok(unit.includes(pair), pair)
    const [, ...names] = /Environment=(\w+)_FILE=%d\/key (\w+)_FILE=%d\/database/.exec(unit) ?? []
    for (const name of names) assert.ok(read('atrium-admin').includes(`${name}:`), name)
  })

  it('receives each argument unchanged', () => {
    const reason = ['Owes $HOME and ', '{PATH}, "5 %d" and $$'].join('$')
    const { out } = run('member', 'erase', 'north', 'C 1', '--reason', reason)
    assert.ok(out.startsWith(`<server/admin.ts><member><erase><north><C 1><--reason><${reason}>`), out)
  })

  it('exists wherever a deployed file names one', () => {
    const files = [
      'README.md',
      'alerts.yaml',
      'atrium.service',
      'atrium-admin',
      '../docs/operators/without-containers.md',
    ]
    const named = files.flatMap((file) =>
      [...read(file).matchAll(/(?:admin --|atrium-admin|admin\.ts) ([a-z]+ [a-z-]+)/g)].map(([, words]) => words),
    )
    assert.ok(named.length > 6)
    const known = commands.map(({ words }) => words)
    assert.deepEqual(
      named.filter((words) => words && !known.includes(words)),
      [],
    )
  })
})

describe('the nightly backup', () => {
  // Systemd joins lines that end with a backslash, and reads two dollars as one.
  const [, quoted = ''] = /^ExecStart=\/bin\/sh -c '(.*?)'$/ms.exec(read('atrium-backup.service')) ?? []
  const script = quoted.replaceAll('\\\n', ' ').replaceAll('$$', '$')

  /** The commands that were called, and the exit code of the service. */
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

  it('removes old backups after an incomplete one, and still fails', () => {
    assert.deepEqual(run({ make: 3, clear: 0 }), [[make, clear], 3])
    assert.deepEqual(run({ make: 0, clear: 0 }), [[make, clear], 0])
  })

  it('removes nothing after a failed backup, and reports a failed removal', () => {
    assert.deepEqual(run({ make: 1, clear: 0 }), [[make], 1])
    assert.deepEqual(run({ make: 143, clear: 0 }), [[make], 143])
    assert.deepEqual(run({ make: 0, clear: 1 }), [[make, clear], 1])
    assert.deepEqual(run({ make: 3, clear: 1 }), [[make, clear], 1])
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
