import { GatewayError, type GatewayFailure, type Login, type Reason, type Ticket } from './contract.ts'

/** Refused by us before sending. */
export function refusedHere(reason: GatewayFailure['reason']): GatewayError {
  return new GatewayError({ outcome: 'rejected', reason, sent: false })
}

/** The platform's answer is malformed. */
export function protocolError(): GatewayError {
  return new GatewayError({ outcome: 'unknown', reason: 'protocol', sent: true })
}

export function requireLogin(login: Login): void {
  if (!/^[1-9]\d{0,19}$/.test(login)) throw refusedHere('invalid_input')
}

/** The balance operation has not been sent yet, so a failure before it cannot have moved money. */
export function beforeSending(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error
  const { reason, platformCode, platformText } = error
  const outcome = error.outcome === 'rejected' ? 'rejected' : 'not_executed'
  return new GatewayError({ outcome, reason, sent: false, platformCode, platformText })
}

/** The platform's own "no such account", not a missing permission or answer. */
export function isGone(problem: unknown): boolean {
  return problem instanceof GatewayError && problem.outcome === 'rejected' && problem.reason === 'not_found'
}

/** Our manager login lacks the permission, or may not see the group. */
export function isForbidden(problem: unknown): problem is GatewayError {
  return problem instanceof GatewayError && problem.outcome === 'rejected' && problem.reason === 'not_permitted'
}

/** Reasons for no answer from the platform or the network. A refusal or a malformed answer counts as an answer. */
const awayReasons: ReadonlySet<Reason> = new Set(['timeout', 'unreachable', 'session_lost', 'auth_failed', 'busy'])

export function isAway(problem: unknown): boolean {
  return problem instanceof GatewayError && awayReasons.has(problem.reason)
}

/** Compares by number, without losing digits. */
export function compareTickets(one: Ticket, other: Ticket): number {
  const difference = BigInt(one) - BigInt(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
