import { readFileSync } from 'node:fs'
import { emailInput } from '@atrium/contract/validators/reach.ts'
import { z } from 'zod'
import { isNetwork } from './foundation/reachable.ts'
import { findMisspelt } from './misspelt-settings.ts'

const flag = z.enum(['true', 'false', '1', '0', '']).transform((text) => text === 'true' || text === '1')

/** Said here, and not where it is used: what Node throws at an address that is none holds all of it, with the password. */
const unreadable = 'this is no address; in a password / is %2F, # is %23 and % is %25'
const databaseAddress = z.string().refine(isReadable, unreadable)

const environment = z.object({
  /** `production` turns the demo, simulators and development pages off and asks for real secrets. */
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('localhost'),
  /** The domain whose subdomains are workspaces: with `example.com`, `harbour.example.com` is the workspace `harbour`. */
  ATRIUM_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/)
    .default('localhost'),
  /**
   * Where people find it, for links in mails: `https://{workspace}.example.com`, or one address when there is one brokerage.
   * Without it, the domain above; outside production over plain HTTP with the port.
   */
  PUBLIC_URL: z
    .string()
    .regex(/^https?:\/\/[a-z0-9.{}:-]+\/?$/i, 'an address without a path is expected')
    .refine((url) => URL.canParse(url.replace('{workspace}', 'w')), 'this is no address')
    .transform((url) => url.replace(/\/$/, ''))
    .optional(),
  /**
   * Where the calls go when they have hosts of their own: `https://{workspace}.api.example.com`. Each brokerage's portal may
   * then call its own one, and no page else. Without it calls go to where the page came from.
   */
  API_ORIGIN: z
    .string()
    .regex(/^https?:\/\/[a-z0-9.{}:-]+\/?$/i, 'an address without a path is expected')
    .refine((url) => URL.canParse(url.replace('{workspace}', 'w')), 'this is no address')
    .transform((url) => url.replace(/\/$/, '').toLowerCase())
    .optional(),
  /** The mail server, e.g. `smtp://user:secret@mail.example.com:587` or `smtps://...:465`. Without it mails stay here. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'smtp:// or smtps:// is expected')
    .refine(isReadable, unreadable)
    .optional(),
  /** Whom mails come from; each brokerage's support address is where answers go. */
  MAIL_FROM: emailInput().optional(),
  /** Where the embedded database, uploaded files and generated secrets live. */
  ATRIUM_DATA: z.string().default('./data'),
  /** The built web, where it does not lie beside the program in `web/dist`. */
  ATRIUM_WEB_DIST: z.string().optional(),
  /** A bucket for uploaded files, at anything that speaks S3. Without it they live in a folder of ATRIUM_DATA. */
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket is expected')
    .optional(),
  /** Where the bucket is, unless it is at Amazon: `https://storage.example.com`. The bucket then is part of the path. */
  S3_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/[a-z0-9.:-]+\/?$/i, 'an address without a path is expected')
    .optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Seals backups; whoever restores one needs it, so it is kept where neither the machine nor the backup is. */
  ATRIUM_BACKUP_KEY: z.string().min(32).optional(),
  /** Where backups are kept: a folder (of another disk, or of a machine that is mounted here), or a bucket of its own. */
  ATRIUM_BACKUP_FOLDER: z.string().optional(),
  BACKUP_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket is expected')
    .optional(),
  BACKUP_S3_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/[a-z0-9.:-]+\/?$/i, 'an address without a path is expected')
    .optional(),
  BACKUP_S3_REGION: z.string().default('us-east-1'),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** A ClamAV daemon that looks at every upload: `scanner.example.com:3310`. Without it nobody does. */
  CLAMD_ADDRESS: z
    .string()
    .regex(/^[a-z0-9.-]+:\d{1,5}$/i, 'a host and a port are expected, with a colon between')
    .optional(),
  /** An existing PostgreSQL, as a role that may create tables and one role. Without it the program starts its own. */
  DATABASE_URL: databaseAddress.optional(),
  /** The program's own database in production too, on one machine. Elsewhere it needs no word: there DATABASE_URL is not set. */
  ATRIUM_EMBEDDED_DATABASE: flag.default(false),
  /** The role the program runs as, when somebody else made it. Without it one is made beside the owner's. */
  DATABASE_PROGRAM_URL: databaseAddress.optional(),
  /**
   * The database itself, where DATABASE_URL is a pool of connections in front of it (PgBouncer in transaction mode): what
   * needs a session of its own, which is bringing the database up to date, goes there. Without it DATABASE_URL is used.
   */
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  /**
   * A copy that follows the database (streaming replication): long lists and tables are read there. A person always sees
   * what they did themselves, if all processes that answer have it (deploy/README.md), and the database is asked where the
   * copy is away or too far behind.
   */
  DATABASE_READ_URL: databaseAddress.optional(),
  /** What this process does: answer requests, run jobs, or both. */
  ATRIUM_ROLES: z
    .string()
    .regex(/^\s*(web|jobs)(\s*,\s*(web|jobs))*\s*$/, 'Say web, jobs, or both with a comma between')
    .default('web,jobs'),
  /** How long a process that is asked to end says so at `/readyz` and still answers. In production 5, else 0. */
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).optional(),
  /** Seals platform and provider secrets in the database. Generated into the data folder outside production. */
  ATRIUM_SECRET_KEY: z.string().min(32).optional(),
  /** Further keys that open what they sealed, with commas between: the other one, while a key is being changed. */
  ATRIUM_SECRET_KEYS_OTHER: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .refine((keys) => keys.every((key) => key.length >= 32), 'keys of at least 32 characters are expected')
    .default([]),
  /** How many proxies in front may be believed about the caller's address. None, unless said. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  /** What one session may ask of one process; 0: whatever it likes. A page asks about 150 times a minute. */
  CALLS_PER_MINUTE: z.coerce.number().int().min(0).max(1_000_000).default(1_200),
  /** Networks inside which workspaces may have trading platforms, in production: `10.20.0.0/16,fd00:1::/32`. None, unless said. */
  PLATFORM_NETWORKS: z
    .string()
    .transform((text) => text.split(',').map((network) => network.trim()))
    .refine((networks) => networks.every(isNetwork), 'networks such as 10.20.0.0/16 are expected, with commas between')
    .default([]),
  /** Whoever shows it as a bearer token reads `/metrics`. Without it there is no such page in production. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /**
   * Where traces are sent, by OTLP over HTTP, or one of the two for traces alone. Without either nothing is traced.
   * Compression and time-outs have their standard variables (OTEL_EXPORTER_OTLP_*) too.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional(),
  /** What is sent along with traces, which usually holds a token: `authorization=Bearer%20…`, with commas between. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .transform(readHeaders)
    .refine((headers) => headers !== null, 'name=value is expected, with commas between and % as %25')
    .optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default('atrium'),
  /** The standard's own ways to trace nothing although an address is set: `true`, and `none` (tracing-settings.ts). */
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  /** What is traced: `parentbased_traceidratio` unless said, or another of the standard's six that need nobody else. */
  OTEL_TRACES_SAMPLER: z.string().optional(),
  /** Of which share of requests and jobs that nobody else traces, for a sampler by ratio. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  /** Sessions end after this long without a sign of life, and at the absolute age in any case. */
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(1).max(1_440).default(30),
  SESSION_HOURS_MAX: z.coerce.number().int().min(1).max(168).default(12),
  /** The demo brokerage: its sign-ins are shown and simulators may be spoken to over plain HTTP. */
  ATRIUM_DEMO: flag.default(false),
  /** Tests only: ends the process at a named step, as a power cut would. */
  ATRIUM_FAILPOINT: z.string().optional(),
})

