import { texts } from '@atrium/contract/texts.ts'
import { Refusal } from './errors.ts'

/** `patience`: how long anybody waits, and what is thrown then. */
type Line = { waitingMax?: number; patience?: { ms: number; over: () => Error }; retryAfterSeconds?: number }

/** `isFirst`: before everybody who waits. `signal`: gives up waiting, and its reason is thrown; who is inside hears of it as they like. */
type Place = { whose?: string; network?: string; isFirst?: boolean; signal?: AbortSignal }

export type ConcurrencyLimiter = {
  <Result>(work: () => Promise<Result>, place?: Place): Promise<Result>
  /** How many wait, in all lines. */
  waitingCount(): number
  /** Nobody is inside, and so nobody waits. */
  isIdle(): boolean
}

type Waiting = { enter(): void; turnAway(): void }
/** Who waits at one brokerage, by the network that they come from. */
type Networks = Map<string, Set<Waiting>>

/**
 * The one limiter of what is done at once. Lets so many through; the others wait in line, and who comes when the line is full
 * is asked to come again. Each brokerage (`whose`) has a line of its own, and they take turns: however many come to one,
 * another's wait behind their own. Within a brokerage networks take turns in the same way. When its line is full, somebody of a
 * network with few in it takes the last place of the network with the most: one network alone fills the line for nobody but itself.
 */
export function makeConcurrencyLimiter(placesMax: number, options: Line = {}): ConcurrencyLimiter {
  const { waitingMax = Number.POSITIVE_INFINITY, patience, retryAfterSeconds = 2 } = options
  const lines = new Map<string, Networks>()
  const first = new Set<Waiting>()
  let inside = 0
  const full = () => new Refusal('unavailable', texts.requestFailed, { retryAfterSeconds })

  function takeNext(): Waiting | undefined {
    const [urgent] = first
    if (urgent) return urgent
    for (const [whose, networks] of lines) {
      const next = takeFrom(networks)
      lines.delete(whose)
      if (networks.size > 0) lines.set(whose, networks) // Behind everybody else's.
      if (next) return next
    }
    return undefined
  }

  /** The line to stand in, and what to do when it is left. */
  function lineOf({ whose = '', network = '', isFirst }: Place): [Set<Waiting>, () => void] {
    if (isFirst) return [first, () => undefined]
    const networks = lines.get(whose) ?? new Map()
    if (countOf(networks) >= waitingMax && !makeRoom(networks, network)) throw full()
    lines.set(whose, networks)
    const line = networks.get(network) ?? new Set()
    networks.set(network, line)
    return [line, () => line.size === 0 && networks.get(network) === line && networks.delete(network)]
  }

  function wait(place: Place): Promise<void> {
    place.signal?.throwIfAborted()
    const [line, leave] = lineOf(place)
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer)
        place.signal?.removeEventListener('abort', giveUp)
        line.delete(waiting)
        leave()
        settle()
      }
      const giveUp = end(() => reject(place.signal?.reason))
      const waiting: Waiting = { enter: end(resolve), turnAway: end(() => reject(full())) }
      const lose = end(() => reject(patience?.over()))
      const timer = patience && setTimeout(lose, patience.ms)
      place.signal?.addEventListener('abort', giveUp)
      line.add(waiting)
    })
  }

  const enter = async <Result>(work: () => Promise<Result>, place: Place = {}): Promise<Result> => {
    if (inside < placesMax) inside += 1
    else await wait(place)
    try {
      return await work()
    } finally {
      const next = takeNext()
      // The place is handed on: nobody who comes now can slip in between.
      if (next) next.enter()
      else inside -= 1
    }
  }
  const waitingCount = () => [...lines.values()].reduce((sum, networks) => sum + countOf(networks), first.size)
  return Object.assign(enter, { waitingCount, isIdle: () => inside === 0 })
}

function takeFrom(networks: Networks): Waiting | undefined {
  for (const [network, line] of networks) {
    networks.delete(network)
    const [next] = line
    if (!next) continue
    line.delete(next)
    if (line.size > 0) networks.set(network, line)
    return next
  }
  return undefined
}

const countOf = (networks: Networks): number => [...networks.values()].reduce((sum, { size }) => sum + size, 0)

/** Turns away who came last of the network with the most, unless the newcomer's would then have as many. */
function makeRoom(networks: Networks, newcomer: string): boolean {
  const own = networks.get(newcomer)?.size ?? 0
  const longest = [...networks.values()].reduce((most, line) => (line.size > most.size ? line : most))
  if (longest.size <= own + 1) return false
  ;[...longest].at(-1)?.turnAway()
  return true
}
