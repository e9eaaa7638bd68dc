/** Checks adapter and simulator against two independent npm clients of CoinPayments. */

import assert from 'node:assert/strict'
import plain from 'node:http'
import secure, { type RequestOptions } from 'node:https'
import { parse, stringify } from 'node:querystring'
import { after, before, describe, it, mock } from 'node:test'
import { Coinpayments } from 'coinpayments'
import { getPrivateHeaders } from 'coinpayments/dist/internal.js'
import { verify } from 'coinpayments-ipn'
import { type CoinpaymentsSimulator, startCoinpaymentsSimulator } from '../../../simulators/coinpayments/simulator.ts'
import { connectWith } from '../../payments/connections/provider.ts'
import type { Http, HttpRequest } from '../contract.ts'
import { command, hmacOf } from './client.ts'

const keys = { merchantId: 'merchant-1', publicKey: 'public-1', privateKey: 'private-1', ipnSecret: 'ipn-secret-1' }
const adapter = connectWith({ config: { production: false } } as never, 'coinpayments', keys)

const order = { amount: 100, currency1: 'USD', currency2: 'LTCT', buyer_email: 'member@example.test' }

describe('the npm packages coinpayments and coinpayments-ipn', () => {
  let simulator: CoinpaymentsSimulator
  const client = (secret = keys.privateKey) => new Coinpayments({ key: keys.publicKey, secret })

  before(async () => {
    simulator = await startCoinpaymentsSimulator(keys)
    // The package hard-codes its host.
    mock.method(secure, 'request', (options: RequestOptions, listener: (answer: plain.IncomingMessage) => void) => {
      assert.equal(options.host, 'www.coinpayments.net')
      return plain.request({ ...options, protocol: 'http:', host: '127.0.0.1', port: simulator.port }, listener)
    })
  })
  after(async () => {
    mock.restoreAll()
    await simulator.stop()
  })

  it('create a transaction at the simulator and read its status', async () => {
    const { txn_id, address, amount } = await client().createTransaction({ ...order, custom: 'dep-1' } as never)
    assert.match(address, /^\S{20,}$/)
    const open = await client().getTx({ txid: txn_id })
    assert.deepEqual([open.status, open.coin, open.amountf], [0, 'LTCT', amount])
    simulator.set('dep-1', '100')
    assert.equal((await client().getTx({ txid: txn_id })).status, 100)
  })

  it('withdraw in coins and find the withdrawal by id and in the list', async () => {
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'
    const made = await client().createWithdrawal({ amount: 1.5, currency: 'ETH', address, note: 'wd-1' } as never)
    assert.equal(made.amount, '1.50000000')
    assert.equal((await client().getWithdrawalInfo({ id: made.id })).amountf, '1.50000000')
    const listed = await client().getWithdrawalHistory({ limit: 10 } as never)
    assert.deepEqual(
      listed.map(({ id }) => id),
      [made.id],
    )
  })

  it('read rates and the account, and are refused with another secret', async () => {
    assert.equal((await client().rates()).BTC?.rate_btc, '1.00000000')
    assert.equal((await client().getBasicInfo()).merchant_id, keys.merchantId)
    await assert.rejects(client('another').getBasicInfo(), /HMAC signature does not match/)
  })

  it('sign a call exactly as the adapter does', async () => {
    const sent: HttpRequest[] = []
    const http: Http = async (request) => {
      sent.push(request)
      return { status: 200, text: '{"error":"ok","result":{}}', headers: {} } as never
    }
    await command(http, { ...keys, baseUrl: 'https://www.coinpayments.net' }, 'get_tx_info', {
      fields: { txid: 'CP1' },
    })
    const [call] = sent
    const fields = { ...parse(call?.body ?? '') } as Record<string, string>
    const { HMAC } = getPrivateHeaders({ key: keys.publicKey, secret: keys.privateKey }, fields as never)
    assert.equal(call?.headers?.hmac, HMAC)
    assert.equal(call?.url, 'https://www.coinpayments.net/api.php')
  })

  const verdict = (body: string, hmac: string): string => {
    const read = adapter.readWebhookEvent({ method: 'POST', query: '', headers: { hmac }, body: Buffer.from(body) })
    return read.isGenuine ? 'genuine' : read.why
  }

  it('accept a webhook event of the simulator and refuse an altered one, like the adapter', async () => {
    await client().createTransaction({ ...order, custom: 'dep-2', buyer_name: 'Jane Doe' } as never)
    simulator.set('dep-2', '100')
    const { body, headers } = simulator.messageFor('dep-2')
    const hmac = headers?.HMAC ?? ''
    const fields = { ...parse(body) } as Record<string, string>
    assert.equal(verify(hmac, keys.ipnSecret, fields), true)
    assert.equal(verdict(body, hmac), 'genuine')
    assert.equal(verify(hmac, keys.ipnSecret, { ...fields, amount1: '900' }), false)
    assert.equal(verdict(body.replace('amount1=100', 'amount1=900'), hmac), 'wrong_signature')
  })

  it('agree with the adapter about a message built by the package', () => {
    const fields = {
      ...{ ipn_version: '1.0', ipn_type: 'api', ipn_mode: 'hmac', ipn_id: 'n1', merchant: keys.merchantId },
      ...{ txn_id: 'CP1', status: '100', status_text: 'Complete', currency1: 'USD', currency2: 'LTCT', amount1: '100' },
      ...{ amount2: '0.5', buyer_name: 'Jane Doe', email: 'member@example.test', custom: 'dep-3' },
      ...{ received_amount: '0.5', received_confirms: '3' },
    }
    // PHP encodes blanks as `+`.
    const body = stringify(fields).replace(/%20/g, '+')
    for (const secret of [keys.ipnSecret, 'another']) {
      const hmac = hmacOf(body, secret)
      assert.equal(verify(hmac, keys.ipnSecret, fields), verdict(body, hmac) === 'genuine', secret)
    }
    assert.equal(verify(hmacOf(body, keys.ipnSecret), keys.ipnSecret, fields), true)
  })
})
