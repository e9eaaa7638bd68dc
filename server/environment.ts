import { emailInput } from '@atrium/contract/validators/reach.ts'
import { z } from 'zod'
import { isNetwork } from './foundation/database/reachable.ts'

/** Plain digits: a number read by coercion takes a blank for 0, which turns a limit off, and `1e3` or `0x10` for another one. */
const whole = (min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, 'a whole number in digits is expected')
    .transform(Number)
    .pipe(z.number().min(min).max(max))
const flag = z.enum(['true', 'false', '1', '0', '']).transform((text) => text === 'true' || text === '1')

/** Our own message: the one of Node contains the whole address with the password. */
const unreadable = 'this is not a URL; in a password, write %2F for /, %23 for # and %25 for %'
const databaseAddress = z.string().refine(isReadable, unreadable)
const withoutPath = 'an address without a path is expected'
/** `{workspace}` stands for the workspace's name. */
const origin = z
  .string()
  .regex(/^https?:\/\/[a-z0-9.{}:-]+\/?$/i, withoutPath)
  .refine((url) => URL.canParse(url.replace('{workspace}', 'w')), 'this is not a URL')
  .transform((url) => url.replace(/\/$/, ''))
const bucketName = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket is expected')
const storeAddress = z
  .string()
  .regex(/^https?:\/\/[a-z0-9.:-]+\/?$/i, withoutPath)
  .refine((url) => URL.canParse(url), 'this is not a URL')

