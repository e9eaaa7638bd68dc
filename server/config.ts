import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { isNetwork } from './foundation/reachable.ts'

const flag = z.enum(['true', 'false', '1', '0', '']).transform((text) => text === 'true' || text === '1')

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
    .refine((url) => URL.canParse(url), 'this is no address')
    .optional(),
  /** Whom mails come from; each brokerage's support address is where answers go. */
  MAIL_FROM: z.email().optional(),
  /** Where the embedded database, uploaded files and generated secrets live. */
  ATRIUM_DATA: z.string().default('./data'),
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
  /** A ClamAV daemon that looks at every upload: `scanner.example.com:3310`. Without it nobody does. */
  CLAMD_ADDRESS: z
    .string()
    .regex(/^[a-z0-9.-]+:\d{1,5}$/i, 'a host and a port are expected, with a colon between')
    .optional(),
  /** An existing PostgreSQL, as a role that may create tables and one role. Without it the program starts its own. */
  DATABASE_URL: z.string().optional(),
  /** The role the program runs as, when somebody else made it. Without it one is made beside the owner's. */
  DATABASE_PROGRAM_URL: z.string().optional(),
  /** What this process does: answer requests, run jobs, or both. */
  ATRIUM_ROLES: z
    .string()
    .regex(/^\s*(web|jobs)(\s*,\s*(web|jobs))*\s*$/, 'Say web, jobs, or both with a comma between')
    .default('web,jobs'),
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
  /** Networks inside which workspaces may have trading platforms, in production: `10.20.0.0/16,fd00:1::/32`. None, unless said. */
  PLATFORM_NETWORKS: z
    .string()
    .transform((text) => text.split(',').map((network) => network.trim()))
    .refine((networks) => networks.every(isNetwork), 'networks such as 10.20.0.0/16 are expected, with commas between')
    .default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  /** Sessions end after this long without a sign of life, and at the absolute age in any case. */
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(1).max(1_440).default(30),
  SESSION_HOURS_MAX: z.coerce.number().int().min(1).max(168).default(12),
  /** The demo brokerage: its sign-ins are shown and simulators may be spoken to over plain HTTP. */
  ATRIUM_DEMO: flag.default(false),
  /** Tests only: ends the process at a named step, as a power cut would. */
  ATRIUM_FAILPOINT: z.string().optional(),
})

export type Bucket = {
  name: string
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export type Config = {
  production: boolean
  /** Said to be a developer's machine, not merely not said to be production. */
  development: boolean
  port: number
  host: string
  domain: string
  publicUrl: string | null
  apiOrigin: string | null
  smtpUrl: string | null
  mailFrom: string
  dataDirectory: string
  bucket: Bucket | null
  clamd: { host: string; port: number } | null
  databaseUrl: string | null
  programDatabaseUrl: string | null
  roles: { web: boolean; jobs: boolean }
  secretKey: string
  secretKeysOther: string[]
  trustedProxies: number
  platformNetworks: string[]
  logLevel: string
  sessionIdleMs: number
  sessionAgeMsMax: number
  demo: boolean
  failpoint: string | null
}

/** Reads the environment, once. All problems are listed together, since fixing them one start at a time is tiring. */
export function readConfig(source: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(present)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The environment is not right:\n${problems.join('\n')}`)
  }
  const read = parsed.data
  const production = read.NODE_ENV === 'production'
  const dataDirectory = resolve(read.ATRIUM_DATA)
  const roles = read.ATRIUM_ROLES.split(',').map((role) => role.trim())
  if (production && read.ATRIUM_DEMO) throw new Error('ATRIUM_DEMO cannot be on in production.')
  if (production && !read.ATRIUM_SECRET_KEY) throw new Error('ATRIUM_SECRET_KEY must be set in production.')
  for (const [name, keys] of [
    ['ATRIUM_SECRET_KEY', [read.ATRIUM_SECRET_KEY ?? '']],
    ['ATRIUM_SECRET_KEYS_OTHER', read.ATRIUM_SECRET_KEYS_OTHER],
  ] as const)
    if (production && keys.some(isGuessable))
      throw new Error(`${name} is too easy to guess. Make one: openssl rand -base64 32`)
  if (production && read.PUBLIC_URL?.startsWith('http:')) throw new Error('PUBLIC_URL must be https in production.')
  if (production && read.API_ORIGIN?.startsWith('http:')) throw new Error('API_ORIGIN must be https in production.')
  return {
    production,
    development: !production && present.NODE_ENV !== undefined,
    port: read.PORT,
    host: read.HOST,
    domain: read.ATRIUM_DOMAIN,
    publicUrl: read.PUBLIC_URL ?? null,
    apiOrigin: read.API_ORIGIN ?? null,
    smtpUrl: read.SMTP_URL ?? null,
    mailFrom: read.MAIL_FROM ?? `no-reply@${read.ATRIUM_DOMAIN}`,
    dataDirectory,
    bucket: bucketOf(read, production),
    clamd: clamdOf(read.CLAMD_ADDRESS),
    databaseUrl: read.DATABASE_URL ?? null,
    programDatabaseUrl: read.DATABASE_PROGRAM_URL ?? null,
    roles: { web: roles.includes('web'), jobs: roles.includes('jobs') },
    secretKey: read.ATRIUM_SECRET_KEY ?? generatedSecret(dataDirectory),
    secretKeysOther: read.ATRIUM_SECRET_KEYS_OTHER,
    trustedProxies: read.TRUSTED_PROXIES,
    platformNetworks: read.PLATFORM_NETWORKS,
    logLevel: read.LOG_LEVEL,
    sessionIdleMs: read.SESSION_IDLE_MINUTES * 60_000,
    sessionAgeMsMax: read.SESSION_HOURS_MAX * 3_600_000,
    demo: read.ATRIUM_DEMO,
    failpoint: production ? null : (read.ATRIUM_FAILPOINT ?? null),
  }
}

function clamdOf(address: string | undefined): Config['clamd'] {
  const [host, port] = address?.split(':') ?? []
  return host && port ? { host, port: Number(port) } : null
}

function bucketOf(read: z.output<typeof environment>, production: boolean): Bucket | null {
  if (!read.S3_BUCKET) return null
  if (!read.S3_ACCESS_KEY_ID || !read.S3_SECRET_ACCESS_KEY)
    throw new Error('S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  const { S3_ENDPOINT: endpoint = null } = read
  const isPlain = endpoint?.startsWith('http:') && !['localhost', '127.0.0.1'].includes(new URL(endpoint).hostname)
  if (production && isPlain) throw new Error('S3_ENDPOINT must be https in production, unless it is this machine.')
  return {
    name: read.S3_BUCKET,
    endpoint,
    region: read.S3_REGION,
    accessKeyId: read.S3_ACCESS_KEY_ID,
    secretAccessKey: read.S3_SECRET_ACCESS_KEY,
  }
}

/** Long enough and still no secret: one key pressed for long, or a word over and over. */
function isGuessable(secret: string): boolean {
  return new Set(secret).size < 10
}

/** A key of this data folder's own, so that a first start needs no set-up and no two installations share one. */
function generatedSecret(dataDirectory: string): string {
  const path = join(dataDirectory, 'secret.key')
  if (!existsSync(path)) writeOnce(path, randomBytes(32).toString('base64url'))
  return readFileSync(path, 'utf8').trim()
}

/** Of two processes that start at once the first one's key holds, and neither ever reads half of one. */
function writeOnce(path: string, secret: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, secret, { mode: 0o600 })
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, path)
  } catch {
    // There already, or a file system without links, on which the last one holds.
    if (!existsSync(path)) renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}
