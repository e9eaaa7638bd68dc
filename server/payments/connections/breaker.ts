import { type Circuit, openCircuit, type Pauses } from '../../foundation/circuit.ts'
import type { Timekeeper } from '../../foundation/timekeeper.ts'
import type { ProgramLog } from '../../observability/log.ts'
import { type Http, type HttpAnswer, PaymentProblem, type PaymentProvider } from '../../payment-providers/contract.ts'

export type Breaker = Circuit & {
  /** Hears how every call ends: no answer counts against the provider, and any answer of its own counts for it. */
  listening(http: Http): Http
  /** The same provider, whom nobody reaches while the circuit is open. */
  guarding(provider: PaymentProvider): PaymentProvider
}

type Options = {
  pauses: Pauses
  failuresBeforeOpening?: number
  time: Timekeeper
  log: ProgramLog
  connect(http: Http): PaymentProvider
  http: Http
}

/**
 * A provider that does not answer is left in peace. What is refused here was never sent, and says so (`unavailable`). A call
 * of several steps that is under way goes on to its end: its outcome is what the provider says, or unknown, and never ours.
 */
export function openBreaker({ time, log, connect, http, ...rules }: Options): Breaker {
  const circuit = openCircuit(
    {
      ...rules,
      probe: () => isThere(connect, http),
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
    (heard: Http): Http =>
    async (request) => {
      try {
        const answer = await heard(request)
        if (isFromThem(answer)) circuit.succeeded()
        else circuit.failed()
        return answer
      } catch (problem) {
        // What we refuse to send says nothing of them.
        if (problem instanceof PaymentProblem && problem.failure !== 'misconfigured') circuit.failed()
        throw problem
      }
    }

  const guarded =
    <Asked extends unknown[], Answer>(call: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer> => {
      if (circuit.isOpen()) throw new PaymentProblem('unavailable', 'it does not answer, and is left in peace')
      return call(...asked)
    }

  return { ...circuit, listening, guarding: (provider) => eachCall(provider, guarded) }
}

/** A gateway in front of a provider that is away answers with one of these. */
const isFromThem = ({ status }: HttpAnswer): boolean => status < 500

/** Their own harmless call. One that they answer with a no was answered. */
async function isThere(connect: Options['connect'], http: Http): Promise<boolean> {
  let wasAnswered = false
  const heard: Http = async (request) => {
    const answer = await http(request)
    wasAnswered = isFromThem(answer)
    return answer
  }
  try {
    await connect(heard).test()
    return true
  } catch {
    // Whatever it is, only one thing is asked here.
    return wasAnswered
  }
}

type Around = <Asked extends unknown[], Answer>(
  call: (...asked: Asked) => Promise<Answer>,
) => (...asked: Asked) => Promise<Answer>

/** Every call that goes out, with something around it; what is absent stays absent, and what is pure stays as it is. */
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
