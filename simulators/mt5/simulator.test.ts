import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AccountSeed } from '../metatrader/seeds.ts'
import { connectMt5Control } from './control-client.ts'
import { type Mt5Simulator, type Mt5SimulatorOptions, startMt5Simulator } from './simulator.ts'

const manager = { login: '1002', password: 'Password1' }
const usual: Mt5SimulatorOptions = {
  port: 0,
  stateFile: ':memory:',
  managers: [manager],
  timeZone: 'Europe/Athens',
  movingPrices: false,
}
const ada: AccountSeed = {
  login: '700123',
  group: 'real\\standard-usd',
  name: 'Ada North',
  leverage: 200,
  balance: '1250',
  mainPassword: 'Qa7#mPz2',
  positions: [
    {
      symbol: 'EURUSD',
      side: 'buy',
      lots: '0.1',
      openPrice: '1.08100',
      openedAtMs: Date.now() - 86_400_000,
      swap: '-0.5',
    },
  ],
}

type Answer = { retcode: string; answer: Record<string, string> }
type Line = { call(target: string, body?: object): Promise<Answer & { status: number }>; hangUp(): void }

/** A separate client: the adapter must not test its own simulator. */
async function signIn(simulator: Mt5Simulator): Promise<Line> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = (target: string, body?: object) =>
    new Promise<Answer & { status: number }>((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const sending = request(`${simulator.url}${target}`, { agent, method }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => {
          const status = response.statusCode ?? 0
          resolve(status === 200 ? { status, ...JSON.parse(text) } : { status, retcode: text, answer: {} })
        })
      })
      sending.on('error', reject)
      sending.end(body === undefined ? undefined : JSON.stringify(body))
    })
  const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()
  const started = await call(`/api/auth/start?version=3000&agent=Test&login=${manager.login}&type=manager`)
  const rand = Buffer.from((started as unknown as { srv_rand: string }).srv_rand, 'hex')
  const key = md5(md5(Buffer.from(manager.password, 'utf16le')), Buffer.from('WebAPI'))
  await call(`/api/auth/answer?srv_rand_answer=${md5(key, rand).toString('hex')}&cli_rand=${'00'.repeat(16)}`)
  return { call, hangUp: () => agent.destroy() }
}

async function withSimulator(work: (simulator: Mt5Simulator, line: Line) => Promise<void>): Promise<void> {
  const simulator = await startMt5Simulator(usual)
  simulator.control.seedAccounts([ada])
  const line = await signIn(simulator)
  try {
    await work(simulator, line)
  } finally {
    line.hangUp()
    await simulator.stop()
  }
}

test('metrics of an account with an open position are consistent', () =>
  withSimulator(async (simulator, { call }) => {
    const { answer } = await call('/api/user/account/get?login=700123')
    const { Floating, Equity, Margin, MarginFree, MarginLevel } = answer
    assert.deepEqual(
      { Floating, Equity, Margin, MarginFree, MarginLevel },
      { Floating: '12.40', Equity: '1262.40', Margin: '54.05', MarginFree: '1208.35', MarginLevel: '2335.62' },
    )
    simulator.control.setBid('EURUSD', '1.08329')
    assert.equal((await call('/api/user/account/get?login=700123')).answer.Floating, '22.40')
  }))

test('prices move alone, equal for the same seed, and stop when paused', async () => {
  const walk = async (seed: number) => {
    const simulator = await startMt5Simulator({ ...usual, seed })
    simulator.control.seedAccounts([ada])
    simulator.control.tickPrices(50)
    const floating = simulator.control.account('700123')?.floating
    await simulator.stop()
    return floating
  }
  assert.equal(await walk(7), await walk(7))
  assert.notEqual(await walk(7), await walk(8))
})

test('refuses everything on a connection without a sign-in', () =>
  withSimulator(async (simulator, { call }) => {
    assert.equal((await call('/api/test/access')).status, 200)
    const other = await fetch(`${simulator.url}/api/test/access`)
    assert.deepEqual([other.status, await other.text()], [403, '403 Forbidden'])
    assert.equal((await call('/api/auth/answer?srv_rand_answer=00&cli_rand=00')).status, 403)
  }))

