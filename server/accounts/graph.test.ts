// spec: MP 6, AO 3, AO 6, AO 7
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { type GraphFixture, openGraphFixture, type Row } from '../../tests/fixtures/trading/graph-fixture.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'

describe('the GraphQL queries of members about their accounts', () => {
  let fixture: GraphFixture
  let made: GraphFixture['made']
  let system: GraphFixture['system']
  let platformId: string
  let ask: GraphFixture['ask']
  let newMember: GraphFixture['newMember']

  before(async () => {
    fixture = await openGraphFixture()
    ;({ made, system, platformId, ask, newMember } = fixture)
  })
  after(() => fixture.close())
  it('names the account of a transaction without its metrics to a member who may not see accounts', async () => {
    const own = await newMember({ permissions: ['my_accounts-', 'deposit-', 'withdraw-'] })
    await addTransaction(system, { memberId: own.memberId, accountId: own.account })
    const query = `{ balance_transactions { trading_account { platform_login currency balance equity margin_level
      trade_info { floating_pnl } } } }`
    const { data, errors } = await ask(query, own.token)
    const { platform_login, currency, ...metrics } = (data.balance_transactions?.[0]?.trading_account ?? {}) as Row
    assert.ok(platform_login && currency)
    assert.deepEqual(metrics, { balance: null, equity: null, margin_level: null, trade_info: null })
    assert.deepEqual([...new Set(errors?.map(({ extensions }) => extensions.code))], ['not_permitted'])
  })

  it('shows accounts with their last known metrics, and marks metrics that are not live', async () => {
    const own = await newMember()
    const live = await addAccount(system, {
      memberId: own.memberId,
      platformId,
      live_account: false,
      currency: 'JPY',
      balance: '5000',
      equity: '5100',
      floating: '-3.5',
      synced_at: made.context.clock.now(),
      country_code: 'GB',
    })
    await addAccount(system, { memberId: own.memberId, platformId, deleted: true })
    const query = `{ current_member { customer_number accounts_live_count accounts_demo_count accounts(sync: true) {
      _id balance equity balance_as_of balance_is_live country country_alpha2 trade_info { floating_pnl } psps { _id } } } }`
    const { data, errors } = await ask(query, own.token)
    assert.equal(errors, undefined)
    const member = data.current_member as unknown as {
      accounts: Row[]
      accounts_live_count: number
      accounts_demo_count: number
    }
    assert.deepEqual([member.accounts_live_count, member.accounts_demo_count, member.accounts.length], [1, 1, 2])
    const first = member.accounts.find((account) => account._id === live)
    assert.deepEqual(first, {
      _id: live,
      balance: '5000',
      equity: '5100',
      balance_as_of: made.context.clock.now().getTime(),
      balance_is_live: true,
      country: 'United Kingdom',
      country_alpha2: 'GB',
      trade_info: { floating_pnl: '-3.5' },
      psps: [],
    })
    const unsynced = member.accounts.find((account) => account._id === own.account)
    assert.deepEqual([unsynced?.balance, unsynced?.balance_is_live, unsynced?.balance_as_of], [null, false, null])
  })

  it('returns a closed account with its last known data to its owner only', async () => {
    const own = await newMember()
    const closed = await addAccount(system, {
      memberId: own.memberId,
      platformId,
      deleted: true,
      balance: '12.5',
      margin: '3',
      margin_free: '9.5',
      margin_level: '416.67',
    })
    const query = `{ trading_account(_id: "${closed}", sync: true) { deleted balance margin margin_free margin_level credit } }`
    assert.deepEqual((await ask(query, own.token)).data, {
      trading_account: {
        deleted: true,
        balance: '12.50',
        margin: '3.00',
        margin_free: '9.50',
        margin_level: '416.67',
        credit: null,
      },
    })
    assert.deepEqual((await ask(query, (await newMember()).token)).data, { trading_account: null })
  })
})
