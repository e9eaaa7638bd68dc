import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from './environment.ts'
import { readEnvironment, readWarnings } from './read-environment.ts'
import { readTracing, type Tracing } from './tracing-settings.ts'

export type Bucket = {
  name: string
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export type Config = {
  production: boolean
  /** True only where NODE_ENV names a development or test machine, not wherever it is not production. */
  development: boolean
  port: number
  host: string
  domain: string
  publicUrl: string | null
  apiOrigin: string | null
  smtpUrl: string | null
  mailFrom: string
  dataDirectory: string
  /** Folder of the built web; it may be missing. */
  webDirectory: string
  bucket: Bucket | null
  clamd: { host: string; port: number } | null
  databaseUrl: string | null
  programDatabaseUrl: string | null
  directDatabaseUrl: string | null
  readDatabaseUrl: string | null
  roles: { web: boolean; jobs: boolean }
  secretKey: string
  secretKeysOther: string[]
  /** How long a stopping process still answers, so that load balancers notice. */
  drainMs: number
  trustedProxies: number
  platformNetworks: string[]
  metricsToken: string | null
  /** Rate limit per session and process; null turns it off. */
  callsPerMinute: number | null
  tracing: Tracing | null
  /** The encryption key of backups and where they are stored. */
  backup: { key: string | null; folder: string | null; bucket: Bucket | null }
  logLevel: string
  sessionIdleMs: number
  sessionAgeMsMax: number
  demo: boolean
  failpoint: string | null
  /** Warnings for the log: variables that resemble a setting, and unsupported values. */
  warnings: string[]
}

const builtWeb = fileURLToPath(new URL('../web/dist/', import.meta.url))

/** Reads and checks the environment. */
export function readConfig(source: Record<string, string | undefined>): Config {
  const read = readEnvironment(source)
  const production = read.NODE_ENV === 'production'
  const { tracing, warnings } = readTracing(read)
  const dataDirectory = resolve(read.ATRIUM_DATA)
  const roles = read.ATRIUM_ROLES.split(',').map((role) => role.trim())
  return {
    production,
    development: !production && Boolean(source.NODE_ENV),
    port: read.PORT,
    host: read.HOST,
    domain: read.ATRIUM_DOMAIN,
    publicUrl: read.PUBLIC_URL ?? null,
    apiOrigin: read.API_ORIGIN ?? null,
    smtpUrl: read.SMTP_URL ?? null,
    mailFrom: read.MAIL_FROM ?? `no-reply@${read.ATRIUM_DOMAIN}`,
    dataDirectory,
    webDirectory: resolve(read.ATRIUM_WEB_DIST ?? builtWeb),
    bucket: bucketOf(read),
    clamd: clamdOf(read.CLAMD_ADDRESS),
    databaseUrl: read.DATABASE_URL ?? null,
    programDatabaseUrl: read.DATABASE_PROGRAM_URL ?? null,
    directDatabaseUrl: read.DATABASE_DIRECT_URL ?? null,
    readDatabaseUrl: read.DATABASE_READ_URL ?? null,
    roles: { web: roles.includes('web'), jobs: roles.includes('jobs') },
    secretKey: read.ATRIUM_SECRET_KEY ?? generatedSecret(dataDirectory),
    secretKeysOther: read.ATRIUM_SECRET_KEYS_OTHER,
    drainMs: (read.DRAIN_SECONDS ?? (production ? 5 : 0)) * 1_000,
    trustedProxies: read.TRUSTED_PROXIES,
    platformNetworks: read.PLATFORM_NETWORKS,
    metricsToken: read.METRICS_TOKEN ?? null,
    callsPerMinute: read.CALLS_PER_MINUTE || null,
    tracing,
    backup: backupOf(read),
    logLevel: read.LOG_LEVEL,
    sessionIdleMs: read.SESSION_IDLE_MINUTES * 60_000,
    sessionAgeMsMax: read.SESSION_HOURS_MAX * 3_600_000,
    demo: read.ATRIUM_DEMO,
    failpoint: production ? null : (read.ATRIUM_FAILPOINT ?? null),
    warnings: [...readWarnings(source), ...warnings, ...(production ? warnAboutAddress(read) : [])],
  }
}

/** Warns, since links in mails and webhook addresses at providers stay wrong and the first sign would be a missing payment. */
function warnAboutAddress({ PUBLIC_URL, ATRIUM_DOMAIN }: Environment): string[] {
  if (PUBLIC_URL || ATRIUM_DOMAIN !== 'localhost') return []
  return [
    'PUBLIC_URL is not set: links in emails and addresses that payment providers notify lead to https://localhost. Set it to the address of the portal.',
  ]
}

function clamdOf(address: string | undefined): Config['clamd'] {
  const [host, port] = address?.split(':') ?? []
  return host && port ? { host, port: Number(port) } : null
}

function bucketOf(read: Environment): Bucket | null {
  if (!read.S3_BUCKET) return null
  return namedBucket('S3', {
    name: read.S3_BUCKET,
    endpoint: read.S3_ENDPOINT ?? null,
    region: read.S3_REGION,
    accessKeyId: read.S3_ACCESS_KEY_ID,
    secretAccessKey: read.S3_SECRET_ACCESS_KEY,
  })
}

function backupOf(read: Environment): Config['backup'] {
  const bucket = {
    name: read.BACKUP_S3_BUCKET ?? '',
    endpoint: read.BACKUP_S3_ENDPOINT ?? null,
    region: read.BACKUP_S3_REGION,
    accessKeyId: read.BACKUP_S3_ACCESS_KEY_ID,
    secretAccessKey: read.BACKUP_S3_SECRET_ACCESS_KEY,
  }
  return {
    key: read.ATRIUM_BACKUP_KEY ?? null,
    folder: read.ATRIUM_BACKUP_FOLDER ? resolve(read.ATRIUM_BACKUP_FOLDER) : null,
    bucket: bucket.name ? namedBucket('BACKUP_S3', bucket) : null,
  }
}

type Named = Omit<Bucket, 'accessKeyId' | 'secretAccessKey'> &
  Record<'accessKeyId' | 'secretAccessKey', string | undefined>

function namedBucket(prefix: string, { accessKeyId, secretAccessKey, ...bucket }: Named): Bucket {
  // read-environment.ts refuses such an environment earlier.
  if (!accessKeyId || !secretAccessKey) throw new Error(`Impossible state: ${prefix}_BUCKET without its keys`)
  return { ...bucket, accessKeyId, secretAccessKey }
}

/** A key generated into this data folder, so that a first start needs no set-up and no two installations share a key. */
function generatedSecret(dataDirectory: string): string {
  const path = join(dataDirectory, 'secret.key')
  if (!existsSync(path)) writeOnce(path, randomBytes(32).toString('base64url'))
  return readFileSync(path, 'utf8').trim()
}

/** Writes atomically: of two processes that start together the first key wins, and neither reads half a key. */
function writeOnce(path: string, secret: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, secret, { mode: 0o600 })
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, path)
  } catch {
    // Either the file exists, or the file system has no links; there the last writer wins.
    if (!existsSync(path)) renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}
