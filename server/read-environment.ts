import { readFileSync } from 'node:fs'
import { type Environment, environment, secretVariables } from './environment.ts'
import { findMisspelt } from './misspelt-settings.ts'

type Source = Record<string, string | undefined>

/** Reads and checks the variables, and lists all problems in one error. */
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
        // Otherwise the setting would count as missing, and a missing database address would start an empty embedded database.
        if (present[name] === '') problems.push(`${name}_FILE: the file is empty`)
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
      ? [...validateBuckets(parsed.data), ...validateDatabase(parsed.data), ...validateProduction(parsed.data)]
      : []),
  )
  if (parsed.data && problems.length === 0) return parsed.data
  throw new Error(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

/** Warnings for the log: names that resemble a setting and are none. Production refuses to start with a misspelt one. */
export function readWarnings(source: Source): string[] {
  const { misspelt, unknown } = readNames(source)
  return [...misspelt, ...unknown]
}

const readNames = (source: Source) =>
  findMisspelt({
    given: Object.keys(source).filter((name) => source[name]),
    settings: Object.keys(environment.shape),
    secrets: secretVariables,
  })

/** Requires the choice in production, since a misspelt address would otherwise start an empty embedded database. */
function validateDatabase(read: Environment): string[] {
  const isGiven = read.DATABASE_URL !== undefined
  if (isGiven && read.ATRIUM_EMBEDDED_DATABASE)
    return ['ATRIUM_EMBEDDED_DATABASE: set this one or DATABASE_URL, not both']
  if (isGiven || read.ATRIUM_EMBEDDED_DATABASE || read.NODE_ENV !== 'production') return []
  return ['DATABASE_URL: must be set in production; ATRIUM_EMBEDDED_DATABASE=true asks for a database on this machine']
}

/** A bucket needs both of its keys. */
function validateBuckets(read: Environment): string[] {
  return (['S3', 'BACKUP_S3'] as const)
    .filter((prefix) => read[`${prefix}_BUCKET`])
    .flatMap((prefix) => [`${prefix}_ACCESS_KEY_ID`, `${prefix}_SECRET_ACCESS_KEY`] as const)
    .filter((name) => !read[name])
    .map((name) => `${name}: must be set, as its bucket is`)
}

const makeOne = 'make one: openssl rand -base64 32'

/** What is acceptable on a laptop and unsafe in production. */
function validateProduction(read: Environment): string[] {
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
    ...addresses.map((name) => isDefault(passwordIn(read[name])) && `${name}: its password is publicly known`),
    isDefault(read.S3_SECRET_ACCESS_KEY) && 'S3_SECRET_ACCESS_KEY: is publicly known',
    isDefault(read.BACKUP_S3_SECRET_ACCESS_KEY) && 'BACKUP_S3_SECRET_ACCESS_KEY: is publicly known',
    read.ATRIUM_BACKUP_KEY !== undefined &&
      read.ATRIUM_BACKUP_KEY === read.ATRIUM_SECRET_KEY &&
      'ATRIUM_BACKUP_KEY: must differ from ATRIUM_SECRET_KEY',
    read.PUBLIC_URL?.startsWith('http:') && 'PUBLIC_URL: must be https in production',
    read.API_ORIGIN?.startsWith('http:') && 'API_ORIGIN: must be https in production',
    ...buckets.map(
      (name) =>
        isUnencryptedRemote(read[name]) &&
        `${name}: must be https in production, unless it is this machine or a container beside it`,
    ),
  ].filter((problem) => typeof problem === 'string')
}

/** Whether a long enough secret is still weak: few distinct characters, a run of characters, or a value in this repository. */
function isGuessable(secret: string): boolean {
  return new Set(secret).size < 10 || isDefault(secret) || isCountedUp(secret)
}

/** Contains a run like `abcdefgh` or `01234567`, as the keys of our tests do. A random key practically never does. */
function isCountedUp(secret: string): boolean {
  let inOrder = 1
  for (let at = 1; at < secret.length && inOrder < 8; at += 1)
    inOrder = secret.charCodeAt(at) === secret.charCodeAt(at - 1) + 1 ? inOrder + 1 : 1
  return inOrder >= 8
}

/** Default passwords of database and storage images, and the examples in .env.example. */
const engines = ['postgres', 'password', 'secret', 'admin', 'atrium', 'changeme', 'minioadmin', 'minio123', 'example']
const examples = ['the-secret-of-that-key', 'a-token-of-at-least-16-characters']
const defaults = [...engines, ...examples]

function isDefault(secret: string | undefined): boolean {
  return secret !== undefined && defaults.includes(secret.toLowerCase())
}

/** Undefined without a password: the database then authenticates by a socket or a certificate. */
function passwordIn(address: string | undefined): string | undefined {
  return address && URL.canParse(address) ? decodeURIComponent(new URL(address).password) || undefined : undefined
}

const isUnencryptedRemote = (address: string | undefined) =>
  address?.startsWith('http:') && !isLocal(new URL(address).hostname)

/** This machine, or a name without a dot, such as a container beside this one; no public name lacks a dot. */
const isLocal = (host: string): boolean => ['127.0.0.1', '[::1]'].includes(host) || /^[a-z0-9-]+$/i.test(host)