test('reads backslashes, group masks and lists, and limits a page', () =>
  withSimulator(async (simulator, { call }) => {
    const groupOf = async (group: string) => (await call(`/api/group/get?group=${group}`)).answer?.Group
    assert.equal(await groupOf('real%5Cstandard-usd'), 'real\\standard-usd')
    assert.equal(await groupOf('real%5C%5Cstandard-usd'), 'real\\standard-usd')
    const masked = await call('/api/user/logins?group=real%5C*,!real%5Craw-usd')
    assert.deepEqual(masked.answer, ['700123'])
    assert.deepEqual((await call('/api/user/logins?group=*,!real%5C*')).answer, [])
    for (let made = 0; made < 150; made++) simulator.control.addLedger('700123', { amount: '1', atMs: Date.now() })
    const page = await call('/api/deal/get_page?login=700123&from=0&to=4000000000&offset=0&total=500')
    assert.equal((page.answer as unknown as unknown[]).length, 100)
    assert.equal((await call('/api/deal/get_total?login=700123&from=0&to=4000000000')).answer.Total, '152')
  }))

test('applies limits, types, margin and comments to balance operations', () =>
  withSimulator(async (simulator, { call }) => {
    const book = async (rest: string) =>
      (await call(`/api/trade/balance?login=700123&${rest}`, {})).retcode.split(' ')[0]
    assert.equal(await book('type=2&balance=-1208.36'), '10019')
    assert.equal(await book('type=2&balance=-1208.36&check_margin=0'), '0')
    assert.equal(await book('type=2&balance=-1208.36&check_margin=0'), '10019')
    assert.equal(await book('type=2&balance=1000000000.01'), '4005')
    assert.equal(await book('type=7&balance=1'), '3')
    assert.equal(await book('type=2&balance=1e3'), '3')
    assert.equal(await book('type=3&balance=-1'), '10019')
    assert.equal(await book('type=3&balance=50'), '0')
    assert.equal(await book(`type=2&balance=1&comment=${'x'.repeat(40)}`), '0')
    const ledger = simulator.control.ledger('700123')
    assert.deepEqual(
      ledger.slice(-3).map((deal) => deal.amount),
      ['-1208.36', '50.00', '1.00'],
    )
    assert.equal(ledger.at(-1)?.comment.length, 31)
    const { balance, credit } = simulator.control.account('700123') ?? {}
    assert.deepEqual([balance, credit], ['42.64', '50.00'])
  }))

test('applies the rules for passwords, logins and updates of accounts', () =>
  withSimulator(async (_simulator, { call }) => {
    const person = { Group: 'real\\standard-usd', Name: 'Ben South', Leverage: '100', Rights: '18446744073709551615' }
    const passwords = { PassMain: 'Qa7#mPz2', PassInvestor: 'v9!TxR4kLw2@Zb6Y' }
    const add = async (change: object) =>
      (await call('/api/user/add', { ...person, ...passwords, ...change })).retcode.split(' ')[0]
    assert.equal(await add({ PassMain: 'Qa7mPz22' }), '3006')
    assert.equal(await add({ PassInvestor: 'v9!TxR4kLw2@Zb6Y-too-long' }), '3006')
    assert.equal(await add({ Group: 'nowhere' }), '8')
    assert.equal(await add({ Login: '5' }), '3003')
    assert.equal(await add({ Login: '700123' }), '3004')
    const made = await call('/api/user/add', { ...person, ...passwords, City: 'y'.repeat(90) })
    assert.deepEqual([made.answer.Login, made.answer.Rights], ['700124', '18446744073709551615'])
    assert.equal(made.answer.City?.length, 63)
    const updated = await call('/api/user/update?login=700124', { Leverage: 'many', Balance: '9999', Rights: '5' })
    assert.deepEqual([updated.answer.Leverage, updated.answer.Balance, updated.answer.Rights], ['100', '0.00', '5'])
    assert.equal((await call('/api/user/account/get?login=700124')).retcode, '13 Not found')
  }))

