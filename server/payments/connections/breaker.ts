import { type Circuit, openCircuit, type Pauses } from '../../foundation/circuit.ts'
import type { Timer } from '../../foundation/timer.ts'
import type { ProgramLog } from '../../observability/log.ts'
import { type Http, type HttpAnswer, PaymentProblem, type PaymentProvider } from '../../payment-providers/contract.ts'

export type Breaker = Circuit & {
  /**
   * Observes the result of every call: a missing answer counts as a failure, any answer of the provider as a success.
   */
  listening(http: Http): Http
  /** The same provider, not called while the circuit is open. */
  guarding(provider: PaymentProvider): PaymentProvider
}

type Options = {
  pauses: Pauses
  failuresBeforeOpening?: number
  time: Timer
  log: ProgramLog
  connect(http: Http): PaymentProvider
  http: Http
  /** Whether the provider still has these settings: it is not probed with others. */
  isCurrent?(): Promise<boolean>
}

/**
 * A circuit breaker for a provider that does not answer: a call refused here was never sent and fails as `unavailable`.
 * A call of several steps in progress continues to its end, so its outcome is the provider's, or unknown.
 */
export function openBreaker({ time, log, connect, http, isCurrent = async () => true, ...rules }: Options): Breaker {
  async function probe(): Promise<boolean> {
    if (await isCurrent()) return isThere(connect, http)
    circuit.stop()
    return false
  }

  const circuit = openCircuit(
    {
      ...rules,
      probe,
      whenOpened: (failuresInARow) =>
        log.error(
          { event: 'provider.circuit-opened', failuresInARow, alert: true },
          'The payment provider does not answer',
        ),
      whenClosed: (probes) =>
        log.info({ event: 'provider.circuit-closed', probes }, 'The payment provider answers again'),
    },
    time,
  )

  const listening =
    (http: Http): Http =>
    async (request) => {
      try {
        const answer = await http(request)
        if (isFromThem(answer)) circuit.succeeded()
        else circuit.failed()
        return answer
      } catch (problem) {
        // A request that we refuse to send says nothing about the provider.
        if (problem instanceof PaymentProblem && problem.failure !== 'misconfigured') circuit.failed()
        throw problem
      }
    }

  const guarded =
    <Asked extends unknown[], Answer>(call: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer> => {
      if (circuit.isOpen()) throw new PaymentProblem('unavailable', 'it does not answer: its circuit is open')
      return call(...asked)
    }

  return { ...circuit, listening, guarding: (provider) => eachCall(provider, guarded) }
}

/** A gateway in front of an unavailable provider answers with 5xx. */
const isFromThem = ({ status }: HttpAnswer): boolean => status < 500

/** The adapter's harmless test call. A refusal counts as an answer. */
async function isThere(connect: Options['connect'], http: Http): Promise<boolean> {
  let wasAnswered = false
  const listenedTo: Http = async (request) => {
    const answer = await http(request)
    wasAnswered = isFromThem(answer)
    return answer
  }
  try {
    await connect(listenedTo).test()
    return true
  } catch {
    // Only whether the provider answered matters here.
    return wasAnswered
  }
}

type Around = <Asked extends unknown[], Answer>(
  call: (...asked: Asked) => Promise<Answer>,
) => (...asked: Asked) => Promise<Answer>

/** Wraps every outgoing call; missing calls stay missing, and pure functions stay unwrapped. */
export function eachCall(provider: PaymentProvider, around: Around): PaymentProvider {
  const { readStatus, complete, readCoins, payOut, readPayout } = provider
  return {
    ...provider,
    start: around(provider.start),
    ...(readStatus && { readStatus: around(readStatus) }),
    ...(complete && { complete: around(complete) }),
    ...(readCoins && { readCoins: around(readCoins) }),
    ...(payOut && { payOut: around(payOut) }),
    ...(readPayout && { readPayout: around(readPayout) }),
  }
}
