import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { connectWith } from '../../payments/connections/provider.ts'
import type { RawWebhookEvent } from '../contract.ts'
import { findAdapter } from '../registry.ts'
import { hmacOf } from './client.ts'
import { coinAmount, coinsIn, failureOf, reportOfAnswer, startedOf, stateOf } from './translate.ts'

const ipn =
  'ipn_version=1.0&ipn_type=api&ipn_mode=hmac&ipn_id=ipn0001&merchant=merchdemo&txn_id=CPDEMO0001&status=100&status_text=Complete&currency1=USD&currency2=LTCT&amount1=100&amount2=0.5&fee=0.0025&buyer_name=Jane+Doe&email=member%40example.test&custom=dep_01&received_amount=0.5&received_confirms=3'
const ipnHmac =
  '2c912d6172c876919d6ea79db13dec5e9477522876af03231911b7234a2e93bc9e254e2af83bf06b7dbc7e0b2beed6113c5e39cfba0d9793438b7e58a41ea05f'

const settings = {
  merchantId: 'merchdemo',
  publicKey: 'pub-key',
  privateKey: 'priv-key-demo',
  ipnSecret: 'ipn-secret-demo',
}
const provider = connectWith({ config: { production: false, platformNetworks: [] } } as never, 'coinpayments', settings)

const raw = (body: string, hmac: string | null = hmacOf(body, settings.ipnSecret)): RawWebhookEvent => ({
  method: 'POST',
  query: '',
  headers: hmac === null ? {} : { hmac },
  body: Buffer.from(body),
})
const verdictOf = (given: RawWebhookEvent): string => {
  const read = provider.readWebhookEvent(given)
  return read.isGenuine ? 'genuine' : read.why
}

