import type { Mutation } from './mutation.ts'

const unknownOpenings = ['server/openings/unknown-outcome.test.ts']
const hungOpenings = ['server/openings/hanging-platform.test.ts']

/** Account openings: one account for each, as it was requested. */
export const openingMutations: Mutation[] = [
  {
    name: 'all staff can retry an opening',
    file: 'server/openings/recheck.ts',
    find: "  name: 'account-opening.retry',\n  right: 'money.decide',",
    replace: "  name: 'account-opening.retry',\n  right: 'desk.use',",
    tests: ['server/openings/desk-openings.test.ts'],
    guards: 'T4',
  },
  {
    name: 'staff end an opening while its platform answers',
    file: 'server/openings/ending.ts',
    find: "if (seen.state === 'unknown') await refuseWhileAnswering(staff, seen)",
    replace: 'void refuseWhileAnswering',
    tests: ['server/openings/ending.test.ts'],
    guards: 'M9',
  },
  {
    name: 'an opening with an unknown outcome ends without a look-up',
    file: 'server/openings/settle.ts',
    find: '    const login = await gateway.findAccountByTag(opening.tag, { group: opening.group_name, ...hintOf(opening) })',
    replace: '    const login = (hintOf(opening), gateway, null) as string | null',
    tests: unknownOpenings,
    guards: 'M9',
  },
  {
    name: 'the audit log contains the password of an opening',
    file: 'server/openings/open-account.ts',
    find: 'after: { kind, platform: input.trading_platform, group: input.group, leverage: input.leverage }',
    replace: 'after: { ...input }',
    tests: ['server/openings/passwords-nowhere.test.ts'],
    guards: 'P1',
  },
  {
    name: 'the post-settlement check of an opening blocks its worker while the platform hangs',
    file: 'server/openings/post-settlement-check.ts',
    find: 'await processPatiently(system, task, lookUpLateAccount)',
    replace: 'await lookUpLateAccount(system, task.id)',
    tests: hungOpenings,
    guards: 'V3',
  },
  {
    name: 'a field is sent under a name that the platform does not know',
    file: 'server/trading-platforms/mt5/written.ts',
    find: "name: 'ZipCode'",
    replace: "name: 'ZIPCode'",
    tests: ['server/trading-platforms/mt5/mt5.contract.test.ts'],
    guards: 'M8',
  },
  {
    name: 'an opening blocks its worker while the platform hangs',
    file: 'server/openings/jobs.ts',
    find: '    void processInQueue(system, { kind',
    replace: '    await processInQueue(system, { kind',
    tests: hungOpenings,
    guards: 'V3',
  },
]
