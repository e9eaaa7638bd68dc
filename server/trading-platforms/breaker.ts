import { type Circuit, type CircuitState, openCircuit, type Pauses } from '../foundation/circuit.ts'
import { openSharedCalls } from '../foundation/shared-calls.ts'
import type { Timer } from '../foundation/timer.ts'
import { type Capabilities, GatewayError, type Health, type TradingGateway } from './contract.ts'
import type { Dependencies } from './dependencies.ts'
import { isAway } from './refusals.ts'

/** A read slower than a member waits counts as failed before it ends. */
const slowMs = 4_000
/** Maximum pause between two probes, whatever the platform's sign-in pauses are. */
const pauseMsMax = 30_000

type Options = { pauses: Pauses }

export type GuardedGateway = Omit<TradingGateway, 'capabilities'> & {
  capabilities(): Promise<Capabilities>
  circuitState(): CircuitState
}

/**
 * A gateway with a circuit breaker. Calls it refuses were never sent (`not_executed`, `unreachable`); calls that were
 * sent keep the outcome found by the adapter, including `unknown`.
 */
export function withBreaker(gateway: TradingGateway, { pauses }: Options, dependencies: Dependencies): GuardedGateway {
  const { circuit, health } = openGatewayCircuit(gateway, pauses, dependencies)
  const { guarded, prompt, shared, streamed } = callsThrough(circuit, dependencies.time)
  return {
    kind: gateway.kind,
    circuitState: circuit.circuitState,
    capabilities: () => shared('capabilities', () => gateway.capabilities()),
    health,
    serverClock: () => prompt(() => gateway.serverClock()),
    listGroups: () => guarded(() => gateway.listGroups()),
    findGroup: (name) => guarded(() => gateway.findGroup(name)),
    openAccount: (command) => guarded(() => gateway.openAccount(command)),
    findAccountByTag: (tag, hint) => guarded(() => gateway.findAccountByTag(tag, hint)),
    compareAccount: (login, written) => guarded(() => gateway.compareAccount(login, written)),
    changePerson: (login, person) => guarded(() => gateway.changePerson(login, person)),
    readAccount: (login) => shared(`account ${login}`, () => gateway.readAccount(login)),
    readAccounts: (logins) => shared(`accounts ${logins.toSorted().join()}`, () => gateway.readAccounts(logins)),
    listAccounts: (masks, onRefused) => streamed(() => gateway.listAccounts(masks, onRefused)),
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

function openGatewayCircuit(gateway: TradingGateway, pauses: Pauses, { log, time }: Dependencies) {
  /** The platform's health at the last probe. */
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

type Call<Result> = () => Result | Promise<Result>

/** A read that gets no answer must not hold up the others of the same. */
const sharedAtOnce = 2

/** Four kinds of calls: without a time limit, while a member waits, the same shared by several, and streaming. */
function callsThrough(circuit: Circuit, time: Timer) {
  const share = openSharedCalls(sharedAtOnce)

  function refuseIfOpen(): void {
    if (circuit.isOpen()) throw new GatewayError({ outcome: 'not_executed', reason: 'unreachable', sent: false })
  }

  function judge(problem: unknown): void {
    if (!(problem instanceof GatewayError)) return
    if (isAway(problem)) circuit.failed()
    else if (problem.outcome === 'rejected' && problem.sent) circuit.succeeded()
  }

  /** `isCounted`: whether it was counted as failed before it ended. */
  async function guarded<Result>(call: Call<Result>, isCounted = () => false): Promise<Result> {
    refuseIfOpen()
    try {
      const answer = call()
      const result = await answer
      // What an adapter knows without a call says nothing about its platform.
      if (answer instanceof Promise && !isCounted()) circuit.succeeded()
      return result
    } catch (problem) {
      if (!isCounted()) judge(problem)
      throw problem
    }
  }

  /** For reads that a member waits for. */
  async function prompt<Result>(call: Call<Result>): Promise<Result> {
    refuseIfOpen()
    let isCounted = false
    const cancel = time.after(slowMs, () => {
      isCounted = true
      circuit.failed()
    })
    return guarded(call, () => isCounted).finally(cancel)
  }

  /**
   * Concurrent reads of the same share a call that begins after each of them: one member's burst would otherwise fill the
   * platform's queue, and the reads that wait in it too long would open the circuit for everybody. A call counts once,
   * however many wait for it.
   */
  const shared = <Result>(what: string, call: Call<Result>): Promise<Result> => share(what, () => prompt(call))

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

  return { guarded, prompt, shared, streamed }
}

function isAnswering({ reachable, authenticated, problems }: Health): boolean {
  return reachable && authenticated && !problems.includes('not_answering') && !problems.includes('unreachable')
}

const silent = { lastTrafficAt: null, clockSkewSeconds: null }