test('checks and changes passwords by GET with a query, and sets one for the API', () =>
  withSimulator(async (_simulator, { call }) => {
    const ask = async (what: string, query: string) =>
      (await call(`/api/user/${what}_password?login=700123&${query}`)).retcode.split(' ')[0]
    assert.equal(await ask('check', 'type=main&password=Qa7%23mPz2'), '0')
    assert.equal(await ask('check', 'type=main&password=Qa7%23mPz3'), '3006')
    assert.equal(await ask('change', 'type=investor&password=New7%23mPz2'), '0')
    assert.equal(await ask('check', 'type=investor&password=New7%23mPz2'), '0')
    assert.equal(await ask('check', 'type=api&password=Api7%23mPz2'), '3006')
    assert.equal(await ask('change', 'type=api&password=Api7%23mPz2'), '0')
    assert.equal(await ask('check', 'type=api&password=Api7%23mPz2'), '0')
    assert.equal(await ask('check', 'type=phone&password=Api7%23mPz2'), '3')
  }))

test('finds a position by login and symbol, and deals without dates', () =>
  withSimulator(async (_simulator, { call }) => {
    const { answer } = await call('/api/position/get?login=700123&symbol=EURUSD')
    assert.deepEqual([answer?.Login, answer?.Symbol, answer?.Volume], ['700123', 'EURUSD', '1000'])
    assert.equal((await call('/api/position/get?login=700123&symbol=GBPUSD')).retcode, '13 Not found')
    const page = await call('/api/deal/get_page?login=700123&offset=0&total=10')
    assert.equal((page.answer as unknown as unknown[]).length, 2)
    assert.equal((await call('/api/deal/get_total?login=700123')).answer.Total, '2')
    assert.equal((await call('/api/deal/get_page?login=700123&from=today&to=0')).retcode, '3 Invalid parameters')
  }))

test('answers 37 kinds of calls of public clients in their spelling', () =>
  withSimulator(async (_simulator, { call }) => {
    const [position] = (await call('/api/position/get_page?login=700123&offset=0&total=10')).answer as unknown as [
      { Position: string },
    ]
    const deals = (await call('/api/deal/get_page?login=700123&from=0&to=4000000000&offset=0&total=10')).answer
    const [deal] = deals as unknown as [{ Deal: string }]
    const dates = 'from=0&to=4000000000'
    const person = { Login: '0', Group: 'real\\standard-usd', Name: 'Ben South', Leverage: '100', Rights: '355' }
    const passwords = { PassMain: 'Qa7#mPz2', PassInvestor: 'Qa7#mPz3' }
    const secret = { Login: '700123', Type: 'main', Password: 'Qa7#mPz2' }
    const answered: [target: string, body?: object][] = [
      ...[['/api/test/access'], ['/api/time/server'], ['/api/time/get'], ['/api/common/get']],
      ...[['/api/group/list'], ['/api/group/total'], ['/api/group/next?index=0']],
      ...[['/api/group/get?group=real%5Cstandard-usd'], ['/api/group/get?mask=real%5C*']],
      ...[
        ['/api/user/add', { ...person, ...passwords }],
        ['/api/user/update', { Login: '700123', City: 'Valletta' }],
      ],
      ...[['/api/user/update?login=700123&city=Valletta'], ['/api/user/get?login=700123']],
      ...[['/api/user/get_batch?login=700123,700124'], ['/api/user/get_batch?group=real%5C*']],
      ...[['/api/user/logins?group=real%5C*'], ['/api/user/group?login=700123'], ['/api/user/total']],
      ...[
        ['/api/user/check_password', secret],
        ['/api/user/change_password', { ...secret, Password: 'Qa7#mPz9' }],
      ],
      ...[['/api/user/check_password?login=700123&type=main&password=Qa7%23mPz9']],
      ...[['/api/user/account/get?login=700123'], ['/api/user/account/get_batch?login=700123']],
      ...[['/api/trade/balance?login=700123&type=2&balance=10.25&comment=hello']],
      ...[[`/api/deal/get?ticket=${deal.Deal}`], [`/api/deal/get_total?login=700123&${dates}`]],
      ...[
        [`/api/deal/get_page?login=700123&${dates}&offset=0&total=10`],
        [`/api/deal/get_batch?login=700123&${dates}`],
      ],
      ...[[`/api/position/get?ticket=${position.Position}`], ['/api/position/get_total?login=700123']],
      ...[['/api/position/get_page?login=700123&offset=0&total=10'], ['/api/position/get_batch?login=700123']],
      ...[['/api/order/get_total?login=700123'], ['/api/order/get_page?login=700123&offset=0&total=10']],
      ...[[`/api/history/get_total?login=700123&${dates}`]],
      ...[[`/api/history/get_page?login=700123&${dates}&offset=0&total=10`], ['/api/quit']],
    ] as [string, object?][]
    assert.equal(answered.length, 37)
    for (const [target, body] of answered) assert.equal((await call(target, body)).retcode, '0 Done', target)
  }))

