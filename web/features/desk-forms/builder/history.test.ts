// spec: DK forms
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { beginHistory, redo, remember, undo } from './history.ts'

it('undoes and redoes changes step by step', () => {
  const three = remember(remember(beginHistory('a'), 'b'), 'c')
  const back = undo(undo(three))
  assert.equal(back.now, 'a')
  assert.equal(undo(back), back)
  assert.equal(redo(back).now, 'b')
  assert.equal(redo(redo(back)).now, 'c')
  assert.equal(redo(three), three)
})

it('discards undone changes after a new one', () => {
  const other = remember(undo(remember(beginHistory('a'), 'b')), 'x')
  assert.equal(redo(other), other)
  assert.equal(undo(other).now, 'a')
})

it('merges typing in one place into one step', () => {
  const typed = ['b', 'bc', 'bcd'].reduce((history, next) => remember(history, next, 'name'), beginHistory('a'))
  assert.equal(undo(typed).now, 'a')
  assert.equal(undo(remember(typed, 'x', 'help')).now, 'bcd')
  // After an undo, the same mark starts a new step.
  assert.equal(undo(remember(undo(remember(typed, 'y')), 'z', 'name')).now, 'bcd')
})

it('ignores an unchanged value and limits the number of steps', () => {
  const once = remember(beginHistory('a'), 'b')
  assert.equal(remember(once, 'b'), once)
  const many = Array.from({ length: 500 }, (_, at) => at + 1).reduce((h, n) => remember(h, n), beginHistory(0))
  assert.equal(many.past.length, 200)
  assert.equal(many.past[0], 300)
})
