import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createUnsentInputStore } from './unsent-input-store.ts'

function makeKeeper() {
  let now = 'amelia'
  let before = ''
  const keeper = createUnsentInputStore({
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

describe('form input at the end of a session', () => {
  it('is offered to the same person until it is taken or dropped', () => {
    const { keeper, end, enter } = makeKeeper()
    end()
    keeper.keep('withdrawal', withdrawal)
    enter('amelia')
    assert.deepEqual(keeper.find('withdrawal'), { amount: '35' })
    assert.equal(keeper.find('deposit'), undefined)
    keeper.drop('withdrawal')
    assert.equal(keeper.find('withdrawal'), undefined)
  })

  it('is not offered to another person, nor to its author after another person', () => {
    const { keeper, end, enter } = makeKeeper()
    end()
    keeper.keep('withdrawal', withdrawal)
    enter('tomas')
    assert.equal(keeper.find('withdrawal'), undefined)
    enter('amelia')
    assert.equal(keeper.find('withdrawal'), undefined)
  })

  it('is not stored for a form that was only left, nor after signing out', () => {
    const { keeper, end, leave, enter } = makeKeeper()
    keeper.keep('withdrawal', withdrawal)
    assert.equal(keeper.find('withdrawal'), undefined)
    end()
    keeper.keep('withdrawal', withdrawal)
    enter('amelia')
    leave()
    keeper.keep('withdrawal', withdrawal)
    enter('amelia')
    assert.equal(keeper.find('withdrawal'), undefined)
  })

  it('is not offered when the request may have been carried out', () => {
    const { keeper, end, enter } = makeKeeper()
    let isDone = false
    end()
    keeper.keep('withdrawal', { ...withdrawal, mayBeDone: () => isDone })
    enter('amelia')
    assert.deepEqual(keeper.find('withdrawal'), { amount: '35' })
    isDone = true
    assert.equal(keeper.find('withdrawal'), undefined)
  })
})

it('is kept by every dialog in which a member writes', () => {
  const features = join(import.meta.dirname, '..')
  const sourceOf = (path: string) => readFileSync(join(features, path), 'utf8')
  // Codes and passwords are never kept, and a search is typed again.
  const dialogs = globSync('!(desk-*|security|search)/**/*-{dialog,request}.tsx', { cwd: features }).filter((path) =>
    /<(Textarea|TextInput|PhoneInput)\b/.test(sourceOf(path)),
  )
  assert.ok(dialogs.length > 5, `only ${dialogs} were found`)
  assert.deepEqual(
    dialogs.filter((path) => !/<UnsentInput\b/.test(sourceOf(path))),
    [],
  )
})
