import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, cleanEnvironment, diskFull, isDiskFull, owner, prepareCluster } from './cluster.ts'
import { FolderInUse, lockFolder } from './folder-lock.ts'
import { locateCluster, outsideFolders } from './postgres-location.ts'
import {
  clearStaleNote,
  clusterName,
  endOrphanedBackends,
  findPostmaster,
  isAlive,
  type Postmaster,
  stopPostmaster,
} from './postgres-process.ts'

export type EmbeddedPostgres = {
  /** Connects as the superuser that owns the database. */
  url: string
  port: number
  readonly pid: number
  /** True when a server left by a killed program was adopted. */
  adopted: boolean
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  /** Contains the cluster, password, log and lock. */
  dataDirectory: string
  log?: (message: string) => void
  /** Overrides such as `{ fsync: 'off' }` for tests. An adopted server keeps those it was started with. */
  settings?: Record<string, string>
  /** Locations for programs and data when the process runs as root and the PostgreSQL user cannot enter the folder. */
  outside?: string[]
  /** Time for a remaining server to answer before it is stopped. */
  adoptionMs?: number
  /** Time for each way of stopping such a server before the next, harder one. */
  patienceMs?: number
  /** Time to wait for another program to release the folder. */
  lockPatienceMs?: number
  /** Restarts the server on the same port whenever it ends by itself, for example on a full disk or without memory. */
  keep?: boolean
}

const databaseName = 'atrium'

const ourSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // A socket in a shared folder is another entry point; the loopback port has the password.
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off', // Compilation costs more than our short queries take.
  max_connections: '200',
  shared_buffers: '256MB',
  log_line_prefix: '%m [%p] ',
  // The log must not hold personal data: neither the statement nor the row of an error.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** The program's own PostgreSQL. Starts from any state that a killed program, server or machine left. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.dataDirectory)
  mkdirSync(folder, { recursive: true })
  const lock = await lockPatiently(folder, options.lockPatienceMs ?? 5_000)
  try {
    const cluster = prepareCluster(folder, options)
    const adopted = await adoptOrStop(cluster, {
      adoptionMs: options.adoptionMs ?? 10_000,
      patienceMs: options.patienceMs ?? 5_000,
    })
    const settings = { ...ourSettings, ...(options.keep && whenKept), ...options.settings }
    let server = adopted ?? (await launch(cluster, settings))
    const url = await createDatabase(cluster, server.port)
    const { port } = server
    const stopKeeping = options.keep
      ? keep(async () => {
          if (isAlive(server.pid)) return
          cluster.log('PostgreSQL stopped unexpectedly and is being restarted')
          await endOrphanedBackends(cluster.path, { patienceMs: 5_000 })
          clearStaleNote(cluster.path)
          server = await launch(cluster, settings, port)
        }, cluster.log)
      : async () => undefined
    const stop = async () => {
      await stopKeeping()
      await stopPostmaster(server.pid)
      lock.release()
    }
    const isAdopted = adopted !== undefined
    return {
      url,
      port,
      get pid() {
        return server.pid
      },
      adopted: isAdopted,
      stop,
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

const keepEveryMs = 250
const keepAgainMs = 1_000

/**
 * The server ends after a crash and is restarted here. With its own recovery, PostgreSQL 18 neither retried nor ended
 * after a failed attempt on a full disk, even when space was free again.
 */
const whenKept = { restart_after_crash: 'off' }

/** Repeats regardless of errors: a disk stays full until an operator frees space. */
function keep(round: () => Promise<void>, log: (message: string) => void): () => Promise<void> {
  const ending = new AbortController()
  const rounds = (async () => {
    while (!ending.signal.aborted) {
      const pauseMs = await round().then(
        () => keepEveryMs,
        (problem: Error) => {
          log(problem.message)
          return keepAgainMs
        },
      )
      await delay(pauseMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined)
    }
  })()
  return () => {
    ending.abort()
    return rounds
  }
}

/**
 * The URL of the server that another running program started in this folder, for a command beside it; undefined when
 * none runs. Adopts and stops nothing.
 */
export function findRunningPostgres(dataDirectory: string): string | undefined {
  const folder = resolve(dataDirectory)
  const passwordFile = join(folder, 'owner-password')
  if (!existsSync(passwordFile)) return undefined
  const running = findPostmaster(join(locateCluster(folder, outsideFolders).place, 'cluster'))
  if (!running || running.port === 0) return undefined
  return addressOf(readFileSync(passwordFile, 'utf8').trim(), running.port)
}

/** A program that is shutting down may still hold the folder while the next one starts. */
async function lockPatiently(folder: string, patienceMs: number) {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return lockFolder(folder)
    } catch (error) {
      if (!(error instanceof FolderInUse) || performance.now() > until) throw error
    }
    await delay(100)
  }
}

