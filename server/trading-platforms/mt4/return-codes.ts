import type { Outcome, Reason } from '../contract.ts'

type CodeClass = { outcome: Outcome; reason: Reason }
type Row = [codes: string, outcome: Outcome, reason: Reason]

/** The platform's codes inside an error of the bridge. Codes 0 and 1 mean success, which an error cannot mean. */
const rows: readonly Row[] = [
  ['0-2', 'unknown', 'protocol'],
  ['3', 'rejected', 'invalid_input'],
  ['4', 'unknown', 'protocol'],
  ['5', 'rejected', 'misconfigured'],
  ['6', 'unknown', 'unreachable'],
  ['7', 'rejected', 'not_permitted'],
  ['8', 'not_executed', 'throttled'],
  ['9', 'unknown', 'protocol'],
  ['10-11', 'rejected', 'misconfigured'],
  ['64', 'rejected', 'account_disabled'],
  ['65', 'rejected', 'not_found'],
  ['66', 'rejected', 'misconfigured'],
  ['128', 'unknown', 'timeout'],
  ['129-132', 'rejected', 'invalid_input'],
  ['133', 'rejected', 'account_disabled'],
  ['134', 'rejected', 'insufficient_funds'],
  ['135-136', 'rejected', 'invalid_input'],
  ['137', 'unknown', 'busy'],
  ['138-140', 'rejected', 'invalid_input'],
  ['141', 'not_executed', 'throttled'],
  // Accepted, and in process: neither means that it was executed.
  ['142-143', 'unknown', 'protocol'],
  ['144-145', 'rejected', 'invalid_input'],
  ['146', 'unknown', 'busy'],
  ['147-150', 'rejected', 'invalid_input'],
]

const classes = new Map<number, CodeClass>()
for (const [codes, outcome, reason] of rows) {
  const [first = 0, last = first] = codes.split('-').map(Number)
  for (let code = first; code <= last; code++) classes.set(code, { outcome, reason })
}

/** An undocumented code proves nothing. */
export function classOfCode(code: number): CodeClass {
  return classes.get(code) ?? { outcome: 'unknown', reason: 'protocol' }
}
