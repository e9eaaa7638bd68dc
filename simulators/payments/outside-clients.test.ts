/** Requests of other clients that differ from ours: written from their code, not from our adapters. */

import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { startCoinpaymentsSimulator } from '../coinpayments/simulator.ts'
import { startNganluongSimulator } from '../nganluong/simulator.ts'
import { startSkrillSimulator } from '../skrill/simulator.ts'
import { startZotaSimulator } from '../zotapay/simulator.ts'

const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex')

async function withOne<Simulator extends { stop(): Promise<void> }>(
  starting: Promise<Simulator>,
  work: (simulator: Simulator) => Promise<void>,
): Promise<void> {
  const simulator = await starting
  try {
    await work(simulator)
  } finally {
    await simulator.stop()
  }
}

type Fields = Record<string, string>
const post = async (url: string, body: string, headers: Fields = {}) => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(url, { method: 'POST', body, headers: { ...type, ...headers } })
  return { status: answer.status, text: await answer.text() }
}
const form = (fields: Fields): string => new URLSearchParams(fields).toString()

describe('zota: requests of the vendor’s SDK', () => {
  const options = {
    ...{
      merchantId: 'M1',
      secretKey: 'zota-secret',
      endpoints: { '402334': 'USD' },
      payoutEndpoints: { '503368': 'USD' },
    },
  }
  const person = {
    ...{ merchantOrderDesc: 'Order', orderAmount: '100.00', orderCurrency: 'USD', customerEmail: 'lock@example.com' },
    ...{
      customerFirstName: 'John',
      customerLastName: 'Lock',
      customerPhone: '+1 420-100-1000',
      customerIP: '127.0.0.1',
    },
  }
  const ask = async (url: string, body: Fields): Promise<{ code: string; data?: Fields }> => {
    const { text } = await post(url, JSON.stringify(body), { 'content-type': 'application/json' })
    return JSON.parse(text)
  }

  it('accepts a deposit at its address with and without a trailing slash', () =>
    withOne(startZotaSimulator(options), async ({ url }) => {
      for (const [at, merchantOrderID] of [
        ['/', 'one'],
        ['', 'two'],
      ] as const) {
        const body = {
          ...{ ...person, merchantOrderID, customerAddress: 'Road', customerCountryCode: 'TH', customerCity: 'Town' },
          ...{ customerZipCode: '84280', redirectUrl: 'https://p.example/', checkoutUrl: 'https://p.example/' },
          signature: hash('sha256', `402334${merchantOrderID}100.00lock@example.comzota-secret`),
        }
        assert.equal((await ask(`${url}/api/v1/deposit/request/402334${at}`, body)).code, '200', at)
      }
    }))

  it('accepts a payout without a country, and with every field of a bank', () =>
    withOne(startZotaSimulator(options), async ({ url }) => {
      const body = {
        ...{ ...person, merchantOrderID: 'three', customerBankCode: 'BBL', customerBankAccountNumber: '100200' },
        ...{ customerBankAccountName: 'John Doe', customerBankBranch: 'Bank Branch', customerBankZipCode: '84280' },
        ...{ customerBankAddress: 'Thong Nai Pan Noi Beach', customerBankRoutingNumber: '000' },
        ...{ customerBankProvince: 'Bank Province', customerBankArea: 'Bank Area / City' },
        signature: hash('sha256', '503368three100.00lock@example.com100200zota-secret'),
      }
      const { code, data } = await ask(`${url}/api/v1/payout/request/503368/`, body)
      assert.deepEqual([code, data?.merchantOrderID], ['200', 'three'])
    }))
})

describe('coinpayments: requests of other clients', () => {
  it('withdraws an amount in coins without a second currency', () =>
    withOne(
      startCoinpaymentsSimulator({ merchantId: 'M', publicKey: 'public', privateKey: 'private', ipnSecret: 'ipn' }),
      async ({ url }) => {
        const call = async (fields: Fields) => {
          const body = form({ version: '1', key: 'public', format: 'json', ...fields })
          const hmac = createHmac('sha512', 'private').update(body).digest('hex')
          return JSON.parse((await post(`${url}/api.php`, body, { hmac })).text).result as Fields
        }
        const address = '0x52908400098527886E0F7030069857D2E4169EE7'
        const made = await call({
          cmd: 'create_withdrawal',
          amount: '1.5',
          currency: 'ETH',
          address,
          auto_confirm: '1',
        })
        assert.equal(made.amount, '1.50000000')
        assert.equal((await call({ cmd: 'get_withdrawal_info', id: made.id ?? '' })).amountf, '1.50000000')
      },
    ))
})

