// spec: OP faults, OP operation
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from './config.ts'
import { secretVariables } from './environment.ts'
import { readEnvironment } from './read-environment.ts'

const secret = randomBytes(32).toString('base64')

/** The smallest environment that production accepts without a warning. */
const sound = {
  NODE_ENV: 'production',
  ATRIUM_SECRET_KEY: secret,
  DATABASE_URL: 'postgres://atrium_owner@db.test/atrium',
  PUBLIC_URL: 'https://portal.test',
}

test('reads the roles of the process, and refuses to start with a misspelt role', () => {
  const rolesOf = (roles?: string) => readConfig({ ATRIUM_ROLES: roles, ATRIUM_SECRET_KEY: secret }).roles
  assert.deepEqual(rolesOf(), { web: true, jobs: true })
  assert.deepEqual(rolesOf('web'), { web: true, jobs: false })
  assert.deepEqual(rolesOf(' jobs , web'), { web: true, jobs: true })
  for (const slip of ['wbe', 'web;jobs', 'web,', 'all', ',']) assert.throws(() => rolesOf(slip), /ATRIUM_ROLES/)
})

test('processes that start together on a new folder use the same secret key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-config-'))
  try {
    const module = new URL('./config.ts', import.meta.url).href
    const code = `import { readConfig } from ${JSON.stringify(module)}
      process.stdout.write(readConfig({ ATRIUM_DATA: ${JSON.stringify(folder)} }).secretKey)`
    const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    const keys = (await Promise.all(Array.from({ length: 4 }, start))).map(({ stdout }) => stdout)
    assert.equal(new Set(keys).size, 1)
    assert.ok((keys[0] ?? '').length >= 43)
    assert.deepEqual(readdirSync(folder), ['secret.key'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('runs in development mode only when NODE_ENV asks for it', () => {
  const isDevelopment = (NODE_ENV?: string) => readConfig({ ...sound, NODE_ENV }).development
  assert.deepEqual([undefined, '', 'production'].map(isDevelopment), [false, false, false])
  assert.deepEqual(['development', 'test'].map(isDevelopment), [true, true])
})

test('reads a number as its digits say, and takes neither a blank nor another notation for one', () => {
  const read = (text: string) => readConfig({ ...sound, CALLS_PER_MINUTE: text, TRUSTED_PROXIES: '2', PORT: ' 8443 ' })
  assert.deepEqual([read('600').callsPerMinute, read('600').trustedProxies, read('600').port], [600, 2, 8443])
  assert.deepEqual([read('0').callsPerMinute, read('').callsPerMinute], [null, 1_200])
  for (const name of ['CALLS_PER_MINUTE', 'TRUSTED_PROXIES', 'PORT', 'DRAIN_SECONDS', 'SESSION_IDLE_MINUTES'])
    for (const text of [' ', '\t', '0x8', '1e1', '8.0', '+8', '-1', '8,0', 'true'])
      assert.deepEqual(
        problemsOf(() => readConfig({ ...sound, [name]: text })).map((problem) => problem.trim().split(':')[0]),
        [name],
        `${name}=${JSON.stringify(text)}`,
      )
  const share = (OTEL_TRACES_SAMPLER_ARG: string) =>
    readEnvironment({ OTEL_TRACES_SAMPLER_ARG }).OTEL_TRACES_SAMPLER_ARG
  assert.deepEqual(['0.1', '.5', '1', '1e-3', ''].map(share), [0.1, 0.5, 1, 0.001, 1])
  for (const text of [' ', '0,1', '0x1', '2', '10%']) assert.throws(() => share(text), /OTEL_TRACES_SAMPLER_ARG/)
})

/** The problems listed in the error, one line each. */
function problemsOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (problem) {
    assert.ok(problem instanceof Error)
    return problem.message.split('\n').slice(1)
  }
}

test('names an address with an impossible port at the start, not at its first use', () => {
  const bucket = { S3_BUCKET: 'atrium', S3_ACCESS_KEY_ID: 'atrium', S3_SECRET_ACCESS_KEY: secret }
  const problemsWith = (name: string, address: string) =>
    problemsOf(() => readConfig({ ...sound, ...bucket, [name]: address }))
  for (const [name, right, wrong] of [
    ['S3_ENDPOINT', 'http://storage:8333', 'http://storage:83333'],
    ['BACKUP_S3_ENDPOINT', 'https://storage.test', 'https://storage.test:70000'],
    ['CLAMD_ADDRESS', '127.0.0.1:33100', 'scanner:99999'],
  ] as const) {
    assert.deepEqual(problemsWith(name, right), [])
    const problems = problemsWith(name, wrong)
    assert.deepEqual([problems.length, problems[0]?.includes(`${name}: `)], [1, true], wrong)
  }
})

describe('misspelt settings', () => {
  for (const [slip, meant] of [
    ['DATABSE_URL_FILE', 'DATABASE_URL_FILE'],
    ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
    ['DATABASE_URLS', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['DATABASE_RAED_URL', 'DATABASE_READ_URL'],
    ['SMTP_URL_FLIE', 'SMTP_URL_FILE'],
    ['SMPT_URL', 'SMTP_URL'],
    ['ATRIUM_SECRET_KEYFILE', 'ATRIUM_SECRET_KEY_FILE'],
    ['ATRIUM_DOMIAN', 'ATRIUM_DOMAIN'],
    ['ATRIUM_ROLE', 'ATRIUM_ROLES'],
    ['ATRIUM_DTA', 'ATRIUM_DATA'],
    ['BACKUP_S3_BUKCET', 'BACKUP_S3_BUCKET'],
    ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
    ['SESSION_IDLE_MINS', ''],
    ['METRIC_TOKEN_FILE', 'METRICS_TOKEN_FILE'],
    ['PUBLIC_URL_FILE', 'PUBLIC_URL'],
  ] as const)
    test(`${slip} ${meant ? 'is reported as a misspelling, and production does not start' : 'is not reported as a misspelling'}`, () => {
      const { DATABASE_URL: _, ...without } = sound
      const environment = { ...without, ATRIUM_EMBEDDED_DATABASE: 'true', [slip]: '/run/secrets/one' }
      const warned = meant ? [`  ${slip}: `] : []
      const problems = problemsOf(() => readEnvironment(environment))
      assert.deepEqual(
        problems.map((problem) => problem.slice(0, slip.length + 4)),
        warned,
      )
      if (meant) assert.match(problems[0] ?? '', new RegExp(`\\b${meant}\\b`))
      const { warnings } = readConfig({ ATRIUM_SECRET_KEY: secret, [slip]: '/run/secrets/one' })
      assert.deepEqual(
        warnings.map((warning) => warning.slice(0, slip.length)),
        meant ? [slip] : [],
      )
    })

  test('warns of an unknown ATRIUM_ setting that resembles none, and still starts', () => {
    const { warnings } = readConfig({ ...sound, ATRIUM_DATABASE_ADDRESS: 'x' })
    assert.deepEqual(warnings, ['ATRIUM_DATABASE_ADDRESS is set, and there is no such setting'])
  })

  test('ignores variables of other programs and those that Kubernetes sets for a service', () => {
    const theirs = [
      'HOME',
      'HOSTS',
      'POST',
      'PATH',
      'LOGNAME',
      'NODE_OPTIONS',
      'SSL_CERT_FILE',
      'POSTGRES_PASSWORD_FILE',
    ]
    const traces = ['OTEL_LOGS_EXPORTER', 'OTEL_EXPORTER_OTLP_LOGS_HEADERS', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT']
    const amazon = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'DATABASE_HOST', 'DATABASE_POOL_SIZE']
    const kubernetes = [
      'ATRIUM_SERVICE_HOST',
      'ATRIUM_PORT',
      'ATRIUM_PORT_8080_TCP_ADDR',
      'ATRIUM_WEB_SERVICE_PORT_HTTP',
    ]
    // DATABASE_URL is set, so a similar name belongs to another program.
    const beside = ['DATABASE_URI']
    const all = [...theirs, ...traces, ...amazon, ...kubernetes, ...beside].map((name) => [name, 'x'])
    assert.deepEqual(readConfig({ ...sound, ...Object.fromEntries(all) }).warnings, [])
  })

  test('ignores an empty variable', () => {
    assert.deepEqual(readConfig({ ...sound, DATABSE_URL_FILE: '', ATRIUM_DOMIAN: '' }).warnings, [])
  })
})

describe('the database', () => {
  const { DATABASE_URL, ...without } = sound

  test('production starts an embedded database only when asked, and refuses it together with an address', () => {
    const own = { ATRIUM_EMBEDDED_DATABASE: 'true' }
    const problems = (environment: object) => problemsOf(() => readEnvironment({ ...without, ...environment }))
    assert.match(problems({}).join(), /^ {2}DATABASE_URL: must be set in production; ATRIUM_EMBEDDED_DATABASE=true/)
    assert.match(problems({ ATRIUM_EMBEDDED_DATABASE: 'false' }).join(), /^ {2}DATABASE_URL: /)
    assert.deepEqual(problems(own), [])
    assert.deepEqual(problems({ DATABASE_URL }), [])
    assert.match(problems({ ...own, DATABASE_URL }).join(), /^ {2}ATRIUM_EMBEDDED_DATABASE: .*not both/)
  })

  test('needs no setting outside production', () => assert.doesNotThrow(() => readEnvironment({})))
})

describe('secrets', () => {
  const inFile = (text: string, read: (path: string) => void) => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-secret-'))
    try {
      writeFileSync(join(folder, 'secret'), text)
      read(join(folder, 'secret'))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  for (const name of secretVariables)
    test(`reads ${name} from a file, which may end with a line break`, () => {
      const value = {
        SMTP_URL: 'smtp://user:secret@mail.test',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-this-test',
      }
      const database = /^DATABASE_/.test(name) ? 'postgres://user:secret@db.test/atrium' : secret
      const text = name in value ? value[name as keyof typeof value] : database
      const others = name === 'ATRIUM_SECRET_KEY' ? {} : { ATRIUM_SECRET_KEY: secret }
      inFile(`${text}\n`, (path) => {
        const fromFile = readEnvironment({ ...others, [`${name}_FILE`]: path })
        assert.deepEqual(fromFile, readEnvironment({ ...others, [name]: text }))
        assert.throws(
          () => readEnvironment({ ...others, [name]: text, [`${name}_FILE`]: path }),
          new RegExp(`${name}: .*both`),
        )
      })
      assert.throws(
        () => readEnvironment({ [`${name}_FILE`]: '/nowhere/secret' }),
        new RegExp(`${name}_FILE: .*ENOENT`),
      )
    })

  test('reads trace headers by the OpenTelemetry standard, and reports an unreadable one without its value', () => {
    const headersOf = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
      readEnvironment({ OTEL_EXPORTER_OTLP_HEADERS }).OTEL_EXPORTER_OTLP_HEADERS
    assert.deepEqual(headersOf('authorization=Bearer%20abc==, x-scope = north%2Csouth'), {
      authorization: 'Bearer abc==',
      'x-scope': 'north,south',
    })
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }
    assert.deepEqual(readConfig({ ...tracing, ATRIUM_SECRET_KEY: secret }).tracing?.headers, { a: 'b' })
    for (const wrong of ['hunter2', 'authorization=hunter2%', '=hunter2', 'a=b,hunter2'])
      assert.throws(
        () => headersOf(wrong),
        ({ message }: Error) => {
          assert.match(message, /OTEL_EXPORTER_OTLP_HEADERS: name=value pairs are expected/)
          return !message.includes('hunter2')
        },
      )
  })

  for (const name of secretVariables)
    test(`refuses an empty file for ${name} instead of treating the setting as missing`, () => {
      for (const empty of ['', '\n'])
        inFile(empty, (path) => {
          const read = () => readEnvironment({ [`${name}_FILE`]: path })
          assert.throws(read, new RegExp(`${name}_FILE: the file is empty`))
        })
    })

  for (const name of ['DATABASE_URL', 'DATABASE_PROGRAM_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'])
    test(`reports an unreadable ${name} at the start, without its password`, () => {
      for (const password of ['hunter2/slash', 'hunter2#hash', 'hunter2%']) {
        const read = () => readEnvironment({ [name]: `postgres://user:${password}@db.test:5432/atrium` })
        assert.throws(read, ({ message }: Error) => {
          assert.match(message, new RegExp(`^  ${name}: .*%2F`, 'm'))
          assert.doesNotMatch(message, /hunter2/)
          return true
        })
      }
      for (const fine of [
        'postgres://user:a%2Fb%25@db.test/atrium',
        'postgres:///atrium',
        'postgres://%2Frun%2Fpg/atrium',
      ])
        assert.doesNotThrow(() => readEnvironment({ [name]: fine }), fine)
    })

  test('production lists every missing or well-known secret in one error, and prints none of them', () => {
    const read = (): unknown =>
      readEnvironment({
        NODE_ENV: 'production',
        ATRIUM_DEMO: 'true',
        ATRIUM_DOMIAN: 'portal.test',
        DATABASE_URL: 'postgres://postgres:postgres@db.test/atrium',
        METRICS_TOKEN: 'aaaaaaaaaaaaaaaaaaaa',
        S3_BUCKET: 'documents',
        S3_ACCESS_KEY_ID: 'minioadmin',
        S3_SECRET_ACCESS_KEY: 'minioadmin',
        S3_ENDPOINT: 'http://storage.test',
        BACKUP_S3_BUCKET: 'backups',
        BACKUP_S3_ACCESS_KEY_ID: 'atrium',
        PUBLIC_URL: 'http://portal.test',
      })
    assert.throws(read, ({ message }: Error) => {
      const named = [...message.matchAll(/^ {2}([A-Z0-9_]+): /gm)].map(([, name]) => name)
      const expected = [
        'ATRIUM_DOMIAN',
        'BACKUP_S3_SECRET_ACCESS_KEY',
        'ATRIUM_DEMO',
        'ATRIUM_SECRET_KEY',
        'METRICS_TOKEN',
        'DATABASE_URL',
        'S3_SECRET_ACCESS_KEY',
      ]
      assert.deepEqual(named, [...expected, 'PUBLIC_URL', 'S3_ENDPOINT'])
      assert.doesNotMatch(message, /minioadmin|aaaa|postgres:/)
      assert.match(message, /openssl rand -base64 32/)
      return true
    })
  })

  const names = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY']
  const keys = Object.fromEntries(names.map((name) => [name, 'what lets us into a bucket']))
  const named = /^# ([A-Z][A-Z0-9_]+)=(.+)$/gm
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
  for (const [, name = '', value = ''] of example.matchAll(named)) {
    const isSecret = secretVariables.some((each) => each === name) && !name.endsWith('ACCESS_KEY_ID')
    test(`${name} is ${isSecret ? 'refused' : 'accepted'} in production with its value from .env.example`, () => {
      const read = () => readEnvironment({ ...sound, ...keys, [name]: value })
      if (!isSecret) return assert.doesNotThrow(read)
      assert.throws(read, ({ message }: Error) => {
        assert.match(message, new RegExp(`^  ${name}: .*(easy to guess|publicly known)`, 'm'))
        return !message.includes(value)
      })
    })
  }

  test('production refuses the keys of our own tests, and accepts every key generated as documented', () => {
    for (const key of [
      'tests-only-0123456789-abcdefghijklmnop',
      'for-this-test-0123456789-abcdefghij',
      'rehearsal-0123456789-abcdefghijklmnop',
    ]) {
      const read = () => readEnvironment({ ...sound, ATRIUM_SECRET_KEY: key })
      assert.throws(read, /ATRIUM_SECRET_KEY: is too easy to guess/, key)
    }
    for (let tries = 0; tries < 1_000; tries += 1) {
      const ATRIUM_SECRET_KEY = randomBytes(32).toString(tries % 2 ? 'base64' : 'hex')
      readEnvironment({ ...sound, ATRIUM_SECRET_KEY })
    }
  })

  test('reports an unreadable SMTP_URL at the start, without its password', () => {
    const password = 'hunter2%'
    assert.throws(
      () => readEnvironment({ SMTP_URL: `smtp://user:${password}@mail.test` }),
      ({ message }: Error) => /^ {2}SMTP_URL: .*%25/m.test(message) && !message.includes('hunter2'),
    )
  })

  test('accepts storage over HTTP on this machine, and a database address without a password', () => {
    const fine = {
      NODE_ENV: 'production',
      ATRIUM_SECRET_KEY: secret,
      DATABASE_URL: 'postgres:///atrium',
      S3_BUCKET: 'documents',
      S3_ACCESS_KEY_ID: 'atrium',
      S3_SECRET_ACCESS_KEY: 'a secret of its own',
    }
    for (const S3_ENDPOINT of ['http://127.0.0.1:9000', 'http://localhost:9000', 'http://storage:8333', undefined])
      assert.doesNotThrow(() => readEnvironment({ ...fine, S3_ENDPOINT }), S3_ENDPOINT)
    for (const S3_ENDPOINT of ['http://10.0.0.5', 'http://storage.internal', 'http://2130706433.test'])
      assert.throws(() => readEnvironment({ ...fine, S3_ENDPOINT }), /S3_ENDPOINT/, S3_ENDPOINT)
  })
})

describe('traces, set by the OTEL_ variables', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector.test:4318'
  const asked = { ...sound, OTEL_EXPORTER_OTLP_ENDPOINT }
  const usual = { serviceName: 'atrium', sampler: 'parentbased_traceidratio', share: 1 }

  test('are sent when an endpoint is set', () => {
    assert.equal(readConfig(sound).tracing, null)
    assert.deepEqual(readConfig(asked).tracing, usual)
    assert.deepEqual(readConfig({ ...asked, OTEL_SDK_DISABLED: 'false', OTEL_TRACES_EXPORTER: 'otlp' }).tracing, usual)
  })

  for (const off of [
    { OTEL_SDK_DISABLED: 'true' },
    { OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_TRACES_EXPORTER: 'zipkin' },
  ])
    test(`are off with ${Object.entries(off).join()}`, () =>
      assert.equal(readConfig({ ...asked, ...off }).tracing, null))

  test('use the chosen sampler and share', () => {
    const { tracing } = readConfig({ ...asked, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' })
    assert.deepEqual(tracing, { ...usual, sampler: 'traceidratio', share: 0.25 })
  })

  test('warn of an unknown sampler or exporter and do not prevent the start', () => {
    const { tracing, warnings } = readConfig({ ...asked, OTEL_TRACES_SAMPLER: 'xray' })
    assert.deepEqual(tracing, usual)
    assert.match(warnings.join(), /^OTEL_TRACES_SAMPLER: /)
    assert.match(readConfig({ ...asked, OTEL_TRACES_EXPORTER: 'zipkin' }).warnings.join(), /^OTEL_TRACES_EXPORTER: /)
    assert.deepEqual(readConfig({ ...sound, OTEL_TRACES_EXPORTER: 'zipkin' }).warnings, [])
  })
})
