import { type Circuit, type CircuitState, openCircuit, type Pauses } from '../foundation/circuit.ts'
import type { Timekeeper } from '../foundation/timekeeper.ts'
import { GatewayError, type Health, type Reason, type TradingGateway } from './contract.ts'
import type { Surroundings } from './surroundings.ts'

/** The platform, or the way to it, left the call alone. A refusal or an answer of the wrong form came from a platform that is there. */
const awayReasons: ReadonlySet<Reason> = new Set(['timeout', 'unreachable', 'session_lost', 'auth_failed', 'busy'])

/** A read that takes longer than a member waits for counts as failed before it has. */
const slowMs = 4_000
/** Between two probes, whatever pause a platform's sign-in was given. */
const pauseMsMax = 30_000

type Options = { pauses: Pauses }

export type GuardedGateway = TradingGateway & { standing(): CircuitState }

/**
 * A gateway that stops asking a platform that does not answer. What it refuses was never sent, and says so
 * (`not_executed`, `unreachable`); what was sent keeps the outcome that the adapter found, an unknown one too.
 */
export function withBreaker(gateway: TradingGateway, { pauses }: Options, surroundings: Surroundings): GuardedGateway {
  const { circuit, health } = openGatewayCircuit(gateway, pauses, surroundings)
  const { guarded, prompt, streamed } = callsThrough(circuit, surroundings.time)
  return {
    kind: gateway.kind,
    standing: circuit.standing,
    capabilities: () => prompt(() => gateway.capabilities()),
    health,
    serverClock: () => prompt(() => gateway.serverClock()),
    listGroups: () => guarded(() => gateway.listGroups()),
    openAccount: (command) => guarded(() => gateway.openAccount(command)),
    findAccountByTag: (tag, hint) => guarded(() => gateway.findAccountByTag(tag, hint)),
    compareAccount: (login, written) => guarded(() => gateway.compareAccount(login, written)),
    changePerson: (login, person) => guarded(() => gateway.changePerson(login, person)),
    readAccount: (login) => prompt(() => gateway.readAccount(login)),
    readAccounts: (logins) => prompt(() => gateway.readAccounts(logins)),
    listAccounts: (masks) => streamed(() => gateway.listAccounts(masks)),
    listPositions: (login) => prompt(() => gateway.listPositions(login)),
    listDeals: (login, from, to) => streamed(() => gateway.listDeals(login, from, to)),
    changeBalance: (command) => guarded(() => gateway.changeBalance(command)),
    findBalanceByTag: (login, tag, since) => guarded(() => gateway.findBalanceByTag(login, tag, since)),
    setPassword: (login, which, password) => guarded(() => gateway.setPassword(login, which, password)),
    checkPassword: (login, which, password) => guarded(() => gateway.checkPassword(login, which, password)),
    setAccess: (login, access) => guarded(() => gateway.setAccess(login, access)),
    close: () => {
      circuit.stop()
      return gateway.close()
    },
  }
}

function openGatewayCircuit(gateway: TradingGateway, pauses: Pauses, { log, time }: Surroundings) {
  /** What the platform said of itself when it was last tried. */
  let known: Health | null = null
  const circuit = openCircuit(
    {
      pauses: { ...pauses, maxMs: Math.min(pauseMsMax, pauses.maxMs) },
      async probe() {
        known = await gateway.health()
        return isAnswering(known)
      },
      whenOpened: (failuresInARow) =>
        log.error(
          { event: 'platform.circuit-opened', failuresInARow, alert: true },
          'The trading platform does not answer',
        ),
      whenClosed: (probes) =>
        log.info({ event: 'platform.circuit-closed', probes }, 'The trading platform answers again'),
    },
    time,
  )

  async function health(): Promise<Health> {
    if (!circuit.isOpen()) return gateway.health()
    const problems = new Set(known?.problems ?? [])
    return { ...(known ?? silent), reachable: false, authenticated: false, problems: [...problems, 'circuit_open'] }
  }

  return { circuit, health }
}

/** The three ways to call: as long as it takes, while somebody waits, and item by item. */
function callsThrough(circuit: Circuit, time: Timekeeper) {
  function refuseIfOpen(): void {
    if (circuit.isOpen()) throw new GatewayError({ outcome: 'not_executed', reason: 'unreachable', sent: false })
  }

  function judge(problem: unknown): void {
    if (!(problem instanceof GatewayError)) return
    if (awayReasons.has(problem.reason)) circuit.failed()
    else if (problem.outcome === 'rejected' && problem.sent) circuit.succeeded()
  }

  /** `isCounted`: whether it counted as failed before it has ended. */
  async function guarded<Result>(call: () => Promise<Result>, isCounted = () => false): Promise<Result> {
    refuseIfOpen()
    try {
      const result = await call()
      if (!isCounted()) circuit.succeeded()
      return result
    } catch (problem) {
      if (!isCounted()) judge(problem)
      throw problem
    }
  }

  /** For reads that somebody waits for. */
  async function prompt<Result>(call: () => Promise<Result>): Promise<Result> {
    refuseIfOpen()
    let isCounted = false
    const cancel = time.after(slowMs, () => {
      isCounted = true
      circuit.failed()
    })
    return guarded(call, () => isCounted).finally(cancel)
  }

  async function* streamed<Item>(items: () => AsyncIterable<Item>): AsyncGenerator<Item> {
    refuseIfOpen()
    try {
      yield* items()
      circuit.succeeded()
    } catch (problem) {
      judge(problem)
      throw problem
    }
  }

  return { guarded, prompt, streamed }
}

function isAnswering({ reachable, authenticated, problems }: Health): boolean {
  return reachable && authenticated && !problems.includes('not_answering') && !problems.includes('unreachable')
}

const silent = { lastTrafficAt: null, clockSkewSeconds: null }
