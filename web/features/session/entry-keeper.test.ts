import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEntryKeeper } from './entry-keeper.ts'

function makeKeeper() {
  let now = 'amelia'
  let before = ''
  const keeper = createEntryKeeper({
    read: () => (now === '' ? null : { userId: now, token: 'secret' }),
    endedOf: () => (now === '' ? before : ''),
  })
  const end = () => {
    before = now
    now = ''
  }
  const leave = () => {
    keeper.forget()
    now = ''
    before = ''
  }
  return { keeper, end, leave, enter: (who: string) => (now = who) }
}

const withdrawal = { values: { amount: '35' } }

describe('what was typed when a session ended', () => {
  it('is offered to whoever typed it, until it is taken or dropped', () => {
    const { keeper, end, enter } = makeKeeper()
    end()
    keeper.keep('withdrawal', withdrawal)
    enter('amelia')
    assert.deepEqual(keeper.kept('withdrawal'), { amount: '35' })
    assert.equal(keeper.kept('deposit'), undefined)
    keeper.drop('withdrawal')
    assert.equal(keeper.kept('withdrawal'), undefined)
  })

  it('is offered to nobody else, nor to its person after them', () => {
    const { keeper, end, enter } = makeKeeper()
    end()
    keeper.keep('withdrawal', withdrawal)
    enter('tomas')
    assert.equal(keeper.kept('withdrawal'), undefined)
    enter('amelia')
    assert.equal(keeper.kept('withdrawal'), undefined)
  })

  it('is not kept of a form that is only left, nor of whoever signs out', () => {
    const { keeper, end, leave, enter } = makeKeeper()
    keeper.keep('withdrawal', withdrawal)
    assert.equal(keeper.kept('withdrawal'), undefined)
    end()
    keeper.keep('withdrawal', withdrawal)
    enter('amelia')
    leave()
    keeper.keep('withdrawal', withdrawal)
    enter('amelia')
    assert.equal(keeper.kept('withdrawal'), undefined)
  })

  it('is not offered where it may have been carried out', () => {
    const { keeper, end, enter } = makeKeeper()
    let isDone = false
    end()
    keeper.keep('withdrawal', { ...withdrawal, mayBeDone: () => isDone })
    enter('amelia')
    assert.deepEqual(keeper.kept('withdrawal'), { amount: '35' })
    isDone = true
    assert.equal(keeper.kept('withdrawal'), undefined)
  })
})
