import { GatewayError, type Outcome, type Reason } from '../contract.ts'

type CodeClass = { outcome: 'done' } | { outcome: Outcome; reason: Reason }
type Row = [codes: string, outcome: Outcome, reason: Reason]

/** For changing calls, `unknown` means: look up before any retry. */
const rows: readonly Row[] = [
  ['2', 'unknown', 'protocol'],
  ['3-4', 'rejected', 'invalid_input'],
  ['5-6', 'unknown', 'busy'],
  ['7', 'unknown', 'unreachable'],
  // Also the answer for a group that does not exist or that the manager login cannot read.
  ['8', 'rejected', 'not_permitted'],
  ['9', 'unknown', 'timeout'],
  // The access server may have lost the trade server after forwarding the call.
  ['10', 'unknown', 'unreachable'],
  ['11', 'unknown', 'busy'],
  ['12', 'not_executed', 'throttled'],
  ['13', 'rejected', 'not_found'],
  ['14', 'unknown', 'protocol'],
  ['15', 'unknown', 'shutdown'],
  ['16', 'unknown', 'protocol'],
  // A duplicate may be our own earlier call.
  ['17', 'unknown', 'already_exists'],
  ['1000-1034', 'not_executed', 'auth_failed'],
  ['3001', 'rejected', 'invalid_input'],
  ['3002', 'rejected', 'logins_exhausted'],
  ['3003', 'rejected', 'misconfigured'],
  ['3004', 'rejected', 'already_exists'],
  ['3005', 'rejected', 'invalid_input'],
  ['3006', 'rejected', 'weak_password'],
  ['3007', 'rejected', 'misconfigured'],
  ['3008', 'rejected', 'has_open_trades'],
  ['3009', 'rejected', 'misconfigured'],
  ['3010', 'rejected', 'currency_mismatch'],
  ['3011-3018', 'rejected', 'invalid_input'],
  ['3019', 'rejected', 'misconfigured'],
  ['4001', 'rejected', 'misconfigured'],
  ['4002', 'rejected', 'invalid_input'],
  ['4003-4004', 'rejected', 'misconfigured'],
  ['4005', 'rejected', 'amount_limit'],
  ['4006-4009', 'rejected', 'invalid_input'],
  // In work, accepted, placed, done: success for other calls, but here the ticket is missing.
  ['10001-10003', 'unknown', 'protocol'],
  ['10004-10007', 'rejected', 'invalid_input'],
  ['10008-10010', 'unknown', 'protocol'],
  ['10011-10012', 'unknown', 'timeout'],
  ['10013-10016', 'rejected', 'invalid_input'],
  ['10017', 'rejected', 'account_disabled'],
  ['10018', 'rejected', 'invalid_input'],
  ['10019', 'rejected', 'insufficient_funds'],
  ['10020-10023', 'rejected', 'invalid_input'],
  ['10024', 'not_executed', 'throttled'],
  ['10025-10030', 'rejected', 'invalid_input'],
  ['10031', 'unknown', 'timeout'],
  ['10032-10046', 'rejected', 'invalid_input'],
  ['12000', 'rejected', 'not_supported'],
  ['12001', 'rejected', 'misconfigured'],
  ['12002', 'rejected', 'not_supported'],
  ['12003-12004', 'unknown', 'busy'],
]

const classes = new Map<number, CodeClass>([
  [0, { outcome: 'done' }],
  [1, { outcome: 'done' }],
])
for (const [codes, outcome, reason] of rows) {
  const [first = 0, last = first] = codes.split('-').map(Number)
  for (let code = first; code <= last; code++) classes.set(code, { outcome, reason })
}

/** An undocumented code proves nothing. */
export function classOfCode(code: number): CodeClass {
  return classes.get(code) ?? { outcome: 'unknown', reason: 'protocol' }
}

export function codeError(code: number, text: string): GatewayError {
  const found = classOfCode(code)
  const failure = found.outcome === 'done' ? ({ outcome: 'unknown', reason: 'protocol' } as const) : found
  return new GatewayError({ ...failure, sent: true, platformCode: code, platformText: text })
}