/** The fields that the vendor's parser reads (MTUserJson, MTGroupAnswer, MTDealJson of its PHP library). */
const read = {
  user:
    'Login Group Rights Name Company Account Country Language City State ZipCode Address Phone Email ClientID ID Status ' +
    'Comment Color PhonePassword Leverage Agent CertSerialNumber Registration LastAccess LastPassChange LastIP Balance ' +
    'Credit InterestRate CommissionDaily CommissionMonthly BalancePrevDay BalancePrevMonth EquityPrevDay ' +
    'EquityPrevMonth MQID LeadSource LeadCampaign TradeAccounts',
  group:
    'Group Server PermissionsFlags AuthMode AuthPasswordMin AuthOTPMode Company CompanyPage CompanyEmail ' +
    'CompanySupportPage CompanySupportEmail CompanyCatalog Currency CurrencyDigits ReportsMode ReportsFlags ReportsSMTP ' +
    'ReportsSMTPLogin ReportsSMTPPass NewsMode NewsCategory NewsLangs MailMode TradeFlags TradeTransferMode ' +
    'TradeInterestrate TradeVirtualCredit MarginMode MarginSOMode MarginFreeMode MarginCall MarginStopOut ' +
    'MarginFreeProfitMode DemoLeverage DemoDeposit LimitHistory LimitOrders LimitSymbols LimitPositions Commissions Symbols',
  deal:
    'Deal ExternalID Login Dealer Order Action Entry Reason Digits DigitsCurrency ContractSize Time TimeMsc Symbol Price ' +
    'Volume Profit Storage Commission RateProfit RateMargin ExpertID PositionID Comment ProfitRaw PricePosition PriceSL ' +
    'PriceTP VolumeClosed TickValue TickSize Flags Gateway PriceGateway ModifyFlags',
}

test('records have every field that the vendor’s parser reads', () =>
  withSimulator(async (_simulator, { call }) => {
    const lacking = (record: object, fields: string) => fields.split(' ').filter((field) => !(field in record))
    assert.deepEqual(lacking((await call('/api/user/get?login=700123')).answer, read.user), [])
    assert.deepEqual(lacking((await call('/api/group/get?group=real%5Cstandard-usd')).answer, read.group), [])
    const [deal] = (await call('/api/deal/get_page?login=700123')).answer as unknown as [object]
    assert.deepEqual(lacking(deal, read.deal), [])
  }))

test('state survives a restart, and contains no password', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-mt5-'))
  const stateFile = join(folder, 'mt5.sqlite')
  try {
    const first = await startMt5Simulator({ ...usual, stateFile })
    first.control.seedAccounts([ada])
    first.control.tickPrices(10)
    const before = [first.control.account('700123'), first.control.ledger('700123')]
    await first.stop()
    const second = await startMt5Simulator({ ...usual, stateFile })
    assert.deepEqual(second.control.seedAccounts([ada]), [])
    assert.deepEqual([second.control.account('700123'), second.control.ledger('700123')], before)
    const line = await signIn(second)
    const check = { Login: '700123', Type: 'main', Password: 'Qa7#mPz2' }
    assert.equal((await line.call('/api/user/check_password', check)).retcode, '0 Done')
    line.hangUp()
    await second.stop()
    assert.ok(!readFileSync(stateFile, 'latin1').includes('Qa7#mPz2'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the control channel works like the control object, also while the platform is down', () =>
  withSimulator(async (simulator) => {
    const client = connectMt5Control(simulator.controlUrl)
    await client.down()
    await assert.rejects(fetch(`${simulator.url}/api/test/access`))
    assert.deepEqual(await client.account('700123'), simulator.control.account('700123'))
    await client.up()
    assert.equal((await fetch(`${simulator.url}/api/test/access`)).status, 403)
    await assert.rejects(client.addGroup(null as never), /refused/)
    const plain = await fetch(`${simulator.controlUrl}/control/down`, { method: 'POST', body: '[]' })
    assert.equal(plain.status, 404)
  }))
