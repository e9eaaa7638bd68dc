/** Stable codes of error answers. A client may branch on these; the sentence beside them is for people. */
export const errorCodes = [
  'malformed',
  'invalid_input',
  'sign_in_failed',
  'unauthenticated',
  'not_permitted',
  'feature_off',
  'terms_required',
  'second_factor_required',
  'proof_required',
  'not_found',
  'conflict',
  'nonce_unknown',
  'nonce_reused',
  'illegal_move',
  'withdrawals_held',
  'opening_disabled',
  'kyc_required',
  'account_limit_reached',
  'opening_under_way',
  'payment_declined',
  'too_large',
  'unsupported_type',
  'too_many_requests',
  'unavailable',
  'fault',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** The HTTP status of each code. */
export const httpStatusOf: Record<ErrorCode, number> = {
  malformed: 400,
  invalid_input: 422,
  sign_in_failed: 401,
  unauthenticated: 401,
  not_permitted: 403,
  feature_off: 404,
  terms_required: 403,
  second_factor_required: 403,
  proof_required: 403,
  not_found: 404,
  conflict: 409,
  nonce_unknown: 409,
  nonce_reused: 409,
  illegal_move: 409,
  withdrawals_held: 403,
  opening_disabled: 403,
  kyc_required: 403,
  account_limit_reached: 409,
  opening_under_way: 409,
  payment_declined: 409,
  too_large: 413,
  unsupported_type: 415,
  too_many_requests: 429,
  unavailable: 503,
  fault: 500,
}

/** Messages by field name. */
export type FieldErrors = Record<string, string[]>

/** Terms that block a call; in REST with the text to accept. */
export type TermsAsked = {
  _id: string
  name: string
  version: number
  blocked_portal_sections: readonly string[]
  template?: string
  tickbox_text?: string
}

/** The one shape of every error answer. */
export type ErrorAnswer = {
  status: 'error'
  code: ErrorCode
  error: string
  /** Errors of no particular field are under `form`. */
  errors: FieldErrors
  /** With `terms_required`: all terms that the member has yet to accept, in display order. */
  terms?: readonly TermsAsked[]
  request_id?: string
}
