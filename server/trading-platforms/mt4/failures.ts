import { z } from 'zod'
import { withoutMark } from '../../foundation/json.ts'
import type { GatewayFailure, Outcome, Reason } from '../contract.ts'
import { storableText } from '../platform-values.ts'
import type { HttpAnswer } from '../transport.ts'
import { classOfCode } from './return-codes.ts'

const errorAnswer = z.object({
  error: z.object({
    code: z.string().max(64),
    platform_code: z.number().int().nullable().default(null),
    message: z.string().default(''),
    executed: z.enum(['no', 'yes', 'unknown']),
  }),
})

/** The bridge's error codes, valid when it promises that nothing was executed. */
const words: Readonly<Record<string, [Outcome, Reason]>> = {
  bad_request: ['rejected', 'invalid_input'],
  unauthorized: ['not_executed', 'auth_failed'],
  not_found: ['rejected', 'not_found'],
  already_exists: ['rejected', 'already_exists'],
  // The first call with this key may have been executed, and may be ours.
  key_reused: ['unknown', 'already_exists'],
  in_progress: ['unknown', 'already_exists'],
  invalid: ['rejected', 'invalid_input'],
  weak_password: ['rejected', 'weak_password'],
  insufficient_funds: ['rejected', 'insufficient_funds'],
  amount_limit: ['rejected', 'amount_limit'],
  account_disabled: ['rejected', 'account_disabled'],
  has_open_trades: ['rejected', 'has_open_trades'],
  logins_exhausted: ['rejected', 'logins_exhausted'],
  not_permitted: ['rejected', 'not_permitted'],
  misconfigured: ['rejected', 'misconfigured'],
  not_supported: ['rejected', 'not_supported'],
  throttled: ['not_executed', 'throttled'],
  not_connected: ['not_executed', 'session_lost'],
  busy: ['not_executed', 'busy'],
  unclear: ['unknown', 'protocol'],
}

/** The outcome of a response outside of 2xx. Without a body of the agreed form it is unknown. */
export function failureOf(http: HttpAnswer): GatewayFailure {
  const parsed = errorAnswer.safeParse(parseJson(http.text))
  if (!parsed.success) return { outcome: 'unknown', reason: 'protocol', sent: true }
  const { code, platform_code, message, executed } = parsed.data.error
  const platform = { platformCode: platform_code ?? undefined, platformText: readableMessage(message), sent: true }
  return { ...classOf(code, platform_code, executed), ...platform }
}

/**
 * Takes the more careful of the bridge's promise and the platform's code: "not executed" for a trade that timed out is
 * as little proof as no promise.
 */
function classOf(word: string, code: number | null, executed: 'no' | 'yes' | 'unknown') {
  const ofCode = code === null ? undefined : classOfCode(code)
  const [outcome, reason] = words[word] ?? ['unknown', 'protocol']
  if (ofCode?.outcome === 'unknown') return ofCode
  if (executed !== 'no') return { outcome: 'unknown', reason: outcome === 'unknown' ? reason : 'protocol' } as const
  // A general error code of the bridge says less than the platform's code.
  const isGeneral = reason === 'invalid_input' || reason === 'protocol'
  return ofCode !== undefined && isGeneral ? ofCode : { outcome, reason }
}

/** Sanitizes the message for logs: no quotes or addresses, and cut to length. */
function readableMessage(message: string): string {
  return message.replace(/[^\w .,'-]/g, '').slice(0, 60)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(withoutMark(text), (_name, value) => (typeof value === 'string' ? storableText(value) : value))
  } catch {
    // The parser's message quotes the response, which may hold personal data.
    return undefined
  }
}
