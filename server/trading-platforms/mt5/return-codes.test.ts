import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome, Reason } from '../contract.ts'
import { classOfCode, codeError } from './return-codes.ts'

/** The platform's list written out independently, so that an error in the table's ranges shows. */
const expected: Record<string, Record<string, number[]>> = {
  not_executed: {
    throttled: [12, 10024],
    auth_failed: Array.from({ length: 35 }, (_, index) => 1000 + index),
  },
  rejected: {
    invalid_input: [
      3, 4, 3001, 3005, 3011, 3012, 3013, 3014, 3015, 3016, 3017, 3018, 4002, 4006, 4007, 4008, 4009, 10004, 10005,
      10006, 10007, 10013, 10014, 10015, 10016, 10018, 10020, 10021, 10022, 10023, 10025, 10026, 10027, 10028, 10029,
      10030, 10032, 10033, 10034, 10035, 10036, 10037, 10038, 10039, 10040, 10041, 10042, 10043, 10044, 10045, 10046,
    ],
    not_permitted: [8],
    not_found: [13],
    logins_exhausted: [3002],
    misconfigured: [3003, 3007, 3009, 3019, 4001, 4003, 4004, 12001],
    already_exists: [3004],
    weak_password: [3006],
    has_open_trades: [3008],
    currency_mismatch: [3010],
    amount_limit: [4005],
    account_disabled: [10017],
    insufficient_funds: [10019],
    not_supported: [12000, 12002],
  },
  unknown: {
    protocol: [2, 14, 16, 10001, 10002, 10003, 10008, 10009, 10010, 18, 999, 1035, 3000, 3020, 10047, 12005, -1, 99999],
    busy: [5, 6, 11, 12003, 12004],
    unreachable: [7, 10],
    timeout: [9, 10011, 10012, 10031],
    shutdown: [15],
    already_exists: [17],
  },
}

test('classifies every code, and an undocumented one as unknown', () => {
  for (const [outcome, reasons] of Object.entries(expected)) {
    for (const [reason, codes] of Object.entries(reasons)) {
      for (const code of codes) {
        assert.deepEqual(classOfCode(code), { outcome: outcome as Outcome, reason: reason as Reason }, `code ${code}`)
        const error = codeError(code, 'words')
        assert.deepEqual([error.outcome, error.reason, error.platformCode, error.sent], [outcome, reason, code, true])
      }
    }
  }
  assert.deepEqual([0, 1].map(classOfCode), [{ outcome: 'done' }, { outcome: 'done' }])
})

test('success without its result is unknown', () => {
  for (const code of [0, 1]) assert.equal(codeError(code, 'Done').outcome, 'unknown')
})