describe('CoinPayments translation', () => {
  it('cp.request.public-1: signs the body', () =>
    assert.equal(
      hmacOf('cmd=very-cmd', 'very-secret'),
      'f14e4857c0ca3445c6532f6ae1f71e81090f8cb2da142f8d02fa4029870f407f9547643b64115dc11483bcca6be3037398e0cd6126228639664b6d23fe93e607',
    ))

  it('cp.request.2: signs a whole command', () =>
    assert.equal(
      hmacOf(
        'version=1&format=json&key=pub-key-demo&cmd=create_transaction&amount=100.00&currency1=USD&currency2=LTCT&buyer_email=member%40example.test&custom=dep_01',
        'priv-key-demo',
      ),
      '6890dc4db6167f9d698896196d1d62b3255c5a6e927eaf29d3fb689dbf8efd1d9d1533ec1113ffa63266508f01e5a17faf3c910e478a840732419303db0cd435',
    ))

  it('cp.ipn.1: accepts exactly the signed bytes', () => {
    const read = provider.readWebhookEvent(raw(ipn, ipnHmac))
    assert.ok(read.isGenuine)
    const { attempt, reference, state, amount, currency, coin } = read.reported
    assert.deepEqual([attempt, reference, state, amount, currency], ['dep_01', 'CPDEMO0001', 'paid', '100', 'USD'])
    assert.deepEqual(coin, { code: 'LTCT', asked: '0.50000000', received: '0.50000000' })
    assert.equal(verdictOf(raw(ipn, ipnHmac.toUpperCase())), 'genuine')
    // The same fields with blanks encoded as %20.
    assert.equal(verdictOf(raw(ipn.replace('Jane+Doe', 'Jane%20Doe'), ipnHmac)), 'wrong_signature')
    assert.equal(verdictOf(raw(ipn.replace('amount1=100', 'amount1=900'), ipnHmac)), 'wrong_signature')
    for (const hmac of ['', null]) assert.equal(verdictOf(raw(ipn, hmac)), 'unsigned')
    for (const hmac of [ipnHmac.slice(1), 'f'.repeat(128), hmacOf(ipn, ''), hmacOf(ipn, settings.privateKey)])
      assert.equal(verdictOf(raw(ipn, hmac)), 'wrong_signature')
  })

  it('refuses another merchant, another mode and another method', () => {
    assert.equal(verdictOf(raw(ipn.replace('merchant=merchdemo', 'merchant=another'))), 'another_merchant')
    assert.equal(verdictOf(raw(ipn.replace('&merchant=merchdemo', ''))), 'another_merchant')
    assert.equal(verdictOf(raw(ipn.replace('ipn_mode=hmac', 'ipn_mode=httpauth'))), 'unsigned')
    assert.equal(verdictOf({ ...raw(ipn), method: 'GET' }), 'unreadable')
    assert.equal(verdictOf(raw('')), 'unreadable')
  })

  it('does not read a payer’s own form input as one of our orders', () => {
    const read = provider.readWebhookEvent(raw(ipn.replace('ipn_type=api', 'ipn_type=simple')))
    assert.ok(read.isGenuine)
    assert.equal(read.reported.attempt, null)
  })

  it('counts only completed payments as paid', () => {
    for (const word of ['2', '100', '101']) assert.equal(stateOf(word, true), 'paid', word)
    for (const word of ['1', '3', '99', '0']) assert.equal(stateOf(word, true), 'pending', word)
    assert.equal(stateOf('0', false), 'unpaid')
    assert.equal(stateOf('-1', false), 'declined')
    assert.equal(stateOf('-1', true), 'returned')
    assert.equal(stateOf('-2', true), 'returned')
    for (const word of ['', '1e2', '100.0', ' 100', 'Complete', '99999']) assert.equal(stateOf(word, true), 'unclear')
  })

  it('keeps amounts exact to eight decimals', () => {
    assert.equal(coinAmount('0.1'), '0.10000000')
    assert.equal(coinAmount(0.00000001), '0.00000001')
    assert.equal(coinAmount('21000000.12345678'), '21000000.12345678')
    for (const wrong of ['1e3', '0x10', '-1', '0.123456789', '', null, ['1'], Number.NaN, -1])
      assert.equal(coinAmount(wrong), null)
  })

  it('reads small amounts as PHP writes them in JSON', async () => {
    for (const said of ['5.0e-5', '5.0E-5', '5e-5', 0.00005, '0.00005']) assert.equal(coinAmount(said), '0.00005000')
    assert.equal(coinAmount('1.2345e-4'), '0.00012345')
    for (const wrong of ['5e5', '1.0e15', '5.0e-9', '50e-5', 'e-5', '-5.0e-5'])
      assert.equal(coinAmount(wrong), null, wrong)
    const answering = (result: string) =>
      findAdapter('coinpayments')?.connect(settings, async () => ({
        status: 200,
        text: `{"error":"ok","result":${result}}`,
      })) ?? assert.fail()
    const order = { attempt: 'dep_01', reference: 'CP1', at: new Date(0) }
    const reported = (answer: string) => answering(`{"coin":"BTC",${answer}}`).readStatus?.(order)
    const paid = await reported('"status":100,"amountf":5.0e-5,"receivedf":5.0e-5')
    assert.deepEqual(paid?.coin, { code: 'BTC', asked: '0.00005000', received: '0.00005000' })
    // The coins arrived and the payment ended: they are with the provider, or on their way back.
    assert.equal((await reported('"status":-1,"amountf":9.0e-5,"receivedf":5.0e-5'))?.state, 'returned')
    assert.equal((await reported('"status":-1,"amountf":9.0e-5,"receivedf":0.123456789'))?.state, 'returned')
    assert.equal((await reported('"status":-1,"amountf":9.0e-5,"receivedf":0.0'))?.state, 'declined')
    const wd = { ...order, attempt: 'wd_01', reference: 'CW1', sentAt: null }
    const sent = await answering('{"status":2,"coin":"BTC","amountf":5.0e-5}').readPayout?.(wd)
    assert.deepEqual([sent?.state, sent?.coin?.received], ['paid', '0.00005000'])
  })

  it('returns an address only when the answer is complete', () => {
    const answer = { amount: '0.5', txn_id: 'CP1', address: 'mzBc4XEFSdzCDcTxAgf6EZXgsZWpztRhef', timeout: 5400 }
    assert.deepEqual(startedOf(answer, 'LTCT'), {
      redirect: { kind: 'address', address: answer.address, tag: null, coin: 'LTCT', amount: '0.50000000', page: null },
      reference: 'CP1',
      lifeSeconds: 5400,
    })
    const wrong = [{ amount: '0' }, { txn_id: '' }, { address: '' }, { address: 'a b c d e f g' }, { dest_tag: 'a b' }]
    for (const change of wrong) assert.equal(startedOf({ ...answer, ...change }, 'LTCT'), null, JSON.stringify(change))
    for (const no of [null, [], 'ok', 7]) assert.equal(startedOf(no, 'LTCT'), null)
  })

  it('lists coins that are enabled and online, without fiat currencies', () => {
    const rate = { is_fiat: 0, accepted: 1, status: 'online', name: 'Litecoin', capabilities: ['payments'] }
    const taken = coinsIn({
      LTC: rate,
      USD: { ...rate, is_fiat: 1 },
      BCH: { ...rate, status: 'maintenance' },
      DOGE: { ...rate, accepted: 0 },
      XMR: { ...rate, capabilities: ['wallet'] },
      'no code': rate,
      BTC: { is_fiat: '0', accepted: '1', status: 'online', name: 'Bitcoin' },
    })
    assert.deepEqual(taken, [
      { code: 'BTC', name: 'Bitcoin' },
      { code: 'LTC', name: 'Litecoin' },
    ])
  })

  it('offers and starts the worthless test coin only where it is accepted', async () => {
    const rate = { is_fiat: 0, accepted: 1, status: 'online', name: 'Litecoin' }
    const started = { amount: '0.5', txn_id: 'CP1', address: 'mzBc4XEFSdzCDcTxAgf6EZXgsZWpztRhef' }
    const connected = (more: Record<string, string>) =>
      findAdapter('coinpayments')?.connect({ ...settings, ...more }, async ({ body = '' }) => {
        const result = body.includes('cmd=rates') ? { BTC: rate, LTCT: rate } : started
        return { status: 200, text: JSON.stringify({ error: 'ok', result }) }
      }) ?? assert.fail()
    const codes = async (more: Record<string, string>) => (await connected(more).readCoins?.())?.map(({ code }) => code)
    assert.deepEqual(await codes({}), ['BTC'])
    assert.deepEqual(await codes({ testCoin: 'accepted' }), ['BTC', 'LTCT'])
    const payer = { email: 'mara@example.com', firstName: 'Mara', lastName: 'Member', id: 'member-1' }
    const order = {
      attempt: 'dep_01',
      amount: '100.00',
      currency: 'USD',
      coin: 'LTCT',
      payer,
      urls: {},
      description: '',
    }
    await assert.rejects(connected({}).start(order as never), { failure: 'declined' })
    await connected({}).start({ ...order, coin: 'BTC' } as never)
    await connected({ testCoin: 'accepted' }).start(order as never)
  })

  it('reports only coins when queried', () => {
    const answer = {
      status: 100,
      status_text: 'Complete',
      coin: 'LTCT',
      amount: 50_000_000,
      amountf: '0.50000000',
      receivedf: '0.5',
    }
    const report = reportOfAnswer(answer, { attempt: 'dep_01', reference: 'CP1' })
    assert.deepEqual([report?.state, report?.amount, report?.currency], ['paid', null, null])
    assert.deepEqual(report?.coin, { code: 'LTCT', asked: '0.50000000', received: '0.50000000' })
    assert.equal(reportOfAnswer([], { attempt: 'dep_01', reference: 'CP1' }), null)
  })

  it('separates misconfiguration from errors that the member may retry', () => {
    assert.equal(failureOf('HMAC signature does not match'), 'misconfigured')
    assert.equal(failureOf('This API Key does not have permission to use that command!'), 'misconfigured')
    assert.equal(failureOf('Rate limit reached'), 'unavailable')
    assert.equal(failureOf('Amount too small'), 'declined')
  })
})
