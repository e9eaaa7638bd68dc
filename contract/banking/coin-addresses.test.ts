import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkOf } from '../money/coins.ts'
import { fundAccountInput } from './calls.ts'
import { fitsWallet, isAddress } from './coin-addresses.ts'

const good: [string, string][] = [
  ['BTC', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ['BTC', 'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ'],
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['ETH', '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'],
  ['USDT', '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'],
  ['USDT', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
  ['XRP', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh'],
  ['LTC', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9'],
  // Addresses of unknown coins are not validated.
  ['KAVA', 'whatever'],
]

const wrong: [string, string][] = [
  ['BTC', '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'],
  ['BTC', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdb'],
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0OIl'],
  ['ETH', '0x742d35Cc6634C0532925a3b844Bc454e4438f44'],
  ['ETH', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ['TRX', '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'],
  ['XRP', 'my wallet'],
  ['LTC', ''],
]

describe('addresses of coins', () => {
  it('are accepted if they can be valid', () => {
    for (const [coin, address] of good) assert.equal(isAddress(coin, address), true, `${coin} ${address}`)
  })

  it('are refused if they cannot be valid', () => {
    for (const [coin, address] of wrong) assert.equal(isAddress(coin, address), false, `${coin} ${address}`)
  })

  it('are validated for wallets only', () => {
    const account = {
      type: 'crypto',
      name: 'Savings',
      provider: 'Ledger',
      preferred_currency: 'ETH',
      address_id: 'mara-1',
    }
    const problems = fundAccountInput.safeParse(account).error?.issues.map(({ path, message }) => [path[0], message])
    assert.deepEqual(problems, [
      [
        'address_id',
        "This isn't a valid ETH address. One character may be wrong: please copy the whole address from your wallet again.",
      ],
    ])
    assert.equal(fundAccountInput.safeParse({ ...account, type: 'other', preferred_currency: 'EUR' }).success, true)
  })
})

describe('networks of coins', () => {
  it('are read from the full code, not guessed', () => {
    assert.equal(networkOf('USDT.TRC20'), 'Tron (TRC-20)')
    assert.equal(networkOf('BTC'), 'Bitcoin')
    for (const unknown of ['USDT', 'USDT.NEW9', 'NOBODY', '']) assert.equal(networkOf(unknown), null)
  })
})

it('matches a full coin code to a wallet of that coin on the network of its address', () => {
  const onEthereum = { currency: 'USDT', address: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e' }
  for (const [code, fits] of [
    ['USDT.ERC20', true],
    ['USDT.BEP20', true],
    ['USDT.TRC20', false],
    ['USDT.SOL', false],
    ['USDC.ERC20', false],
    ['BTC', false],
  ] as const)
    assert.equal(fitsWallet(code, onEthereum), fits, code)
})
