// spec: AO 3, AO 9
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryLabel, fromSeconds, levelsOf, lots, sideLabel, stateMeaning, tradeName } from './trade-labels.ts'

test('hides the platform’s prefix', () => {
  assert.equal(sideLabel('OP_BUY'), 'BUY')
  assert.equal(sideLabel('OP_SELL'), 'SELL')
  assert.equal(sideLabel('SELL'), 'SELL')
})

test('divides volumes by 100', () => {
  assert.deepEqual(
    [105, 1, 30, 100_000].map((volume) => lots(volume, 'en')),
    ['1.05', '0.01', '0.30', '1,000.00'],
  )
})

test('shows in or out if the platform reports it', () => {
  assert.deepEqual([0, 1, 2, 3, null, undefined].map(entryLabel), ['In', 'Out', 'Out', 'Out', null, null])
})

test('reads stop loss and take profit from the platform’s own fields', () => {
  const trade = { sl: '1.1', tp: '1.2', price_sl: '1.3', price_tp: null }
  assert.deepEqual(levelsOf(trade, 'mt5'), { sl: '1.3', tp: null })
  assert.deepEqual(levelsOf(trade, 'mt4'), { sl: '1.1', tp: '1.2' })
})

test('converts the seconds of the wire', () => {
  assert.equal(fromSeconds(1_763_733_900), 1_763_733_900_000)
})

test('colours a state by its meaning', () => {
  assert.deepEqual(['Filled', 'Closed', 'Rejected', 'Expired', 'Request add'].map(stateMeaning), [
    'green',
    'green',
    'red',
    'grey',
    'blue',
  ])
})

test('names a trade by side, volume, symbol and direction', () => {
  const trade = { cmd: 'OP_SELL', volume: 105, symbol: 'EURUSD' }
  assert.equal(tradeName({ ...trade, entry: 0 }, String), 'SELL 1.05 EURUSD (In)')
  assert.equal(tradeName({ ...trade, entry: null }, String), 'SELL 1.05 EURUSD')
})