async function adoptOrStop(
  cluster: Cluster,
  { adoptionMs, patienceMs }: { adoptionMs: number; patienceMs: number },
): Promise<Postmaster | undefined> {
  const running = findPostmaster(cluster.path)
  if (running && running.port > 0 && (await answers(cluster, running, adoptionMs))) {
    cluster.log(`Taking over the PostgreSQL that is still running (process ${running.pid})`)
    return running
  }
  if (running && process.platform !== 'win32') {
    cluster.log(`Stopping a PostgreSQL that does not answer (process ${running.pid})`)
    await stopPostmaster(running.pid, { patienceMs })
  }
  await endOrphanedBackends(cluster.path, { patienceMs })
  clearStaleNote(cluster.path)
  return undefined
}

async function answers(cluster: Cluster, running: Postmaster, silenceMs: number) {
  try {
    return await waitUntilReady(cluster, running, silenceMs)
  } catch {
    return false // Another server on that port, or another password: not usable in either case.
  }
}

async function launch(cluster: Cluster, settings: Record<string, string>, samePort?: number): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const port = samePort ?? (await freePort())
    const server = spawnServer(cluster, { ...settings, port: String(port), cluster_name: clusterName(cluster.path) })
    const pid = server.pid ?? (await failedSpawn(server))
    if (await waitUntilReady(cluster, { pid, port }, 60_000)) return { pid, port }
    if (isAlive(pid)) await stopPostmaster(pid)
    // Another program may have taken the port since it was checked.
    if (samePort || attempt === 3) {
      const said = tail(logFile(cluster))
      throw new Error(isDiskFull(said) ? diskFull : `PostgreSQL did not start. The end of its log:\n${said}`)
    }
  }
}

function spawnServer(cluster: Cluster, settings: Record<string, string>): ChildProcess {
  const { runner, binaries, path } = cluster
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLog(logFile(cluster))
  // Detached: Ctrl+C in a terminal signals the whole group, and the program still needs the database to finish.
  const server = spawn(binaries.postgres, ['-D', path, ...args], {
    ...runner,
    cwd: dirname(binaries.postgres),
    env: cleanEnvironment(),
    detached: true,
    stdio: ['ignore', log, log],
    windowsHide: true,
  })
  closeSync(log)
  server.unref()
  return server
}

function failedSpawn(server: ChildProcess): Promise<never> {
  return new Promise((_, reject) => {
    server.once('error', (cause) => reject(new Error('PostgreSQL cannot run on this machine.', { cause })))
  })
}

const logFile = (cluster: Cluster) => join(cluster.folder, 'postgres.log')

function openLog(file: string) {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > 10_000_000) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

function tail(file: string) {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-15).join('\n')
}

/**
 * True once it answers queries, false when it ended or was silent for too long. A server that reports recovery is not
 * silent, since recovery after a crash may take long.
 */
async function waitUntilReady(cluster: Cluster, { pid, port }: Postmaster, silenceMs: number) {
  let silentSince = performance.now()
  while (isAlive(pid)) {
    const state = await ask(cluster, port)
    if (state === 'ready') return true
    if (state === 'starting') silentSince = performance.now()
    if (performance.now() - silentSince > silenceMs) return false
    await delay(30)
  }
  return false
}

async function ask(cluster: Cluster, port: number): Promise<'ready' | 'starting' | 'silent'> {
  const client = connectTo(cluster, port, 'postgres')
  try {
    await client.connect()
    const answer = await client.query<{ name: string }>("SELECT current_setting('cluster_name') AS name")
    if (answer.rows[0]?.name === clusterName(cluster.path)) return 'ready'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === '57P03') return 'starting'
    if (code === '28P01') throw error // Wrong password, so waiting does not help.
    return 'silent'
  } finally {
    await client.end().catch(() => undefined)
  }
  throw new Error(`Another PostgreSQL answers on port ${port}.`)
}

function connectTo(cluster: Cluster, port: number, database: string, query_timeout = 2_000) {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: owner,
    password: cluster.password,
    database,
    ssl: false,
    connectionTimeoutMillis: 2_000,
    query_timeout,
  })
  client.on('error', () => undefined) // When the server is killed, the pending call reports it.
  return client
}

/** Runs at every start, because the first one may have been killed in between. */
async function createDatabase(cluster: Cluster, port: number) {
  // The server copies files for it, which is slow on a busy disk.
  const client = connectTo(cluster, port, 'postgres', 60_000)
  await client.connect()
  try {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`)
  } finally {
    await client.end()
  }
  return addressOf(cluster.password, port)
}

function addressOf(password: string, port: number): string {
  return `postgres://${owner}:${encodeURIComponent(password)}@127.0.0.1:${port}/${databaseName}`
}

function freePort(): Promise<number> {
  return new Promise((found, reject) => {
    const server = createServer()
    server.once('error', (cause) =>
      reject(new Error('PostgreSQL needs a port on 127.0.0.1, and none is free there.', { cause })),
    )
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address ? found(address.port) : reject(new Error('No port'))))
    })
  })
}
