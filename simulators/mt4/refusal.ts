/** A refusal of the bridge: its own code, with the platform's if there is one. */
export type Executed = 'no' | 'yes' | 'unknown'

type Word = { status: number; executed?: Executed }

const words = {
  bad_request: { status: 400 },
  unauthorized: { status: 401 },
  not_found: { status: 404 },
  already_exists: { status: 409 },
  key_reused: { status: 409 },
  invalid: { status: 422 },
  weak_password: { status: 422 },
  insufficient_funds: { status: 422 },
  amount_limit: { status: 422 },
  account_disabled: { status: 422 },
  logins_exhausted: { status: 422 },
  not_permitted: { status: 422 },
  misconfigured: { status: 422 },
  throttled: { status: 429 },
  not_connected: { status: 503 },
  unclear: { status: 503, executed: 'unknown' },
} satisfies Record<string, Word>

export type ErrorWord = keyof typeof words

/** Thrown when a check fails. */
export class Refusal extends Error {
  readonly word: ErrorWord
  readonly platformCode: number | null
  constructor(word: ErrorWord, platformCode: number | null = null) {
    super(`refused with ${word}`)
    this.word = word
    this.platformCode = platformCode
  }
}

export type Reply = { status: number; body?: unknown; headers?: Record<string, string> }

export function errorReply(refusal: Refusal, retryAfterSeconds: number): Reply {
  const word: Word = words[refusal.word]
  const error = {
    code: refusal.word,
    platform_code: refusal.platformCode,
    message: `The call was refused: ${refusal.word.replaceAll('_', ' ')}`,
    executed: word.executed ?? 'no',
  }
  const headers = refusal.word === 'throttled' ? { 'retry-after': String(retryAfterSeconds) } : {}
  return { status: word.status, body: { error }, headers }
}

const unclearCodes = new Set([2, 4, 6, 9, 128, 137, 142, 143, 146])
const codeWords: Readonly<Record<number, ErrorWord>> = {
  7: 'not_permitted',
  8: 'throttled',
  64: 'account_disabled',
  65: 'not_found',
  133: 'account_disabled',
  134: 'insufficient_funds',
  141: 'throttled',
}

/** The bridge's translation of a platform code. */
export function refusalOfCode(code: number): Refusal {
  return new Refusal(unclearCodes.has(code) ? 'unclear' : (codeWords[code] ?? 'invalid'), code)
}
