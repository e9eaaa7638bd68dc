import type { Mutation } from './mutation.ts'

const crediting = ['server/funding/crediting/crediting.test.ts']
const deposit = ['server/deposits/deposit.test.ts']
const decision = ['server/deposits/decision.test.ts']
const tenancy = ['server/foundation/database/tenancy.test.ts']

/** Money: credits exactly once, amounts, and who can decide. */
export const moneyMutations: Mutation[] = [
  {
    name: 'the lease of a killed process never expires',
    file: 'server/funding/crediting/intent.ts',
    find: 'intent.lease_until && intent.lease_until <= now',
    replace: 'intent.lease_until && intent.lease_until.getTime() === 0',
    tests: ['server/funding/crediting/killed.test.ts'],
    guards: 'M1',
  },
  {
    name: 'an untagged operation of the same amount is ignored',
    file: 'server/funding/crediting/crediting.ts',
    find: 'if (unmatchedCandidates.length === 0) return false',
    replace: 'if (unmatchedCandidates.length >= 0) return false',
    tests: ['server/funding/crediting/unmatched-candidates.test.ts'],
    guards: 'M9',
  },
  {
    name: 'queue workers wait for a hanging platform',
    file: 'server/funding/jobs.ts',
    find: 'if (place) void processInQueue(',
    replace: 'if (place) await processInQueue(',
    tests: ['server/funding/crediting/hanging-platform.test.ts'],
    guards: 'V3',
  },
  {
    name: 'the tag is not looked up before a credit with an unknown outcome is sent again',
    file: 'server/funding/crediting/crediting.ts',
    find: '  const receipts = await link.gateway.findBalanceByTag(intent.platform_login, intent.tag, since)\n  const judged',
    replace: '  const receipts: Awaited<ReturnType<typeof link.gateway.findBalanceByTag>> = []\n  const judged',
    tests: crediting,
    guards: 'M8',
  },
  {
    name: 'an expired lease counts as never sent',
    file: 'server/funding/crediting/intent.ts',
    find: "if (state === 'ready' && isDue) return leaseSend(tx, system, intent, timing)",
    replace:
      "if ((state === 'ready' || state === 'sending') && isDue) return { do: 'send', intent: { ...intent, attempt: 1 } }",
    tests: crediting,
    guards: 'M1',
  },
  {
    name: 'a deposit with an unknown outcome can be approved again',
    file: 'server/deposits/decision.ts',
    find: "if (row.state !== 'pending')",
    replace: "if (row.state !== 'pending' && row.state !== 'checking')",
    tests: decision,
    guards: 'M11',
  },
  {
    name: 'the idempotency key of a form is ignored',
    file: 'server/deposits/deposit.ts',
    find: '    if (claim.earlier) return claim.earlier // A repeated form returns the first deposit.\n',
    replace: '    if (claim.earlier) claim.earlier = null as never\n',
    tests: deposit,
    guards: 'M12',
  },
  {
    name: 'an amount can have more decimals than its currency',
    file: 'contract/money/money.ts',
    find: "if (!value.eq(value.round(currencyDecimals(currency), Big.roundDown))) return { problem: 'too_precise' }",
    replace: "if (value.lt(0)) return { problem: 'too_precise' }",
    tests: [...deposit, 'contract/money/money.test.ts'],
    guards: 'M13',
  },
  {
    name: 'an amount is parsed as a float',
    file: 'contract/money/money.ts',
    find: "  if (!decimalPattern.test(text)) return { problem: 'malformed' }\n  const value = new Big(text)",
    replace: "  if (Number.isNaN(Number(text))) return { problem: 'malformed' }\n  const value = new Big(Number(text))",
    tests: [...deposit, 'contract/money/money.test.ts'],
    guards: 'M13',
  },
  {
    name: 'the amount of a transaction can be changed later',
    file: 'server/migrations/20261121-0940-funding.sql',
    find: 'create trigger guard_balance_transaction before update on balance_transactions\n  for each row execute function guard_balance_transaction();',
    replace: '',
    tests: tenancy,
    guards: 'M7, T4',
  },
  {
    name: 'a mail with an unknown outcome is sent without a limit',
    file: 'server/notifications/delivery.ts',
    find: 'const unknownOutcomesMax = 2\n',
    replace: 'const unknownOutcomesMax = 2_000\n',
    tests: ['server/notifications/delivery.test.ts'],
    guards: 'M8',
  },
  {
    name: 'rejected transactions count as approved',
    file: 'server/funding/queries.ts',
    find: "['approved', ['approved']],",
    replace: "['approved', ['approved', 'rejected']],",
    tests: ['server/dashboard/dashboard.test.ts'],
    guards: 'M13',
  },
  {
    name: 'demo funds count as money',
    file: 'server/dashboard/queries.ts',
    find: '      where account.live_account\n',
    replace: '      where true\n',
    tests: ['server/dashboard/dashboard.test.ts'],
    guards: 'M14',
  },
  {
    name: 'a change made offline is sent once the network is back',
    file: 'web/ui/lists/query-client.ts',
    find: "mutations: { networkMode: 'always', retry: false }",
    replace: 'mutations: { retry: false }',
    tests: ['web/ui/lists/query-client.test.ts'],
    guards: 'M12',
  },
  {
    name: 'a form changed after a lost answer gets a new idempotency key',
    file: 'web/api/idempotency-key-keeper.ts',
    find: 'if (error.isOutcomeUnknown) isInDoubt = true',
    replace: 'if (error.isOutcomeUnknown) forget()',
    tests: ['web/api/idempotency-key-keeper.test.ts'],
    guards: 'M12',
  },
  {
    name: 'the unsaved guard blocks the redirect to a payment provider',
    file: 'web/ui/forms/leave-page.ts',
    find: '  isLeaving = true',
    replace: '  isLeaving = false',
    tests: ['web/ui/forms/leave-page.test.ts'],
    guards: 'M12',
  },
]
