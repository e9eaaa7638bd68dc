// spec: AO 4, AO 6
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type FilledWorkspace, fillEveryTable } from '../../../tests/catalogue/every-table.ts'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'

/** Workspaces are looked up by host before the scope is known; no other table may be. */
const keysOutsideWorkspace = ['workspaces_subdomain', 'workspaces_default']
/** Append-only tables: no row may be changed or removed. */
const appendOnly = [
  'audit_links',
  'audit_log',
  'transaction_events',
  'terms_versions',
  'terms_acceptances',
  'payment_credits',
]
const definerFunctions = [
  'erase_logged_details',
  'find_workspace',
  'forget_acceptances',
  'list_workspace_ids',
  'referred_clients',
]

let made: MadeContext
let owner: pg.Client
let program: pg.Client
let tables: string[] = []
let here: FilledWorkspace
let there: FilledWorkspace

before(async () => {
  made = await makeTestContext()
  owner = new pg.Client({ connectionString: made.ownerUrl })
  program = new pg.Client({ connectionString: made.programUrl })
  await Promise.all([owner.connect(), program.connect()])
  tables = await names(`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`)
  here = await fillEveryTable(made.context, 'here')
  there = await fillEveryTable(made.context, 'there')
})

after(async () => {
  await Promise.all([owner.end(), program.end()])
  await made.close()
})

async function names(query: string, values: unknown[] = []): Promise<string[]> {
  return (await owner.query<{ name: string }>(query, values)).rows.map((row) => row.name)
}

describe('the catalogue', () => {
  test('begins every primary key, unique key and foreign key with the workspace', async () => {
    const indexes = await owner.query<{ table: string; index: string; first: string; primary: boolean }>(`
      select t.relname as table, i.relname as index, x.indisprimary as primary,
        (select attname from pg_attribute a where a.attrelid = t.oid and a.attnum = x.indkey[0]) as first
      from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      where t.relnamespace = 'public'::regnamespace and x.indisunique`)
    const wrong = indexes.rows.filter(
      (row) => row.first !== 'workspace_id' && !keysOutsideWorkspace.includes(row.index),
    )
    assert.deepEqual(wrong, [])
    const withPrimary = new Set(indexes.rows.filter((row) => row.primary).map((row) => row.table))
    assert.deepEqual(
      tables.filter((table) => !withPrimary.has(table)),
      [],
    )
    const foreign = await owner.query<{ name: string; first: string; target: string }>(`
      select conname as name,
        (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as first,
        (select attname from pg_attribute where attrelid = confrelid and attnum = confkey[1]) as target
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
    assert.ok(foreign.rows.length > 10)
    assert.deepEqual(
      foreign.rows.filter((row) => row.first !== 'workspace_id' || row.target !== 'workspace_id'),
      [],
    )
  })

  test('has row security with a policy on every table, forced on the owner too', async () => {
    const open = await names(`select relname as name from pg_class c
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and (not relrowsecurity or not relforcerowsecurity
          or not exists (select from pg_policy p where p.polrelid = c.oid))`)
    assert.deepEqual(open, [])
  })

  test('gives the program role no ownership, no bypass of policies and no right to define objects', async () => {
    const role = new URL(made.programUrl).username
    const rights = await owner.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname in ($1, 'atrium_program')`,
      [role],
    )
    for (const row of rights.rows) assert.deepEqual(new Set(Object.values(row as object)), new Set([false]))
    const owned = await names(
      `select c.relname as name from pg_class c join pg_roles r on r.oid = c.relowner
      where r.rolname in ($1, 'atrium_program')`,
      [role],
    )
    assert.deepEqual(owned, [])
    await assert.rejects(program.query('create table loot (id int)'), /permission denied/)
    await assert.rejects(program.query('alter table members disable row level security'), /must be owner/)
    await assert.rejects(program.query(`select protect_table('members', 'shared')`), /permission denied/)
  })

  test("has only the known functions with their owner's rights", async () => {
    const found = await names(`select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef order by proname`)
    assert.deepEqual(found, definerFunctions)
  })

  test('names the temporary schema last in functions with the rights of the owner and in triggers that read tables', async () => {
    const { rows } = await owner.query<{ name: string; source: string; definer: boolean; path: string | null }>(`
      select proname as name, prosrc as source, prosecdef as definer,
        (select setting from unnest(proconfig) as setting where setting like 'search_path=%') as path
      from pg_proc where pronamespace = 'public'::regnamespace and (prosecdef or prorettype = 'trigger'::regtype)`)
    const reads = (source: string) =>
      [...source.matchAll(/\b(?:from|join|into|update)\s+(\w+)/g)].some(([, table = '']) => tables.includes(table))
    const open = rows.filter(
      ({ source, definer, path }) => (definer || reads(source)) && path !== 'search_path=pg_catalog, public, pg_temp',
    )
    assert.deepEqual(
      open.map(({ name }) => name),
      [],
    )
  })
})

