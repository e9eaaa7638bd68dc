import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { readPdf } from '../../tests/fixtures/pdf-text.ts'
import { drawStatement } from './pdf.ts'
import type { Statement } from './statement.ts'

type Named = { brand?: string; holder?: string; platform?: string }

async function textOf({ brand = 'Harbour Markets', holder = 'Mara Hart', platform = 'MetaTrader 5' }: Named) {
  const statement: Statement = {
    brand: { name: brand, accent: '#1f6feb' },
    holder: { name: holder, number: '10042' },
    account: { login: '700123', platform, currency: 'USD', isLive: true },
    month: '2026-10',
    period: { from: new Date(Date.UTC(2026, 9, 1)), to: new Date(Date.UTC(2026, 10, 1)) },
    timeZone: 'UTC',
    until: null,
    ...{ opening: '0.00', paidIn: '10.00', paidOut: '0.00', traded: '0.00', closing: '10.00' },
    lines: [],
    differs: null,
    writtenAt: new Date(Date.UTC(2026, 10, 2)),
  }
  return readPdf(await buffer(drawStatement(statement))).text.split('\n')
}

describe('the head of a statement', () => {
  it('has names of any length whole, on several lines', async () => {
    const long = {
      brand: 'Harbour Markets International Brokerage and Asset Management Services (Cyprus) Limited',
      holder: `${'Maximiliana Wilhelmina '.repeat(5)}de los \u00c1ngeles ${'Fern\u00e1ndez-Villaverde y '.repeat(4)}Guti\u00e9rrez`,
      platform:
        'The live trading platform of the members in all countries of the European Economic Area and of Switzerland',
    }
    const whole = (await textOf(long)).join(' ')
    for (const name of [long.brand, long.holder, `${long.platform} \u00b7 Live`])
      assert.ok(whole.includes(name), `${name} in ${whole.slice(0, 900)}`)
    assert.ok((await textOf(long)).includes('10042'))
  })

  it('breaks a long name of a script without blanks', async () => {
    const holder = '\u5c71\u7530'.repeat(60)
    assert.ok((await textOf({ holder })).join('').includes(holder))
  })

  it('has the words of a right-to-left name in their order, with the blanks between them', async () => {
    const holder = '\u05d3\u05d5\u05d3 \u05db\u05d4\u05df \u05dc\u05d5\u05d9'
    // As drawn, from left to right.
    assert.ok((await textOf({ holder })).join('').includes([...holder].reverse().join('')))
  })
})