/** Each variable with its comment is printed into docs/operators/configuration.md and .env.example by `npm run generate`. */
export const environment = z.object({
  /**
   * `production` turns the demo, the simulators and the development pages off, and requires real secrets. Also
   * `test`.
   * @section Server
   */
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  /** Address to listen on; `0.0.0.0` in a container. */
  HOST: z.string().default('localhost'),
  /** Port to listen on; `0` takes a free one. */
  PORT: whole(0, 65_535).default(8080),
  /** What this process does: answer requests (`web`), run jobs (`jobs`), or both. */
  ATRIUM_ROLES: z
    .string()
    .regex(/^\s*(web|jobs)(\s*,\s*(web|jobs))*\s*$/, 'Enter web, jobs, or both separated by a comma')
    .default('web,jobs'),
  /** Folder of the embedded database, uploaded files, the generated secret key and the state of the simulators. */
  ATRIUM_DATA: z.string().default('./data'),
  /**
   * Folder of the built web, if it is not beside the program.
   * @default `web/dist`
   * @example ./web/dist
   */
  ATRIUM_WEB_DIST: z.string().optional(),
  /**
   * How many seconds a process still answers after a stop signal while `/readyz` reports it, so that the balancer
   * stops sending requests.
   * @default `0`; `5` in production
   * @example 5
   */
  DRAIN_SECONDS: whole(0, 300).optional(),
  /** `fatal`, `error`, `warn`, `info`, `debug` or `silent`. `npm start` uses `warn`. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  /**
   * Its subdomains are workspaces: with `example.com`, `harbour.example.com` is the workspace `harbour`. Any other
   * host, or an IP address, is the default workspace.
   * @section Addresses
   */
  ATRIUM_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/)
    .default('localhost'),
  /**
   * Start of the links in mails and of the webhook addresses for payment providers; with one brokerage, an address
   * without `{workspace}`. If it is not set, it is the domain, with HTTPS in production and otherwise with HTTP and
   * the port; production warns if neither this nor the domain is set.
   * @default from the domain
   * @example https://{workspace}.example.com
   */
  PUBLIC_URL: origin.optional(),
  /**
   * Separate hosts for the calls, which only the portal of the same brokerage may use. They must be below the same
   * registered domain as the portal, or the browser does not send the cookie for files.
   * @default the origin of the page
   * @example https://{workspace}.api.example.com
   */
  API_ORIGIN: origin.transform((url) => url.toLowerCase()).optional(),
  /** Number of proxies in front that are trusted to report the client's address, 0 to 10. */
  TRUSTED_PROXIES: whole(0, 10).default(0),
  /**
   * Rate limit of one session at one process, with a burst of five seconds; `0` turns it off. A page makes about 150
   * calls a minute.
   */
  CALLS_PER_MINUTE: whole(0, 1_000_000).default(1_200),
  /**
   * The mail server. Without it emails stay in the database; outside production `/dev/mailbox` shows them.
   * @section Mail
   * @example smtp://user:secret@mail.example.com:587
   */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'smtp:// or smtps:// is expected')
    .refine(isReadable, unreadable)
    .optional(),
  /**
   * Sender of all mails. Replies go to the brokerage's support address.
   * @default `no-reply@` the domain
   * @example no-reply@example.com
   */
  MAIL_FROM: emailInput().optional(),
  /**
   * Your own PostgreSQL, with a role that may create tables and roles. Production requires it, or
   * `ATRIUM_EMBEDDED_DATABASE`.
   * @section Database
   * @default the embedded database; none in production
   * @example postgres://atrium_owner:secret@db.example.com:5432/atrium
   */
  DATABASE_URL: databaseAddress.optional(),
  /**
   * In production: runs the embedded database on this machine, in `ATRIUM_DATA`. Not together with `DATABASE_URL`.
   */
  ATRIUM_EMBEDDED_DATABASE: flag.default(false),
  /**
   * The role that the program runs as, if you created it yourself; it must own nothing. Otherwise one is created and
   * its password derived.
   * @default derived
   * @example postgres://atrium_app:secret@db.example.com:5432/atrium
   */
  DATABASE_PROGRAM_URL: databaseAddress.optional(),
  /**
   * The database itself, if `DATABASE_URL` is a connection pool (PgBouncer in transaction mode). Migrations run there,
   * and connections keep no prepared statements.
   * @default `DATABASE_URL`
   * @example postgres://atrium_owner:secret@db.example.com:5432/atrium
   */
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  /**
   * A streaming replica. Long lists and tables are read there, as the role of the program.
   * @example postgres://atrium_app:secret@replica.example.com:5432/atrium
   */
  DATABASE_READ_URL: databaseAddress.optional(),
  /**
   * A private bucket for uploaded files, in any S3-compatible store; created at the start if the keys allow it.
   * Without it files are in `ATRIUM_DATA`.
   * @section Files
   * @example atrium-files
   */
  S3_BUCKET: bucketName.optional(),
  /**
   * Address of the store.
   * @default Amazon
   * @example https://storage.example.com
   */
  S3_ENDPOINT: storeAddress.optional(),
  /** Region of the bucket. */
  S3_REGION: z.string().default('us-east-1'),
  /**
   * A key that may list the bucket, and read, write and delete in it.
   * @example atrium
   */
  S3_ACCESS_KEY_ID: z.string().optional(),
  /**
   * The secret of that key.
   * @example the-secret-of-that-key
   */
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /**
   * A ClamAV daemon that scans every upload, as `host:port`; its `StreamMaxLength` must be at least 100M. While it
   * is unreachable, files are stored and not served. Files that wait when the setting is removed stay closed until [staff
   * release them](../staff/documents.md).
   * @example 127.0.0.1:3310
   */
  CLAMD_ADDRESS: z
    .string()
    .regex(/^[a-z0-9.-]+:\d{1,5}$/i, 'a host and a port separated by a colon are expected')
    .refine((address) => isPort(address.split(':')[1]), 'a port is between 1 and 65535')
    .optional(),
  /**
   * Encrypts the secrets of platforms and providers in the database; at least 32 characters, refused if easy to
   * guess. If it is lost, those secrets must be entered again. Make one: `openssl rand -base64 32`
   * @section Secrets and sessions
   * @default generated into `ATRIUM_DATA`; required in production
   * @example
   */
  ATRIUM_SECRET_KEY: z.string().min(32).optional(),
  /**
   * Further keys for decryption only, separated by commas, during [a key rotation](secrets.md).
   * @example
   */
  ATRIUM_SECRET_KEYS_OTHER: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .refine((keys) => keys.every((key) => key.length >= 32), 'keys of at least 32 characters are expected')
    .default([]),
  /** A session ends after this long without activity. */
  SESSION_IDLE_MINUTES: whole(1, 1_440).default(30),
  /** A session ends at this age in any case. */
  SESSION_HOURS_MAX: whole(1, 168).default(12),
  /**
   * Private networks in which trading platforms, but never payment providers, may be in production.
   * @example 10.20.0.0/16,fd00:1::/32
   */
  PLATFORM_NETWORKS: z
    .string()
    .transform((text) => text.split(',').map((network) => network.trim()))
    .refine((networks) => networks.every(isNetwork), 'networks such as 10.20.0.0/16 are expected, separated by commas')
    .default([]),
  /**
   * Bearer token for `/metrics`. Without it production does not serve this page. Make one: `openssl rand -hex 32`
   * @section Metrics and traces
   * @example a-token-of-at-least-16-characters
   */
  METRICS_TOKEN: z.string().min(16).optional(),
  /**
   * Address to which traces are sent, by OTLP over HTTP. Without it tracing is off. Compression and timeouts have their
   * standard variables (`OTEL_EXPORTER_OTLP_TIMEOUT` and so on).
   * @example http://collector.internal:4318
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  /**
   * The full address, for traces only.
   * @example http://collector.internal:4318/v1/traces
   */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional(),
  /**
   * Headers sent with traces, usually a token: `authorization=Bearer%20…`, separated by commas.
   * @example
   */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .transform(readHeaders)
    .refine((headers) => headers !== null, 'name=value pairs are expected, separated by commas, with % written as %25')
    .optional(),
  /** Service name of the traces. */
  OTEL_SERVICE_NAME: z.string().min(1).default('atrium'),
  /**
   * `true` turns tracing off, whatever else is set.
   * @example true
   */
  OTEL_SDK_DISABLED: z.string().optional(),
  /**
   * `none` turns tracing off; there are no other exporters.
   * @default `otlp`
   * @example none
   */
  OTEL_TRACES_EXPORTER: z.string().optional(),
  /**
   * `parentbased_traceidratio`, `traceidratio`, `always_on` or `always_off`, the last two with `parentbased_` in
   * front as well.
   * @default `parentbased_traceidratio`
   * @example parentbased_always_on
   */
  OTEL_TRACES_SAMPLER: z.string().optional(),
  /**
   * Share of requests and jobs that a ratio sampler traces, from 0 to 1.
   * @example 0.1
   */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .trim()
    .regex(/^(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?$/i, 'a number from 0 to 1 is expected')
    .transform(Number)
    .pipe(z.number().min(0).max(1))
    .default(1),
  /**
   * Encrypts [backups](backups.md); at least 32 characters, different from `ATRIUM_SECRET_KEY`. No backup can be
   * read without it: keep it away from this machine and from the backups. Make one: `openssl rand -base64 32`
   * @section Backups
   * @example
   */
  ATRIUM_BACKUP_KEY: z.string().min(32).optional(),
  /**
   * Folder for backups, on another disk or machine.
   * @example /mnt/backups/atrium
   */
  ATRIUM_BACKUP_FOLDER: z.string().optional(),
  /**
   * A separate bucket for backups, instead of a folder.
   * @example atrium-backups
   */
  BACKUP_S3_BUCKET: bucketName.optional(),
  /**
   * Address of its store.
   * @default Amazon
   * @example https://storage.example.com
   */
  BACKUP_S3_ENDPOINT: storeAddress.optional(),
  /** Its region. */
  BACKUP_S3_REGION: z.string().default('us-east-1'),
  /**
   * A key that may list it, read and write in it, and delete in it to remove old backups.
   * @example atrium
   */
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  /**
   * The secret of that key.
   * @example the-secret-of-that-key
   */
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
  /**
   * The demo brokerage, with its sign-ins shown on the sign-in page. `npm start` sets it; production refuses it.
   * @section Demo and tests
   */
  ATRIUM_DEMO: flag.default(false),
  /**
   * Tests only: ends the process at a named failpoint. Ignored in production.
   * @example
   */
  ATRIUM_FAILPOINT: z.string().optional(),
})

export type Environment = z.output<typeof environment>

/** Variables that may be read from a file, as containers and systemd pass secrets: `SMTP_URL_FILE=/run/secrets/smtp`. */
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

/** Reads `name=value` pairs of the OpenTelemetry standard with URL-encoded values; null if unreadable. */
function readHeaders(text: string): Record<string, string> | null {
  const pairs = text.split(',').map((pair) => /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(pair))
  if (pairs.includes(null)) return null
  try {
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]))
  } catch {
    return null
  }
}

const isPort = (text: string | undefined): boolean => Number(text) >= 1 && Number(text) <= 65_535

function isReadable(address: string): boolean {
  try {
    const { username, password } = new URL(address)
    return [username, password].every((part) => typeof decodeURIComponent(part) === 'string')
  } catch {
    return false
  }
}
