import type { Mutation } from './mutation.ts'

const tenancy = ['server/foundation/database/tenancy.test.ts']
const fields = ['tests/every-call/graph-fields.test.ts']

/** Trades and downloads of programs: whose they are, and what of a history is shown. */
export const tradeMutations: Mutation[] = [
  {
    name: 'a balance entry among the trades',
    file: 'server/trades/queries.ts',
    find: "    where('deal.is_trade', '=', true),\n",
    replace: '',
    tests: ['server/trades/graph.test.ts'],
    guards: 'T1',
  },
  {
    name: 'trades without their policy',
    file: 'server/migrations/20261121-1351-trades-of-a-member-at-once.sql',
    find: '  workspace_id = (select scope_workspace())\n',
    replace: '  true\n',
    tests: tenancy,
    guards: 'T5',
  },
  {
    name: 'a policy of trades that forgets the member',
    file: 'server/migrations/20261121-1351-trades-of-a-member-at-once.sql',
    find: 'then member_id = (select scope_member())',
    replace: 'then true',
    tests: tenancy,
    guards: 'T5',
  },
  {
    name: 'a download of another brokerage is read like an own one',
    file: 'server/migrations/20261121-1341-platform-downloads.sql',
    find: "select protect_table('platform_files', 'shared');",
    replace: 'grant select, insert, update, delete on platform_files to atrium_program;',
    tests: tenancy,
    guards: 'T5',
  },
  {
    name: 'a download is read by members to whom downloads are closed',
    file: 'server/downloads/queries.ts',
    find: "  if (actor.kind === 'member' && !mayDownload(actor)) return null\n",
    replace: "  if (actor.kind === 'member') mayDownload(actor)\n",
    tests: ['server/downloads/downloads.test.ts'],
    guards: 'T8',
  },
  {
    name: 'a member who writes what a trade earned',
    file: 'server/migrations/20261121-1330-trade-history.sql',
    find: "create policy changed_by_the_program on trade_deals as restrictive for update using (scope_actor() in ('staff', 'system'));",
    replace: '',
    tests: ['server/trades/reading.test.ts'],
    guards: 'T4',
  },
  {
    name: 'trades of an account that was named and not looked for among the own ones',
    file: 'server/trades/table.ts',
    find: 'readAccounts(tx, member, [filter.accountId])',
    replace:
      "tx.selectFrom('trading_accounts').select(['deleted', 'currency', 'platform_login', 'platform_id as platform_type']).execute()",
    tests: ['server/trades/graph.test.ts'],
    guards: 'T1',
  },
  {
    name: 'trades that stand open while their feature is off',
    file: 'server/graphql/field-scopes.ts',
    find: '      authorizeFeature(context.member, facts.feature)\n',
    replace: '',
    tests: fields,
    guards: 'T8',
  },
  {
    name: "the platform's prefix on the screen",
    file: 'contract/trades/calls.ts',
    find: "cmd.replace(/^OP_/, '')",
    replace: 'cmd',
    tests: ['web/features/trades/trade-labels.test.ts'],
    guards: 'Q1',
  },
  {
    name: 'two readers of one history at once',
    file: 'server/trades/history.ts',
    find: "    if (reading.some((other) => other.account_id === accountId)) return 'taken'\n",
    replace: '',
    tests: ['server/trades/reading.test.ts'],
    guards: 'Q1',
  },
]
