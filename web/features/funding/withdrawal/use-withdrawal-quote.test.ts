// spec: AO 2.4
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { openPage } from '../../../page-under-test.ts'
import { quoteQuery } from './use-withdrawal-quote.ts'

type Kept = Awaited<ReturnType<NonNullable<Exclude<ReturnType<typeof quoteQuery>['queryFn'], symbol>>>>

it('shows no amount of the account before while the quote of another one loads', () => {
  const closePage = openPage(() => new Promise(() => undefined))
  const client = new QueryClient()
  const [first, second] = [{ trading_account: 'first' }, { trading_account: 'second' }]
  const shown = { quote: { currency: 'USD', available: '5000.00' }, asked: first } as Kept
  client.setQueryData(quoteQuery(first, { id: 'first' }).queryKey, shown)
  const observer = new QueryObserver(client, quoteQuery(first, { id: 'first' }))
  const stop = observer.subscribe(() => undefined)
  const available = () => {
    const { quote, latest } = observer.getCurrentResult().data ?? {}
    return [quote?.available, latest?.available]
  }
  assert.deepEqual(available(), ['5000.00', '5000.00'])
  // The account has changed, and the question follows after a pause in typing.
  observer.setOptions(quoteQuery(first, { id: 'second' }))
  assert.deepEqual(available(), [undefined, '5000.00'])
  observer.setOptions(quoteQuery(second, { id: 'second' }))
  assert.deepEqual(available(), [undefined, '5000.00'])
  stop()
  client.clear()
  closePage()
})

it('shows no fee and no payout of another amount while the quote of the typed one loads', () => {
  const asked = { trading_account: 'first', amount: '1000', destination: 'bank_account' }
  const quote = { available: '5000.00', net: '990.00', fee: '10.00', fee_fixed: '0.00', fee_percent: '1' }
  const shownFor = (typed: object) => {
    const { select } = quoteQuery(asked, { id: 'first' }, { ...asked, ...typed })
    const shown = select?.({ quote, asked } as Kept).quote
    return [shown?.available, shown?.net, shown?.fee, shown?.fee_fixed, shown?.fee_percent]
  }
  assert.deepEqual(shownFor({}), ['5000.00', '990.00', '10.00', '0.00', '1'])
  for (const typed of [{ amount: '100' }, { amount: '' }])
    assert.deepEqual(shownFor(typed), ['5000.00', null, null, '0.00', '1'])
  // Each kind of destination has rates of its own.
  assert.deepEqual(shownFor({ destination: 'psp:skrill' }), ['5000.00', null, null, null, null])
})
