import type { Mutation } from './mutation.ts'

const secondApproval = ['server/money-decisions/second-approval.test.ts']
const atStart = ['server/money-decisions/at-start.test.ts']
const selfApproval = ['server/money-decisions/self-approval.test.ts']
const everyDecision = ['server/money-decisions/every-decision.test.ts']

/** Money decisions: no self-approval, and a second approval above a limit. */
export const moneyDecisionMutations: Mutation[] = [
  {
    name: 'staff approve their own deposit',
    file: 'server/money-decisions/policy.ts',
    find: 'if (memberId !== null && (await isSelfApproval(tx, staff, memberId)))',
    replace:
      "if (memberId !== null && policy.name !== 'deposit.approve' && (await isSelfApproval(tx, staff, memberId)))",
    tests: [...secondApproval, ...everyDecision],
    guards: 'M15',
  },
  {
    name: 'staff verify their own documents',
    file: 'server/documents/decision.ts',
    find: '    await refuseSelfDecision(tx, staff, held.member_id)\n',
    replace: '',
    tests: selfApproval,
    guards: 'T4',
  },
  {
    name: 'a salesperson assigns clients to themselves',
    file: 'server/members/sales.ts',
    find: '    if (referrer !== null) await refuseSelfDecision(tx, staff, referrer)\n',
    replace: '',
    tests: selfApproval,
    guards: 'T4',
  },
  {
    name: 'a former email address hides that staff decide about themselves',
    file: 'server/money-decisions/self-approval.ts',
    find: "entry.action = 'member.details-changed'",
    replace: "entry.action = 'member.details'",
    tests: selfApproval,
    guards: 'M15',
  },
  {
    name: 'one person approves a deposit of any amount',
    file: 'server/money-decisions/second-approval.ts',
    find: "  if (type === 'withdrawal' || settings.deposit_second_approval === 'as-withdrawals') return ofWithdrawals\n",
    replace:
      "  if (type === 'withdrawal') return ofWithdrawals\n  if (settings.deposit_second_approval === 'as-withdrawals') return { isOn: false, above: [] }\n",
    tests: secondApproval,
    guards: 'M15',
  },
  {
    name: 'the program starts although a money decision has no policy',
    file: 'server/app.ts',
    find: '  refuseUndecided(calls, moneyPolicies)\n',
    replace: '',
    tests: atStart,
    guards: 'M15',
  },
  {
    name: 'staff move money without a permit',
    file: 'server/money-decisions/policy.ts',
    find: "  if (actor.kind !== 'staff') return\n",
    replace: '  if (actor) return\n',
    tests: atStart,
    guards: 'M15',
  },
  {
    name: 'a raised limit takes effect immediately',
    file: 'server/money-decisions/second-approval.ts',
    find: '[settings, ...before].map',
    replace: '[settings, ...before.slice(0, 0)].map',
    tests: secondApproval,
    guards: 'M15',
  },
  {
    name: 'the database does not count the approvals of a deposit',
    file: 'server/migrations/20261126-2000-second-approval-of-deposits.sql',
    find: "move = 'pending>crediting' and old.approvals_needed > 1",
    replace: "move = 'pending>crediting' and old.approvals_needed > 2",
    tests: secondApproval,
    guards: 'T4',
  },
  {
    name: 'a rejection overrules an approval that its page did not show',
    file: 'server/money-decisions/policy.ts',
    find: '  await refuseUnseen(tx, staff, policy, about, moneyDecisionTexts.approvedMeanwhile)\n',
    replace: '',
    tests: ['server/money-decisions/second-approval.test.ts'],
    guards: 'M15',
  },
]
