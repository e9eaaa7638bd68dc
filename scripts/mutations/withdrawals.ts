import type { Mutation } from './mutation.ts'

const asked = ['server/withdrawals/withdrawal.test.ts', 'server/funding/withdrawable.test.ts']
const identity = ['server/funding/identity-rule.test.ts']
const decided = ['server/withdrawals/withdrawal-decision.test.ts']
const secondApproval = ['server/withdrawals/second-approval.test.ts']
/** The newest migration that defines the transitions of balance transactions. */
const lastGuard = 'server/migrations/20261126-2000-second-approval-of-deposits.sql'

/** Withdrawals: reservations, approvals, identity and reversals. */
export const withdrawalMutations: Mutation[] = [
  {
    name: 'pending withdrawals are not reserved',
    file: 'server/funding/withdrawable.ts',
    find: ".where('state', 'in', ['pending', 'debiting', 'checking'])",
    replace: ".where('state', 'in', ['debiting', 'checking'])",
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'a debit after the last platform reading is not counted',
    file: 'server/funding/withdrawable.ts',
    find: 'fresh.reduce((sum, { amount }) => addAmounts(sum, amount), open)',
    replace: 'open',
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'the available balance comes from outdated account metrics',
    file: 'server/funding/withdrawable.ts',
    find: 'const freshForMs = 15_000',
    replace: 'const freshForMs = 3_600_000',
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'the available balance is guessed while the platform is silent',
    file: 'server/withdrawals/withdrawal.ts',
    find: 'const metrics = await readPlatformAccountMetrics(member, before.account)',
    replace:
      "const metrics = (await readPlatformAccountMetrics(member, before.account)) ?? { balance: '1000', freeMargin: '1000', spendable: '1000', readAt: member.context.clock.now(), debitsKnown: new Set<string>(), debitsSince: member.context.clock.now() }",
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'credit can be withdrawn',
    file: 'server/trading-platforms/amounts.ts',
    find: 'smallerOf(balance, subtractAmounts(marginFree, credit))',
    replace: 'marginFree',
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'one person approves any amount',
    file: 'server/money-decisions/second-approval.ts',
    find: '  return limit && !isMore(amount, limit.above) ? 1 : 2',
    replace: '  return limit || amount ? 1 : 2',
    tests: secondApproval,
    guards: 'M15',
  },
  {
    name: 'an approval from before the refusal of the platform still counts',
    file: 'server/funding/crediting/intent-outcome.ts',
    find: 'approval_round: row.approval_round + 1',
    replace: 'approval_round: row.approval_round',
    tests: secondApproval,
    guards: 'M15',
  },
  {
    name: 'the database does not count approvals',
    file: lastGuard,
    find: 'staff_id is distinct from old.asked_by) < old.approvals_needed then',
    replace: 'staff_id is distinct from old.asked_by) < 0 then',
    tests: secondApproval,
    guards: 'T4',
  },
  {
    name: 'staff make the transitions of a platform',
    file: lastGuard,
    find: "if scope_actor() = 'staff' and not move = any",
    replace: "if scope_actor() = 'nobody' and not move = any",
    tests: decided,
    guards: 'T4',
  },
  {
    name: 'a proof is valid for the whole session',
    file: 'server/sessions/factors/proof.ts',
    find: 'return ageMs >= 0 && ageMs <= freshMs ?',
    replace: 'return ageMs >= 0 ?',
    tests: ['server/funding/stolen-session.test.ts'],
    guards: 'A8',
  },
  {
    name: 'the withdrawal hold after a password change lasts half as long',
    file: 'server/sessions/factors/withdrawal-hold.ts',
    find: 'hours * 3_600_000',
    replace: 'hours * 1_800_000',
    tests: ['server/funding/stolen-session.test.ts'],
    guards: 'A8',
  },
  {
    name: 'deposits in other currencies do not count towards the limit of an unverified member',
    file: 'server/funding/identity-rule.ts',
    find: 'const itsLimit = limitIn(of)',
    replace: 'const itsLimit = of === currency ? limit : undefined',
    tests: identity,
    guards: 'M10',
  },
]