describe('nganluong: requests of other clients', () => {
  const merchant = { merchantId: '45434', password: 'connection-1', receiverEmail: 'shop@example.com' }
  const login = { merchant_id: '45434', merchant_password: hash('md5', 'connection-1') }
  const order = {
    ...{ ...login, version: '3.1', function: 'SetExpressCheckout', receiver_email: 'shop@example.com' },
    ...{ order_code: 'order-1', total_amount: '90000', payment_method: 'ATM_ONLINE', bank_code: 'BAB' },
    ...{ return_url: 'https://p.example/back', buyer_fullname: 'Nguyen', buyer_email: 'n@example.com' },
    buyer_mobile: '0948231723',
  }
  const textIn = (xml: string, name: string): string | undefined =>
    new RegExp(`<${name}>\\s*([^<]*?)\\s*</${name}>`).exec(xml)?.[1]

  it('creates an order without a webhook address, from a form or a query', () =>
    withOne(startNganluongSimulator(merchant), async ({ settings }) => {
      const byForm = await post(settings.createUrl, form(order))
      assert.equal(textIn(byForm.text, 'error_code'), '00')
      const byAddress = await post(`${settings.createUrl}?${form({ ...order, order_code: 'order-2' })}`, '')
      assert.equal(textIn(byAddress.text, 'error_code'), '00')
    }))

  it('returns the state of a token by GetTransactionDetail', () =>
    withOne(startNganluongSimulator(merchant), async ({ settings, set }) => {
      const token = textIn((await post(settings.createUrl, form(order))).text, 'token') ?? ''
      const ask = async (of: string) =>
        (await post(settings.createUrl, form({ ...login, function: 'GetTransactionDetail', token: of }))).text
      assert.equal(textIn(await ask(token), 'error_code'), '81')
      set('order-1', '00')
      const paid = await ask(token)
      const names = ['error_code', 'transaction_status', 'order_code', 'total_amount', 'receiver_email', 'token']
      assert.deepEqual(
        names.map((name) => textIn(paid, name)),
        ['00', '00', 'order-1', '90000', 'shop@example.com', token],
      )
      assert.equal(textIn(await ask('nobody'), 'error_code'), '29')
    }))

  it('describes every error, in both formats of its answers', () =>
    withOne(startNganluongSimulator(merchant), async ({ settings }) => {
      const wrong = await post(settings.createUrl, form({ ...order, merchant_password: 'wrong' }))
      assert.equal(textIn(wrong.text, 'description'), 'Wrong merchant password')
      const check = await post(settings.checkUrl, form({ merchant_id: '45434', token: 'nobody', checksum: 'wrong' }))
      assert.equal(JSON.parse(check.text).description, 'Sent data is not in the right format')
    }))
})

describe('skrill: requests of other clients', () => {
  it('returns the account history as CSV after the usual first line', () =>
    withOne(
      startSkrillSimulator({ payToEmail: 'm@example.com', merchantId: '1', secretWord: 'word', apiPassword: 'mqi-1' }),
      async ({ url, settings, set }) => {
        const paid = { pay_to_email: 'm@example.com', amount: '23.5', currency: 'EUR', transaction_id: 'dep-1' }
        await post(
          url,
          form({ ...paid, status_url: 'http://127.0.0.1:1/', prepare_only: '1', pay_from_email: 'a@b.example' }),
        )
        set('dep-1', '2')
        const ask = async (fields: Fields) =>
          (await post(settings.queryUrl, form({ email: 'm@example.com', password: hash('md5', 'mqi-1'), ...fields })))
            .text
        const [head, columns, row] = (await ask({ action: 'history', start_date: '01-01-2020' })).split('\n')
        assert.match(head ?? '', /^200\t\tOK$/)
        assert.match(columns ?? '', /^"ID","Time","Type","Transaction Details","\[-\]","\[\+\]","Status"/)
        assert.match(
          row ?? '',
          /^"\d+","[\d-]+ [\d:]+","Receive Money","from a@b\.example","","23\.5","processed","","dep-1"/,
        )
        assert.match(await ask({ action: 'history' }), /^404\t/)
        assert.match(await ask({ action: 'history', start_date: '2020-01-01' }), /^405\t/)
      },
    ))
})
