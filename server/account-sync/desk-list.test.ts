import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Caller } from '../../tests/fixtures/caller.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, openTestSession, staffActor } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { deskAccounts } from './desk-list.ts'

let setup: ServedFixture
let caller: Caller
let token: string

before(async () => {
  setup = await openServedFixture()
  caller = setup.caller
  const { staffId } = await addStaff(setup.system, { role: 'support' })
  token = (await openTestSession(setup.system, { kind: 'staff', id: staffId })).token
})
after(() => setup.close())

type Seen = Record<string, unknown> & { _id: string; member: { _id: string; name: string } }
type Page = { accounts: Seen[]; next: string | null; previous: string | null; total: number; platforms: unknown[] }
const list = async (query = '', as = token): Promise<Page> =>
  (await caller.get(`/desk/api/accounts${query}`, as)).body as unknown as Page

describe('the list of all accounts of the brokerage', () => {
  test('filters by number, owner, platform, kind, access and state', async () => {
    const { memberId } = await addMember(setup.system, { first_name: 'Wilhelmina', customer_number: '880031' })
    const other = await addPlatform(setup.system)
    const own = { memberId, platformId: setup.platformId }
    const live = await addAccount(setup.system, { ...own, platform_login: '9001001', balance: '12.5' })
    const demo = await addAccount(setup.system, { ...own, platform_login: '9001002', live_account: false })
    const readOnly = await addAccount(setup.system, { ...own, platform_login: '9001003', enable_read_only: true })
    const stopped = await addAccount(setup.system, { ...own, platform_login: '9001004', status: 'disabled' })
    const gone = await addAccount(setup.system, { ...own, platform_login: '9001005', deleted: true })
    const stored = await addAccount(setup.system, { memberId, platformId: other, platform_login: '77', archived: true })
    const ids = async (query: string) => (await list(query)).accounts.map(({ _id }) => _id).sort()
    const all = [live, demo, readOnly, stopped, gone, stored].sort()
    for (const q of ['wilhel', 'WILHELMINA', '880031', '%23880031']) assert.deepEqual(await ids(`?q=${q}`), all, q)
    assert.deepEqual(await ids('?q=9001002'), [demo])
    assert.deepEqual(await ids('?q=%239001002'), [demo])
    assert.deepEqual(await ids('?q=wilhel&kind=demo'), [demo])
    assert.deepEqual(await ids('?q=wilhel&access=read_only'), [readOnly])
    assert.deepEqual(await ids('?q=wilhel&access=disabled'), [stopped])
    assert.deepEqual(await ids('?q=wilhel&access=full&state=open'), [live, demo].sort())
    assert.deepEqual(await ids('?q=wilhel&state=closed'), [gone])
    assert.deepEqual(await ids('?q=wilhel&state=archived'), [stored])
    assert.deepEqual(await ids(`?q=wilhel&platform=${other}`), [stored])
    for (const q of ['9001009', 'nobody-at-all', '%25', '9_01002']) assert.deepEqual(await ids(`?q=${q}`), [], q)
    const [row] = (await list('?q=9001001')).accounts
    assert.deepEqual(
      [row?.member._id, row?.platform_name, row?.balance, row?.equity, row?.access, row?.state],
      [memberId, 'MetaTrader 5', '12.50', null, 'full', 'open'],
    )
  })

  test('sorts in the requested order', async () => {
    const { memberId } = await addMember(setup.system, { last_name: 'Pagewell' })
    for (const login of ['83', '81', '85', '82', '84']) {
      if (login !== '81') setup.context.clock.advance(1_000)
      await addAccount(setup.system, { memberId, platformId: setup.platformId, platform_login: `90020${login}` })
    }
    const logins = ({ accounts }: Page) => accounts.map(({ platform_login }) => String(platform_login).slice(-2))
    assert.deepEqual(logins(await list('?q=pagewell&order=login')), ['81', '82', '83', '84', '85'])
    assert.deepEqual(logins(await list('?q=pagewell')).slice(0, 3), ['84', '82', '85'])
    for (const platform_login of ['9', '18446744073709551615'])
      await addAccount(setup.system, { memberId, platformId: setup.platformId, platform_login })
    const seen: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page: Page = await list(`?q=pagewell&order=login&limit=2${after && `&after=${after}`}`)
      seen.push(...page.accounts.map(({ platform_login }) => String(platform_login)))
      after = page.next
    }
    const between = ['81', '82', '83', '84', '85'].map((end) => `90020${end}`)
    assert.deepEqual(seen, ['9', ...between, '18446744073709551615'], 'as numbers, on every page')
  })

  test('exports a table without formulas, and audits the export', async () => {
    const { memberId } = await addMember(setup.system, { first_name: '=cmd()', last_name: 'Tabled' })
    await addAccount(setup.system, { memberId, platformId: setup.platformId, platform_login: '9003001', balance: '-7' })
    const { status, raw } = await caller.get('/desk/api/accounts/table?q=tabled', token)
    assert.equal(status, 200)
    const lines = raw.trim().split('\r\n')
    assert.equal(lines.length, 2)
    assert.match(lines[0] ?? '', /Account,Platform,Group,Kind,Currency/)
    assert.match(
      lines[1] ?? '',
      /^9003001,MetaTrader 5,real\\standard,live,USD,100,-7\.00,,full,open,.*,'=cmd\(\) Tabled$/,
    )
    const entry = await reading(setup.system, (tx) =>
      tx
        .selectFrom('audit_log')
        .where(here)
        .select('after')
        .where('action', '=', 'accounts.exported')
        .executeTakeFirstOrThrow(),
    )
    assert.deepEqual(entry.after, { q: '…', order: 'newest' })
  })

  test('shows nothing of another workspace and refuses members', async () => {
    const other = await addWorkspace(setup.context)
    const otherStaff = staffActor(other, await addStaff(other))
    const { accounts, total, platforms } = await deskAccounts.read(otherStaff, { limit: 25, order: 'newest' })
    assert.deepEqual([accounts, total, platforms], [[], 0, []])
    const { memberId } = await addMember(setup.system)
    const member = await openTestSession(setup.system, { kind: 'member', id: memberId })
    assert.equal((await caller.get('/desk/api/accounts', member.token)).status, 401)
    assert.equal((await caller.get(`/desk/api/accounts?platform=${newId()}`, token)).body.total, 0)
  })
})
