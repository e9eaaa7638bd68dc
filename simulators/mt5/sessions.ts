import { createHash, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Parameters, Reply } from './wire.ts'
import type { World } from './world.ts'

export type Manager = { login: string; password: string }

type Session = {
  connection: number
  state: 'fresh' | 'started' | 'ready'
  manager: Manager | undefined
  challenge: Buffer
  startedAt: number
  lastAt: number
  cookie: string
}

const SILENCE_MS_MAX = 180_000
const ANSWER_WITHIN_MS = 10_000
const VERSION_MIN = 484
const build = '4755'

const md5 = (...parts: Buffer[]) => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The server's stored hash of an API password, and its proof. */
const proof = (password: string, challenge: Buffer) => {
  const passwordHash = md5(Buffer.from(password, 'utf16le'))
  return md5(md5(passwordHash, Buffer.from('WebAPI', 'ascii')), challenge).toString('hex')
}

export type Sessions = ReturnType<typeof openSessions>

/** A session belongs to a socket: a new connection has to sign in again. */
export function openSessions(world: World, managers: readonly Manager[]) {
  const sessions = new Map<Socket, Session>()
  let connections = 0

  const of = (socket: Socket): Session => {
    const known = sessions.get(socket)
    if (known !== undefined) return known
    connections += 1
    const now = world.clock.now()
    const cookie = randomBytes(8).toString('hex')
    const made: Session = {
      connection: connections,
      state: 'fresh',
      manager: undefined,
      challenge: Buffer.alloc(0),
      startedAt: now,
      lastAt: now,
      cookie,
    }
    sessions.set(socket, made)
    socket.once('close', () => sessions.delete(socket))
    return made
  }

  return {
    connectionOf: (socket: Socket) => of(socket).connection,
    end: (socket: Socket) => {
      of(socket).state = 'fresh'
    },
    endAll: () => {
      for (const socket of sessions.keys()) socket.destroy()
    },
    start: (socket: Socket, parameters: Parameters): Reply | 'forbidden' => {
      const session = of(socket)
      if (world.switches.authCode !== null) return { code: world.switches.authCode }
      const manager = managers.find((one) => one.login === parameters.get('login'))
      const wellFormed =
        Number(parameters.get('version')) >= VERSION_MIN &&
        /^\S+$/.test(parameters.get('agent') ?? '') &&
        parameters.get('type') === 'manager'
      if (manager === undefined || !wellFormed) return 'forbidden'
      const challenge = randomBytes(16)
      if (world.switches.leadingZeroRand) challenge.fill(0, 0, 2)
      Object.assign(session, { state: 'started', manager, challenge, startedAt: world.clock.now() })
      return { code: 0, beside: { version_access: build, srv_rand: challenge.toString('hex') } }
    },
    answer: (socket: Socket, parameters: Parameters): Reply | 'forbidden' => {
      const session = of(socket)
      const { manager } = session
      const late = world.clock.now() - session.startedAt > ANSWER_WITHIN_MS
      if (session.state !== 'started' || manager === undefined || late) return 'forbidden'
      const given = (parameters.get('srv_rand_answer') ?? '').toLowerCase()
      const theirs = Buffer.from(parameters.get('cli_rand') ?? '', 'hex')
      if (given !== proof(manager.password, session.challenge) || theirs.length !== 16) {
        session.state = 'fresh'
        return 'forbidden'
      }
      Object.assign(session, { state: 'ready', lastAt: world.clock.now() })
      const known = world.switches.wrongServerProof ? 'another password' : manager.password
      return {
        code: 0,
        beside: { version_access: build, version_trade: build, cli_rand_answer: proof(known, theirs) },
      }
    },
    cookieOf: (socket: Socket) => `atrium_session=${of(socket).cookie}`,
    /** The manager who is signed in on the socket, or undefined. */
    admit: (socket: Socket, cookies: string | undefined): number | undefined => {
      const session = of(socket)
      const silent = world.clock.now() - session.lastAt > SILENCE_MS_MAX
      const cookieGiven = !world.switches.cookie || (cookies ?? '').includes(session.cookie)
      if (session.state !== 'ready' || silent || !cookieGiven) return undefined
      session.lastAt = world.clock.now()
      return Number(session.manager?.login)
    },
  }
}
