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
const refetch = () => undefined
const accounts = { data: [account, { ...account, _id: 'a2', archived: true }], error: null, refetch }
const banks = {
  data: [{ _id: 'b1', bank_name: 'Banca Adriatica', account_holder: 'Amelia Hart', currency: 'usd' }],
  error: null,
  refetch,
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
    accounts: {
      options: [{ value: 'a1', label: '7001 \u00b7 MetaTrader 5 \u00b7 Live \u00b7 EUR \u00b7 1:100' }],
    },
    banks: { options: [{ value: 'b1', label: 'Banca Adriatica \u00b7 Amelia Hart \u00b7 USD' }] },
  })
  assert.equal(again, first)
})

type Asked = Parameters<typeof useShapedChoices>

function Once({ asked, onDrawn }: { asked: Asked; onDrawn: (own: OwnChoices) => void }) {
  onDrawn(useShapedChoices(...asked))
  return null
}

it('never takes accounts that could not be read for none', () => {
  const error = new Error('No answer.')
  const shapes = (...asked: Asked) => {
    const seen: OwnChoices[] = []
    renderToString(createElement(Once, { asked, onDrawn: (own) => seen.push(own) }))
    return seen[0]
  }
  // Read once, and not again since the connection was lost.
  assert.deepEqual(
    shapes({ ...accounts, error }, { ...banks, error })?.accounts.options?.map(({ value }) => value),
    ['a1'],
  )
  const unread = { data: undefined, error, refetch }
  assert.deepEqual(shapes(unread, { ...unread, error: null }), {
    accounts: { options: [], unread: { why: 'No answer.', again: refetch } },
    banks: { options: undefined },
  })
})
