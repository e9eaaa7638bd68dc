import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type pg from 'pg'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { noteDifference } from '../accounts/differences.ts'
import { personalData } from '../domains.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { Refusal } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { eraseMember } from '../members/personal-data/erasure.ts'
import { comparePlatform } from './compare.ts'
import { decideDifference } from './decision.ts'

const group = 'real\\standard-usd'
const minuteMs = 60_000

let setup: TradingFixture
let owner: pg.Client
let watcher: pg.Client
let nextLogin = 700_800

before(async () => {
  setup = await openTradingFixture()
  ;[owner, watcher] = await Promise.all([setup.openOwner(), setup.openOwner()])
  await compare()
})
after(() => setup.close())
beforeEach(() => setup.context.clock.advance(minuteMs))

const compare = () => comparePlatform(setup.system, setup.platformId)

type Theirs = { memberId: string; customerNumber: string; login: string; accountId: string }

async function addTheirs(): Promise<Theirs> {
  nextLogin += 1
  const login = String(nextLogin)
  const { memberId } = await addMember(setup.system)
  const { platformId } = setup
  const at = { memberId, platformId, platform_login: login, group_name: group }
  const accountId = await addAccount(setup.system, at)
  const { rows } = await owner.query('select customer_number from members where member_id = $1', [memberId])
  return { memberId, customerNumber: rows[0].customer_number, login, accountId }
}

type Noted = Pick<Theirs, 'login'> & { kind: 'gone' | 'unknown_owner'; accountId: string | null }

async function note({ kind, login, accountId }: Noted): Promise<string> {
  await inTransaction(setup.system, (tx) =>
    noteDifference(tx, setup.system, setup.platformId, { kind, login, accountId, reason: 'not_there', at: null }),
  )
  const { rows } = await owner.query('select difference_id from account_differences where platform_login = $1', [login])
  return rows[0].difference_id
}

/** Starts an erasure that has locked the account, blocks on `owner`, and reaches the differences after that. */
async function eraseHalfway({ memberId, customerNumber }: Theirs): Promise<{ end(): Promise<unknown> }> {
  await owner.query('begin')
  await owner.query('lock table trade_histories in share mode')
  const erased = endOf(
    eraseMember(setup.staff, memberId, { reason: 'Asked for it', customer_number: customerNumber }, personalData),
  )
  await untilWaiting(watcher, 1)
  const end = async () => {
    await owner.query('commit')
    return erased
  }
  return { end }
}

const endOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (problem: unknown) => (problem instanceof Refusal ? problem.code : String(problem)),
  )

function accountOf(login: string) {
  return reading(setup.system, (tx) =>
    tx.selectFrom('trading_accounts').where(here).selectAll().where('platform_login', '=', login).executeTakeFirst(),
  )
}

async function decisionsOf(login: string): Promise<unknown[]> {
  const { rows } = await owner.query('select decision from account_differences where platform_login = $1', [login])
  return rows.map(({ decision }) => decision)
}

/** Creates two differences; the first account has the later id, so that any other sort order reverses them. */
async function addTwo(kind: 'gone' | 'currency'): Promise<{ theirs: Theirs; ids: [low: string, high: string] }> {
  const theirs = await addTheirs()
  nextLogin += 1
  const second = { memberId: theirs.memberId, platformId: setup.platformId, platform_login: String(nextLogin) }
  const others = [theirs.accountId, await addAccount(setup.system, { ...second, group_name: group })]
  const ids: [string, string] = [newId(), newId()]
  for (const [at, login] of [theirs.login, second.platform_login].entries())
    await owner.query(
      `insert into account_differences (workspace_id, difference_id, platform_id, platform_login, kind, reason, account_id,
         first_seen_at, last_seen_at) values ($1, $2, $3, $4, $5, 'not_there', $6, $7, $7)`,
      [setup.system.workspaceId, ids[1 - at], setup.platformId, login, kind, others[at], setup.context.clock.now()],
    )
  return { theirs, ids }
}

describe('several differences of one member', () => {
  const take = (id: string, how: string) =>
    owner.query(`select from account_differences where difference_id = $1 for update ${how}`, [id])

  /** A transaction that locked in the opposite order would already hold the second row while it waits for the first. */
  async function waitsWithoutTheSecond([low, high]: [string, string], work: () => Promise<unknown>): Promise<void> {
    await owner.query('begin')
    await take(low, '')
    const ended = endOf(work())
    try {
      await untilWaiting(watcher, 1)
      await take(high, 'nowait')
    } finally {
      await owner.query('rollback')
      assert.equal(await ended, 'done')
    }
  }

  test('are locked in order of their ids when the member is erased', async () => {
    const { theirs, ids } = await addTwo('gone')
    const why = { reason: 'Asked for it', customer_number: theirs.customerNumber }
    await waitsWithoutTheSecond(ids, () => eraseMember(setup.staff, theirs.memberId, why, personalData))
  })

  test('are locked in order of their ids when the platform stops reporting them', async () => {
    const { ids } = await addTwo('currency')
    await waitsWithoutTheSecond(ids, compare)
  })
})

describe('while a member is being erased', () => {
  test('staff decide about an account of the member, and both transactions succeed', async () => {
    const theirs = await addTheirs()
    const id = await note({ kind: 'gone', ...theirs })
    const erasure = await eraseHalfway(theirs)
    const decided = endOf(decideDifference(setup.staff, id, { decision: 'archive' }))
    await untilWaiting(watcher, 2)
    assert.deepEqual([await erasure.end(), await decided], ['done', 'done'])
    assert.equal((await accountOf(theirs.login))?.archived, true)
    assert.deepEqual(await decisionsOf(theirs.login), ['archived'])
  })

  test('the account sync archives an account of the member, and both transactions succeed', async () => {
    const theirs = await addTheirs()
    await compare()
    setup.context.clock.advance(5 * minuteMs)
    const erasure = await eraseHalfway(theirs)
    const compared = endOf(compare())
    await untilWaiting(watcher, 2)
    assert.deepEqual([await erasure.end(), await compared], ['done', 'done'])
    assert.equal((await accountOf(theirs.login))?.archived, true)
    assert.deepEqual(await decisionsOf(theirs.login), ['archived'])
  })

  test('refuses to import an account for the member', async () => {
    const theirs = await addTheirs()
    const login = String(++nextLogin)
    setup.simulator.control.seedAccounts([{ login, group, name: 'Ada Private', leverage: 50 }])
    const id = await note({ kind: 'unknown_owner', login, accountId: null })
    const erasure = await eraseHalfway(theirs)
    const wanted = { decision: 'import', customer_number: theirs.customerNumber, account_kind: 'live' } as const
    const decided = endOf(decideDifference(setup.staff, id, wanted))
    await untilWaiting(watcher, 2)
    assert.deepEqual([await erasure.end(), await decided], ['done', 'invalid_input'])
    assert.equal(await accountOf(login), undefined)
  })
})