type Scope = { workspaceId: string; actor: 'member' | 'staff' | 'system'; memberId?: string } | null

/** Runs statements as the program in a given scope, and always rolls back. */
async function within<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
  await program.query('begin')
  try {
    if (scope) {
      await program.query(
        `select set_config('atrium.workspace_id', $1, true), set_config('atrium.actor_kind', $2, true),
          set_config('atrium.member_id', $3, true)`,
        [scope.workspaceId, scope.actor, scope.memberId ?? ''],
      )
    }
    return await work()
  } finally {
    await program.query('rollback')
  }
}

async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
  return (await program.query(`select * from ${table}`)).rows
}

describe('without any WHERE', () => {
  test('each table holds rows of both workspaces, so that an empty result proves something', async () => {
    for (const table of tables) {
      const counted = await owner.query(`select count(distinct workspace_id)::int as workspaces from ${table}`)
      assert.equal(counted.rows[0].workspaces, 2, `${table} is not filled by tests/catalogue/every-table.ts`)
    }
  })

  test('no scope shows no row', async () => {
    for (const table of tables) assert.deepEqual(await within(null, () => rowsOf(table)), [], table)
  })

  test('a scope without an actor shows no row', async () => {
    const scope = { workspaceId: here.workspaceId, actor: '' as 'system' }
    for (const table of tables) assert.deepEqual(await within(scope, () => rowsOf(table)), [], table)
  })

  test('staff and system see their workspace and no other', async () => {
    for (const actor of ['staff', 'system'] as const) {
      for (const table of tables) {
        const seen = await within({ workspaceId: here.workspaceId, actor }, () => rowsOf(table))
        assert.ok(seen.length > 0, `${actor} sees nothing of ${table}`)
        assert.deepEqual(new Set(seen.map((row) => row.workspace_id)), new Set([here.workspaceId]), table)
      }
    }
  })

  test('a member sees own rows, what the workspace shares, and no others', async () => {
    const scope = { workspaceId: here.workspaceId, actor: 'member', memberId: here.memberId } as const
    for (const table of tables) {
      for (const row of await within(scope, () => rowsOf(table))) {
        assert.equal(row.workspace_id, here.workspaceId, table)
        if ('member_id' in row) assert.equal(row.member_id, here.memberId, table)
      }
    }
    for (const table of ['platform_connections', 'platform_intents', 'staff_users', 'rate_limits', 'terms_drafts']) {
      assert.deepEqual(await within(scope, () => rowsOf(table)), [], `a member sees ${table}`)
    }
  })

  test('a member of one workspace in the scope of another sees no personal row', async () => {
    const scope = { workspaceId: there.workspaceId, actor: 'member', memberId: here.memberId } as const
    for (const table of tables) {
      const seen = await within(scope, () => rowsOf(table))
      assert.deepEqual(
        seen.filter((row) => 'member_id' in row),
        [],
        table,
      )
    }
  })

  test('no actor changes or removes rows of others', async () => {
    const foreigners: Scope[] = [
      null,
      { workspaceId: there.workspaceId, actor: 'system' },
      { workspaceId: here.workspaceId, actor: 'member', memberId: here.otherMemberId },
    ]
    for (const table of tables) {
      const column = appendOnly.includes(table) ? null : 'workspace_id'
      for (const scope of foreigners) {
        if (column) {
          const changed = await within(scope, () =>
            program.query(`update ${table} set workspace_id = workspace_id where ${mine(table)}`, [here.workspaceId]),
          )
          assert.equal(changed.rowCount, 0, `${table} changed`)
        } else {
          await assert.rejects(
            within(scope, () => program.query(`update ${table} set workspace_id = workspace_id`)),
            /permission denied/,
          )
          await assert.rejects(
            within(scope, () => program.query(`delete from ${table}`)),
            /permission denied/,
          )
        }
      }
    }

    /** Rows of the first workspace that are neither shared with nor counted by its other members. */
    function mine(table: string): string {
      const isOwned = here.ownedTables.includes(table)
      const memberId = isOwned ? ` and member_id = '${here.memberId}'` : ''
      const isCounter = table === 'counters' ? ` and scope_actor() <> 'member'` : ''
      return `workspace_id = $1${memberId}${isCounter}`
    }
  })

  test('no actor inserts into another workspace or for another member', async () => {
    const insert = (memberId: string, workspaceId: string) => () =>
      program.query(
        `insert into nonces (workspace_id, token_hash, member_id, purpose, created_at, expires_at)
          values ($1, sha256('x'), $2, 'transaction_deposit', now(), now())`,
        [workspaceId, memberId],
      )
    const asMember = { workspaceId: here.workspaceId, actor: 'member', memberId: here.memberId } as const
    await within(asMember, insert(here.memberId, here.workspaceId))
    await assert.rejects(within(asMember, insert(here.otherMemberId, here.workspaceId)), /row-level security/)
    await assert.rejects(within(asMember, insert(there.memberId, there.workspaceId)), /row-level security/)
    await assert.rejects(within(null, insert(here.memberId, here.workspaceId)), /row-level security/)
  })
})

