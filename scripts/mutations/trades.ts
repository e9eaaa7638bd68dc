import type { Mutation } from './mutation.ts'

const tenancy = ['server/foundation/database/tenancy.test.ts']

/** Trades and program downloads: ownership, and which parts of a history are shown. */
export const tradeMutations: Mutation[] = [
  {
    name: 'the trades include balance operations',
    file: 'server/trades/queries.ts',
    find: "    where('deal.is_trade', '=', true),\n",
    replace: '',
    tests: ['server/trades/graph.test.ts'],
    guards: 'T1',
  },
  {
    name: 'the row security policy of trades omits the workspace',
    file: 'server/migrations/20261121-1351-trades-of-a-member-at-once.sql',
    find: '  workspace_id = (select scope_workspace())\n',
    replace: '  true\n',
    tests: tenancy,
    guards: 'T5',
  },
  {
    name: 'the row security policy of trades omits the member',
    file: 'server/migrations/20261121-1351-trades-of-a-member-at-once.sql',
    find: 'then member_id = (select scope_member())',
    replace: 'then true',
    tests: tenancy,
    guards: 'T5',
  },
  {
    name: 'a download of another brokerage is readable',
    file: 'server/migrations/20261121-1341-platform-downloads.sql',
    find: "select protect_table('platform_files', 'shared');",
    replace: 'grant select, insert, update, delete on platform_files to atrium_program;',
    tests: tenancy,
    guards: 'T5',
  },
  {
    name: 'a member can change the profit of a trade',
    file: 'server/migrations/20261121-1330-trade-history.sql',
    find: "create policy changed_by_the_program on trade_deals as restrictive for update using (scope_actor() in ('staff', 'system'));",
    replace: '',
    tests: ['server/trades/reading.test.ts'],
    guards: 'T4',
  },
  {
    name: 'trades of any named account are readable',
    file: 'server/trades/table.ts',
    find: 'readAccounts(tx, member, [filter.accountId])',
    replace:
      "tx.selectFrom('trading_accounts').select(['deleted', 'currency', 'platform_login', 'platform_id as platform_type']).execute()",
    tests: ['server/trades/graph.test.ts'],
    guards: 'T1',
  },
  {
    name: 'the screen shows the prefix of the platform',
    file: 'contract/trades/calls.ts',
    find: "cmd.replace(/^OP_/, '')",
    replace: 'cmd',
    tests: ['web/features/trades/trade-labels.test.ts'],
    guards: 'Q1',
  },
]