export type Environment = z.output<typeof environment>
type Source = Record<string, string | undefined>

/** What may stand in a file of its own, as containers and systemd hand secrets over: `SMTP_URL_FILE=/run/secrets/smtp`. */
export const secretVariables = [
  'ATRIUM_SECRET_KEY',
  'ATRIUM_SECRET_KEYS_OTHER',
  'DATABASE_URL',
  'DATABASE_PROGRAM_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'SMTP_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'ATRIUM_BACKUP_KEY',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
] as const satisfies readonly (keyof Environment)[]

/** Reads and judges the variables. All problems are listed together, since fixing them one start at a time is tiring. */
export function readEnvironment(source: Source): Environment {
  const problems: string[] = []
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  for (const name of secretVariables) {
    const path = present[`${name}_FILE`]
    if (path === undefined) continue
    if (present[name] !== undefined) problems.push(`${name}: set this one or ${name}_FILE, not both`)
    else
      try {
        present[name] = readFileSync(path, 'utf8').trim()
        // As if nobody had set it: without its address a database of our own would be started, with nothing in it.
        if (present[name] === '') problems.push(`${name}_FILE: there is nothing in it`)
      } catch (problem) {
        problems.push(`${name}_FILE: cannot be read (${(problem as NodeJS.ErrnoException).code})`)
      }
  }
  const { misspelt } = readNames(present)
  if (present.NODE_ENV === 'production') problems.push(...misspelt)
  const parsed = environment.safeParse(present)
  const unfit = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
  problems.push(
    ...unfit,
    ...(parsed.data
      ? [...complainOfBuckets(parsed.data), ...complainOfDatabase(parsed.data), ...complainOfProduction(parsed.data)]
      : []),
  )
  if (parsed.data && problems.length === 0) return parsed.data
  throw new Error(`The environment is not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

/** What is told to whoever reads the log: names like ours that nobody reads. Production does not start on a misspelt one. */
export function readDoubts(source: Source): string[] {
  const { misspelt, unknown } = readNames(source)
  return [...misspelt, ...unknown]
}

const readNames = (source: Source) =>
  findMisspelt({
    given: Object.keys(source).filter((name) => source[name]),
    settings: Object.keys(environment.shape),
    secrets: secretVariables,
  })

/** Production on a database of its own, with nothing in it, is what a misspelt address looks like from outside. */
function complainOfDatabase(read: Environment): string[] {
  const isGiven = read.DATABASE_URL !== undefined
  if (isGiven && read.ATRIUM_EMBEDDED_DATABASE)
    return ['ATRIUM_EMBEDDED_DATABASE: set this one or DATABASE_URL, not both']
  if (isGiven || read.ATRIUM_EMBEDDED_DATABASE || read.NODE_ENV !== 'production') return []
  return ['DATABASE_URL: must be set in production; ATRIUM_EMBEDDED_DATABASE=true asks for a database on this machine']
}

/** A bucket lets nobody in who shows no keys. */
function complainOfBuckets(read: Environment): string[] {
  return (['S3', 'BACKUP_S3'] as const)
    .filter((prefix) => read[`${prefix}_BUCKET`])
    .flatMap((prefix) => [`${prefix}_ACCESS_KEY_ID`, `${prefix}_SECRET_ACCESS_KEY`] as const)
    .filter((name) => !read[name])
    .map((name) => `${name}: must be set, as its bucket is`)
}

const makeOne = 'make one: openssl rand -base64 32'

/** What is fine on a laptop and dangerous with other people's money. */
function complainOfProduction(read: Environment): string[] {
  if (read.NODE_ENV !== 'production') return []
  const keys = { ATRIUM_SECRET_KEY: [read.ATRIUM_SECRET_KEY], ATRIUM_SECRET_KEYS_OTHER: read.ATRIUM_SECRET_KEYS_OTHER }
  const more = { METRICS_TOKEN: [read.METRICS_TOKEN], ATRIUM_BACKUP_KEY: [read.ATRIUM_BACKUP_KEY] }
  const guessable = Object.entries({ ...keys, ...more }).filter(([, secrets]) =>
    secrets.some((secret) => secret !== undefined && isGuessable(secret)),
  )
  const databases = ['DATABASE_URL', 'DATABASE_PROGRAM_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const
  const addresses = [...databases, 'SMTP_URL'] as const
  const buckets = ['S3_ENDPOINT', 'BACKUP_S3_ENDPOINT'] as const
  return [
    read.ATRIUM_DEMO && 'ATRIUM_DEMO: cannot be on in production',
    !read.ATRIUM_SECRET_KEY && `ATRIUM_SECRET_KEY: must be set in production; ${makeOne}`,
    ...guessable.map(([name]) => `${name}: is too easy to guess; ${makeOne}`),
    ...addresses.map(
      (name) => isDefault(passwordIn(read[name])) && `${name}: its password is one that everybody knows`,
    ),
    isDefault(read.S3_SECRET_ACCESS_KEY) && 'S3_SECRET_ACCESS_KEY: is one that everybody knows',
    isDefault(read.BACKUP_S3_SECRET_ACCESS_KEY) && 'BACKUP_S3_SECRET_ACCESS_KEY: is one that everybody knows',
    read.ATRIUM_BACKUP_KEY !== undefined &&
      read.ATRIUM_BACKUP_KEY === read.ATRIUM_SECRET_KEY &&
      'ATRIUM_BACKUP_KEY: must be another one than ATRIUM_SECRET_KEY',
    read.PUBLIC_URL?.startsWith('http:') && 'PUBLIC_URL: must be https in production',
    read.API_ORIGIN?.startsWith('http:') && 'API_ORIGIN: must be https in production',
    ...buckets.map(
      (name) =>
        isPlainAndFar(read[name]) &&
        `${name}: must be https in production, unless it is this machine or a container beside it`,
    ),
  ].filter((problem) => typeof problem === 'string')
}

/** Long enough and still no secret: one key pressed for long, a word over and over, or what stands in this repository. */
function isGuessable(secret: string): boolean {
  return new Set(secret).size < 10 || isDefault(secret) || isCountedUp(secret)
}

/** `abcdefgh` or `01234567` in it, as in the keys of our own tests: what dice make has that once in a million million keys. */
function isCountedUp(secret: string): boolean {
  let inOrder = 1
  for (let at = 1; at < secret.length && inOrder < 8; at += 1)
    inOrder = secret.charCodeAt(at) === secret.charCodeAt(at - 1) + 1 ? inOrder + 1 : 1
  return inOrder >= 8
}

/** What images and examples of the engines that we stand on come with, and the examples of ours (.env.example). */
const engines = ['postgres', 'password', 'secret', 'admin', 'atrium', 'changeme', 'minioadmin', 'minio123', 'example']
const examples = ['the-secret-of-that-key', 'a-token-of-at-least-16-characters']
const defaults = [...engines, ...examples]

function isDefault(secret: string | undefined): boolean {
  return secret !== undefined && defaults.includes(secret.toLowerCase())
}

/** Undefined where it has none: whoever it is, is let in by other means (a socket, a certificate). */
function passwordIn(address: string | undefined): string | undefined {
  return address && URL.canParse(address) ? decodeURIComponent(new URL(address).password) || undefined : undefined
}

/** As the standard has it, spaces and commas of a value escaped like those of an address; null: not to be read. */
function readHeaders(text: string): Record<string, string> | null {
  const pairs = text.split(',').map((pair) => /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(pair))
  if (pairs.includes(null)) return null
  try {
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]))
  } catch {
    return null
  }
}

function isReadable(address: string): boolean {
  try {
    const { username, password } = new URL(address)
    return [username, password].every((part) => typeof decodeURIComponent(part) === 'string')
  } catch {
    return false
  }
}

const isPlainAndFar = (address: string | undefined) =>
  address?.startsWith('http:') && !isLocal(new URL(address).hostname)

/** This machine, or a name without a dot: a container beside this one, which no public name is. */
const isLocal = (host: string): boolean => ['127.0.0.1', '[::1]'].includes(host) || /^[a-z0-9-]+$/i.test(host)
