import { texts } from '@atrium/contract/texts.ts'
import { Refusal } from './errors.ts'

/** `patience`: the maximum wait and the error thrown after it. */
type LimiterOptions = { waitingMax?: number; patience?: { ms: number; over: () => Error }; retryAfterSeconds?: number }

/** `isFirst`: ahead of all who wait. `signal`: stops the wait and throws its reason; running work is not affected. */
type Place = { whose?: string; network?: string; isFirst?: boolean; signal?: AbortSignal }

export type ConcurrencyLimiter = {
  <Result>(work: () => Promise<Result>, place?: Place): Promise<Result>
  /** Number of waiting calls in all queues. */
  waitingCount(): number
  /** True when no work runs, and therefore none waits. */
  isIdle(): boolean
}

type Waiting = { enter(): void; turnAway(): void }
/** Waiting calls of one workspace by network of origin. */
type Networks = Map<string, Set<Waiting>>

/**
 * Limits concurrent work; calls over the limit wait in queues by workspace (`whose`) and network, which take turns, so
 * that a burst in one does not delay another. In a full queue a call from a network with few entries replaces the last
 * entry of the network with the most.
 */
export function makeConcurrencyLimiter(placesMax: number, options: LimiterOptions = {}): ConcurrencyLimiter {
  const { waitingMax = Number.POSITIVE_INFINITY, patience, retryAfterSeconds = 2 } = options
  const queues = new Map<string, Networks>()
  const first = new Set<Waiting>()
  let inside = 0
  const full = () => new Refusal('unavailable', texts.requestFailed, { retryAfterSeconds })

  function takeNext(): Waiting | undefined {
    const [urgent] = first
    if (urgent) return urgent
    for (const [whose, networks] of queues) {
      const next = takeFrom(networks)
      queues.delete(whose)
      if (networks.size > 0) queues.set(whose, networks) // Moves to the end of the turn order.
      if (next) return next
    }
    return undefined
  }

  /** The queue to join, and a function to call after leaving it. */
  function queueOf({ whose = '', network = '', isFirst }: Place): [Set<Waiting>, () => void] {
    if (isFirst) return [first, () => undefined]
    const networks = queues.get(whose) ?? new Map()
    if (countOf(networks) >= waitingMax && !makeRoom(networks, network)) throw full()
    queues.set(whose, networks)
    const queue = networks.get(network) ?? new Set()
    networks.set(network, queue)
    return [queue, () => queue.size === 0 && networks.get(network) === queue && networks.delete(network)]
  }

  function wait(place: Place): Promise<void> {
    place.signal?.throwIfAborted()
    const [queue, leave] = queueOf(place)
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer)
        place.signal?.removeEventListener('abort', giveUp)
        queue.delete(waiting)
        leave()
        settle()
      }
      const giveUp = end(() => reject(place.signal?.reason))
      const waiting: Waiting = { enter: end(resolve), turnAway: end(() => reject(full())) }
      const lose = end(() => reject(patience?.over()))
      const timer = patience && setTimeout(lose, patience.ms)
      place.signal?.addEventListener('abort', giveUp)
      queue.add(waiting)
    })
  }

  const enter = async <Result>(work: () => Promise<Result>, place: Place = {}): Promise<Result> => {
    if (inside < placesMax) inside += 1
    else await wait(place)
    try {
      return await work()
    } finally {
      const next = takeNext()
      // Passes the slot directly to the next call, so that a new one cannot take it.
      if (next) next.enter()
      else inside -= 1
    }
  }
  const waitingCount = () => [...queues.values()].reduce((sum, networks) => sum + countOf(networks), first.size)
  return Object.assign(enter, { waitingCount, isIdle: () => inside === 0 })
}

function takeFrom(networks: Networks): Waiting | undefined {
  for (const [network, queue] of networks) {
    networks.delete(network)
    const [next] = queue
    if (!next) continue
    queue.delete(next)
    if (queue.size > 0) networks.set(network, queue)
    return next
  }
  return undefined
}

const countOf = (networks: Networks): number => [...networks.values()].reduce((sum, { size }) => sum + size, 0)

/** Rejects the newest entry of the network with the most, unless the newcomer's network would then have as many. */
function makeRoom(networks: Networks, newcomer: string): boolean {
  const own = networks.get(newcomer)?.size ?? 0
  const longest = [...networks.values()].reduce((most, queue) => (queue.size > most.size ? queue : most))
  if (longest.size <= own + 1) return false
  ;[...longest].at(-1)?.turnAway()
  return true
}
