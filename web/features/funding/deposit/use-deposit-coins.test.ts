import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { hookUnderTest } from '../../../hook-under-test.ts'
import { openPage } from '../../../page-under-test.ts'
import { queryClient } from '../../../ui/lists/query-client.ts'
import '../../../ui/text/i18n.ts'
import { useDepositCoins } from './use-deposit-coins.ts'

let closePage: () => void
let field: ReturnType<typeof useDepositCoins>
let isBroken = true

const { show, until, close } = hookUnderTest(
  () => useDepositCoins('coinpayments', 'Please choose a coin.'),
  (shown) => (field = shown),
)
const coin = { code: 'LTCT', name: 'Litecoin Testnet', image_url: '/coin.svg', network: null }
const serve = async () =>
  isBroken
    ? Response.json({ code: 'not_permitted', error: texts.requestFailed }, { status: 403 })
    : Response.json({ status: 'ok', coins: [coin] })

beforeEach(() => {
  isBroken = true
  closePage = openPage(serve)
  show()
})
afterEach(() => {
  close()
  queryClient.clear()
  closePage()
})

it('a list of coins that did not load says so, and loads when the field is opened again', async () => {
  await until(() => !field.isLoading)
  assert.deepEqual([field.coins, field.error], [[], texts.requestFailed])
  isBroken = false
  field.onDropdownOpen()
  await until(() => field.coins.length > 0)
  assert.deepEqual([field.coins[0]?.code, field.error], ['LTCT', 'Please choose a coin.'])
})
