// spec: AO 3
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { connectWith } from '../payments/connections/provider.ts'
import { readForm } from './messages.ts'

const context = { config: { production: false, platformNetworks: [] } } as never

/** Messages of providers that sign the fields of a form, with the settings that verify them. */
const messages = {
  skrill: {
    settings: {
      payToEmail: 'merchant@example.com',
      merchantId: '100005',
      secretWord: 'skrill',
      apiPassword: 'skrill123',
    },
    fields: {
      mb_transaction_id: '200042',
      pay_to_email: 'merchant@example.com',
      merchant_id: '100005',
      transaction_id: 'dep_01',
      mb_amount: '25.46',
      mb_currency: 'EUR',
      md5sig: '4225567E74F4B0F20FAA8068D5335F72',
      status: '2',
    },
  },
  safecharge: {
    settings: { merchantId: '1000000001', siteId: '200001', secretKey: 'SecretDemo' },
    fields: {
      PPP_TransactionID: '7001',
      totalAmount: '100.00',
      currency: 'USD',
      responseTimeStamp: '2024-07-01.11:05:00',
      merchant_unique_id: 'dep-0123456789',
      transactionType: 'Sale',
      advanceResponseChecksum: 'e3e6043d692d30fc3eb95ae11b81e48f84eeaa9bd2b8222e637eda3473f815cb',
      Status: 'APPROVED',
    },
  },
}

describe('a form in a webhook event', () => {
  for (const [uid, { settings, fields }] of Object.entries(messages)) {
    const read = (body: string) => {
      const raw = { method: 'POST', query: '', headers: {}, body: Buffer.from(body) }
      const reading = connectWith(context, uid, settings).readWebhookEvent(raw)
      return reading.isGenuine ? 'genuine' : reading.why
    }
    const form = new URLSearchParams(fields).toString()

    it(`is read with a byte order mark and a line end, from ${uid}`, () => {
      for (const text of [form, `\ufeff${form}`, `${form}\r\n`, `\ufeff${form}\n`])
        assert.equal(read(text), 'unverified', JSON.stringify(text))
    })

    it(`is refused with a mark or a line end elsewhere, from ${uid}`, () => {
      for (const text of [`\ufeff\ufeff${form}`, `${form}%0A`, form.replace('&', '&\ufeff')])
        assert.notEqual(read(text), 'unverified', JSON.stringify(text))
    })
  }

  /** A search in quadratic time takes seconds for each of them, and so exceeds the limit of the runner. */
  it('is read in linear time whatever line ends it has', () => {
    const text = `a=1${'\n'.repeat(60_000)}b`
    for (let at = 0; at < 100; at += 1) assert.equal(readForm(text)?.get('a')?.length, 60_002)
  })

  it('has every name once', () => {
    assert.deepEqual(
      [...(readForm('a=1&b=') ?? [])],
      [
        ['a', '1'],
        ['b', ''],
      ],
    )
    assert.equal(readForm('a=1&a=1'), null)
  })
})