describe('the database as a guard of the log', () => {
  test('does not let an erasure, which empties the log of a member, be taken back', async () => {
    const become = (status: string) =>
      program.query('update members set status = $2 where member_id = $1', [here.memberId, status])
    const attempt = within({ workspaceId: here.workspaceId, actor: 'system' }, async () => {
      await become('erased')
      await program.query('select erase_logged_details($1)', [here.memberId])
      await become('erased')
      await become('active')
    })
    await assert.rejects(attempt, /an erased member stays erased/)
  })
})

describe('a temporary table of the program', () => {
  test('turns no demo funds into money of a live account', async () => {
    const asMember = { workspaceId: here.workspaceId, actor: 'member', memberId: here.memberId } as const
    const become = (actor: string) => program.query(`select set_config('atrium.actor_kind', $1, true)`, [actor])
    const attempt = within(asMember, async () => {
      await become('system')
      await program.query('update trading_accounts set live_account = true')
      await become('member')
      await program.query(
        `create temporary table trading_accounts on commit drop as
         select workspace_id, account_id, false as live_account from public.trading_accounts`,
      )
      await program.query(
        `insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency,
           state, source, payment_method, created_at)
         select workspace_id, gen_random_uuid(), 888888, member_id, account_id, 'deposit', 1, currency, 'pending', 'client',
           'demo', now() from public.trading_accounts where live_account limit 1`,
      )
    })
    await assert.rejects(attempt, /practice money is for demo accounts/)
  })
})

describe('the database as a second guard of money', () => {
  const deposit = (): string => here.transactionId

  test('freezes amount, currency and account of a transaction', async () => {
    const scope = { workspaceId: here.workspaceId, actor: 'staff' } as const
    for (const change of [
      `amount = amount + 1`,
      `currency = 'EUR'`,
      `member_id = '${here.otherMemberId}'`,
      `type = 'withdrawal'`,
    ]) {
      const attempt = within(scope, () =>
        program.query(`update balance_transactions set ${change} where transaction_id = $1`, [deposit()]),
      )
      await assert.rejects(attempt, /keeps its amount|foreign key/, change)
    }
  })

  test('lets no member approve, not even with hand-written SQL', async () => {
    const scope = { workspaceId: here.workspaceId, actor: 'member', memberId: here.memberId } as const
    for (const state of ['crediting', 'rejected', 'approved']) {
      const attempt = within(scope, () =>
        program.query(
          `update balance_transactions set state = $2, platform_ticket = '1', rejection_reason = 'other' where transaction_id = $1`,
          [deposit(), state],
        ),
      )
      await assert.rejects(attempt, /cannot decide|cannot move/, state)
    }
  })

  test('allows only the listed state transitions', async () => {
    const { mayMove, transactionStates, transactionTypes } = await import('@atrium/contract/funding/states.ts')
    const scope = { workspaceId: here.workspaceId, actor: 'system' } as const
    const each = transactionTypes.flatMap((type) =>
      transactionStates.flatMap((from) => transactionStates.map((to) => ({ type, from, to }))),
    )
    for (const { type, from, to } of each) {
      if (from !== to) {
        const attempt = within(scope, async () => {
          await program.query(
            `insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency,
               state, source, payment_method, created_at, rejection_reason, platform_ticket)
             select workspace_id, gen_random_uuid(), 999999, member_id, account_id, $3, amount, currency, $2, source,
               payment_method, created_at, 'other', '77' from balance_transactions where transaction_id = $1`,
            [deposit(), from, type],
          )
          await program.query(`update balance_transactions set state = $1 where ticket = 999999`, [to])
        })
        if (mayMove(type, from, to)) await attempt
        else await assert.rejects(attempt, /cannot move/, `${type} ${from} > ${to}`)
      }
    }
  })
})
