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

/** The HTTP status that goes with each code. */
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

/** Messages by the name of the field that they belong to. */
export type FieldErrors = Record<string, string[]>

/** Terms that stand in the way of a call; over REST with the text that is to be accepted. */
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
  /** Of no field in particular: under `form`. */
  errors: FieldErrors
  /** With `terms_required`: all that the member has still to accept, in the order in which it is asked. */
  terms?: readonly TermsAsked[]
  request_id?: string
}
