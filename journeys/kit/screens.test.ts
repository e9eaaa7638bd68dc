import assert from 'node:assert/strict'
import { it } from 'node:test'
import { screens } from './screens.ts'

it('names each screen and state once, since its picture and its check are found by this name', () => {
  const names = screens.map(({ name, state, viewer }) => `${name}, ${state}, ${viewer}`)
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  )
})
