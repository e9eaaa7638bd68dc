import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createElement, useState } from 'react'
import { renderToString } from 'react-dom/server'
import '../../ui/text/i18n.ts'
import type { OwnChoices } from './own-choices.ts'
import { useShapedChoices } from './shaped-choices.ts'

const account = {
  _id: 'a1',
  platform_login: '7001',
  live_account: true,
  currency: 'EUR',
  leverage: 100,
  trading_platform: { name: 'MetaTrader 5' },
  deleted: false,
  archived: false,
}
const accounts = { data: [account, { ...account, _id: 'a2', archived: true }], error: null }
const banks = {
  data: [{ _id: 'b1', bank_name: 'Banca Adriatica', account_holder: 'Amelia Hart', currency: 'usd' }],
  error: null,
}

/** A form that re-renders for unrelated changes. */
function Form({ onDrawn }: { onDrawn: (own: OwnChoices) => void }) {
  const [isAgain, setAgain] = useState(false)
  // Like a query result: a new object each time with the same data.
  onDrawn(useShapedChoices({ ...accounts }, { ...banks }))
  if (!isAgain) setAgain(true)
  return null
}

it('keeps its identity while the data is unchanged, so that no field re-renders', () => {
  const seen: OwnChoices[] = []
  renderToString(createElement(Form, { onDrawn: (own) => seen.push(own) }))
  const [first, again] = seen
  assert.deepEqual(first, {
    accounts: [{ value: 'a1', label: '7001 \u00b7 MetaTrader 5 \u00b7 Live \u00b7 EUR \u00b7 1:100' }],
    banks: [{ value: 'b1', label: 'Banca Adriatica \u00b7 Amelia Hart \u00b7 USD' }],
  })
  assert.equal(again, first)
})
