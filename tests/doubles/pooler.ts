import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './child-server.ts'

/** An unprivileged user for PgBouncer when the tests run as root, as which it refuses to run. */
const nobody = 65_534

type Pooler = { url: string; stop(): Promise<void> }

/**
 * A PgBouncer in transaction mode in front of one database, for one role: every transaction may get another session, as in an
 * installation with many processes. ATRIUM_TEST_POOLER names its executable, since npm has no PgBouncer.
 */
export async function startPooler(executable: string, programUrl: string, sessionsMax = 4): Promise<Pooler> {
  const behind = new URL(programUrl)
  const folder = mkdtempSync(join(tmpdir(), 'atrium-pooler-'))
  const port = await freePort()
  const database = behind.pathname.slice(1)
  const [user, password] = [behind.username, behind.password].map(decodeURIComponent)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: join(folder, 'users.txt'),
    pool_mode: 'transaction',
    default_pool_size: sessionsMax,
    max_client_conn: 500,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const host = `${database} = host=${behind.hostname} port=${behind.port} dbname=${database}`
  writeFileSync(join(folder, 'users.txt'), `"${user}" "${password}"\n`)
  writeFileSync(join(folder, 'pgbouncer.ini'), `[databases]\n${host}\n\n[pgbouncer]\n${lines.join('\n')}\n`)
  for (const path of ['.', 'users.txt', 'pgbouncer.ini']) chmodSync(join(folder, path), 0o755)
  const isRoot = process.getuid?.() === 0
  const child = spawn(executable, ['-q', join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
  const ended = once(child, 'exit')
  while (child.exitCode === null && !(await answers(port))) await new Promise((resolve) => setTimeout(resolve, 50))
  if (child.exitCode !== null) throw new Error('PgBouncer ended at its start.')
  const url = new URL(programUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: url.toString(), stop }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    const resolveWith = (isThere: boolean) => () => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', resolveWith(true)).once('error', resolveWith(false))
  })
}
