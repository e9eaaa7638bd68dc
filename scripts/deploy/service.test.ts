// spec: OP operation
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { commands } from '../../server/admin/commands.ts'
import { outsideFolders } from '../../server/postgres/postgres-location.ts'
import { readEnvironment } from '../../server/read-environment.ts'
import { isKnown, read, root } from './deploy-files.ts'

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
