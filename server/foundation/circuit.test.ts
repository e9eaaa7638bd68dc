import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeTime } from '../../tests/fixtures/trading/trading-platforms.ts'
import { openCircuit } from './circuit.ts'

const hourMs = 3_600_000

test('a circuit without a probe pauses, and a clock that is set back does not prolong the pause', () => {
  const time = fakeTime(Date.parse('2026-07-14T09:30:00Z'))
  const pauses = { firstMs: 1_000, maxMs: 60_000 }
  const circuit = openCircuit({ pauses, failuresBeforeOpening: 1, whenOpened: () => undefined }, time)
  circuit.failed()
  time.sleep(700)
  assert.equal(circuit.isOpen(), true)
  time.sleep(300)
  assert.equal(circuit.isOpen(), false)
  circuit.failed()
  assert.equal(circuit.isOpen(), true)
  time.sleep(-2 * hourMs)
  assert.equal(circuit.isOpen(), false)
})
