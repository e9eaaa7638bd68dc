import { openCircuit } from './circuit.ts'
import { GatewayError, type Health, type Reason, type TradingGateway } from './contract.ts'
import type { Surroundings } from './surroundings.ts'

/** The platform, or the way to it, left the call alone. A refusal or an answer of the wrong form came from a platform that is there. */
const awayReasons: ReadonlySet<Reason> = new Set(['timeout', 'unreachable', 'session_lost', 'auth_failed', 'busy'])

/** A read that takes longer than a member waits for counts as failed before it has. */
const slowMs = 4_000

type Options = { pauses: { firstMs: number; maxMs: number } }

/** How a platform stands with this process, told without asking it. */
export type Standing = { isLeftInPeace: boolean; lastAnswerAt: number | null }
export type GuardedGateway = TradingGateway & { standing(): Standing }

/**
 * A gateway that stops asking a platform that does not answer. What it refuses was never sent, and says so
 * (`not_executed`, `unreachable`); what was sent keeps the outcome that the adapter found, an unknown one too.
 */
export function withBreaker(gateway: TradingGateway, { pauses }: Options, surroundings: Surroundings): GuardedGateway {
  const circuit = openCircuit({ probe: () => gateway.health(), pauses }, surroundings)

  function judge(problem: unknown): void {
    if (!(problem instanceof GatewayError)) return
    if (awayReasons.has(problem.reason)) circuit.failed()
    else if (problem.outcome === 'rejected' && problem.sent) circuit.succeeded()
  }

  async function guarded<Result>(call: () => Promise<Result>): Promise<Result> {
    circuit.refuse()
    try {
      const result = await call()
      circuit.succeeded()
      return result
    } catch (problem) {
      judge(problem)
      throw problem
    }
  }

  /** For reads that somebody waits for. */
  async function prompt<Result>(call: () => Promise<Result>): Promise<Result> {
    circuit.refuse()
    let isCounted = false
    const cancel = surroundings.time.after(slowMs, () => {
      isCounted = true
      circuit.failed()
    })
    try {
      const result = await call()
      if (!isCounted) circuit.succeeded()
      return result
    } catch (problem) {
      if (!isCounted) judge(problem)
      throw problem
    } finally {
      cancel()
    }
  }

  async function* streamed<Item>(items: () => AsyncIterable<Item>): AsyncGenerator<Item> {
    circuit.refuse()
    try {
      yield* items()
      circuit.succeeded()
    } catch (problem) {
      judge(problem)
      throw problem
    }
  }

  async function health(): Promise<Health> {
    if (!circuit.isOpen()) return gateway.health()
    const known = circuit.lastHealth()
    const problems = new Set(known?.problems ?? [])
    return { ...(known ?? silent), reachable: false, authenticated: false, problems: [...problems, 'circuit_open'] }
  }

  return {
    kind: gateway.kind,
    standing: () => ({ isLeftInPeace: circuit.isOpen(), lastAnswerAt: circuit.lastAnswerAt() }),
    capabilities: () => prompt(() => gateway.capabilities()),
    health,
    serverClock: () => prompt(() => gateway.serverClock()),
    listGroups: () => guarded(() => gateway.listGroups()),
    openAccount: (command) => guarded(() => gateway.openAccount(command)),
    findAccountByTag: (tag, hint) => guarded(() => gateway.findAccountByTag(tag, hint)),
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

const silent = { lastTrafficAt: null, clockSkewSeconds: null }
