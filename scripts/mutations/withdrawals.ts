import type { Mutation } from './mutation.ts'

const asked = ['server/funding/withdrawal.test.ts', 'server/funding/withdrawable.test.ts']
const decided = ['server/funding/withdrawal-decision.test.ts']
const secondApproval = ['server/money-decisions/second-approval.test.ts']
/** The newest file that says how a balance transaction may move: what older ones say is replaced. */
const lastGuard = 'server/migrations/20261126-2000-second-approval-of-deposits.sql'

/** Money out: what is reserved, who decides, and that a payment that failed comes back. */
export const withdrawalMutations: Mutation[] = [
  {
    name: 'withdrawals are asked for without the lock of their account',
    file: 'server/funding/withdrawal.ts',
    find: '  await lockAccount(tx, member, checked.account.account_id)\n',
    replace: '',
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'what is pending is not reserved',
    file: 'server/funding/withdrawable.ts',
    find: ".where('state', 'in', ['pending', 'debiting', 'checking'])",
    replace: ".where('state', 'in', ['debiting', 'checking'])",
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'a debit that came after the platform was asked is counted nowhere',
    file: 'server/funding/withdrawable.ts',
    find: 'fresh.reduce((sum, { amount }) => addAmounts(sum, amount), open)',
    replace: 'open',
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'what a platform said long ago is taken for what is free',
    file: 'server/funding/withdrawable.ts',
    find: 'const freshForMs = 15_000',
    replace: 'const freshForMs = 3_600_000',
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'what is free is guessed while the platform is silent',
    file: 'server/funding/withdrawal.ts',
    find: 'const figures = (await readPlatformFigures(member, before.account)) ?? refuseSilentPlatform()',
    replace:
      "const figures = (await readPlatformFigures(member, before.account)) ?? { balance: '1000', freeMargin: '1000', spendable: '1000', readAt: member.ground.clock.now(), debitsKnown: new Set<string>(), debitsSince: member.ground.clock.now() }",
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'credit is taken home',
    file: 'server/funding/withdrawable.ts',
    find: 'smallerOf(balance, subtractAmounts(marginFree, credit))',
    replace: 'marginFree',
    tests: asked,
    guards: 'M10',
  },
  {
    name: 'one person is enough for any amount',
    file: 'server/money-decisions/second-approval.ts',
    find: '  return limit && !isMore(amount, limit.above) ? 1 : 2',
    replace: '  return limit || amount ? 1 : 2',
    tests: decided,
    guards: 'M15',
  },
  {
    name: 'the same person approves twice',
    file: 'server/money-decisions/policy.ts',
    find: '  if (about.approvedBy.includes(staff.staffId)) refuse',
    replace: '  if (about.approvedBy.includes(about.memberId)) refuse',
    tests: [...decided, ...secondApproval],
    guards: 'M15',
  },
  {
    name: 'somebody decides over their own money',
    file: 'server/money-decisions/policy.ts',
    find: 'if (memberId !== null && (await isOwnMoney(tx, staff, memberId)))',
    replace: 'if (memberId === staff.staffId)',
    tests: [...decided, ...secondApproval],
    guards: 'M15',
  },
  {
    name: 'who approved before the platform refused still counts',
    file: 'server/funding/intent-outcome.ts',
    find: 'approval_round: row.approval_round + 1',
    replace: 'approval_round: row.approval_round',
    tests: decided,
    guards: 'M15',
  },
  {
    name: 'the database counts nobody who approves',
    file: lastGuard,
    find: 'staff_id is distinct from old.asked_by) < old.approvals_needed then',
    replace: 'staff_id is distinct from old.asked_by) < 0 then',
    tests: decided,
    guards: 'T4',
  },
  {
    name: 'staff move a withdrawal in the place of a platform',
    file: lastGuard,
    find: "if scope_actor() = 'staff' and not move = any",
    replace: "if scope_actor() = 'nobody' and not move = any",
    tests: decided,
    guards: 'T4',
  },
  {
    name: 'a new destination is paid to without a proof',
    file: 'server/funding/withdrawal.ts',
    find: "if (isNew || settings.withdrawal_proof === 'always') await requireProof(tx, member)",
    replace: "if (settings.withdrawal_proof === 'always') await requireProof(tx, member)",
    tests: asked,
    guards: 'A8',
  },
  {
    name: 'a proof is good for as long as the session',
    file: 'server/sessions/proof.ts',
    find: 'return ageMs >= 0 && ageMs <= freshMs ?',
    replace: 'return ageMs >= 0 ?',
    tests: ['server/funding/stolen-session.test.ts'],
    guards: 'A8',
  },
  {
    name: 'after another password withdrawals rest for half a day',
    file: 'server/sessions/withdrawal-hold.ts',
    find: 'settings.withdrawal_hold_hours * 3_600_000',
    replace: 'settings.withdrawal_hold_hours * 1_800_000',
    tests: ['server/funding/stolen-session.test.ts'],
    guards: 'A8',
  },
  {
    name: 'withdrawals do not rest after another password',
    file: 'server/funding/withdrawal.ts',
    find: '  await refuseHeld(tx, member)\n',
    replace: '',
    tests: asked,
    guards: 'A8',
  },
]
