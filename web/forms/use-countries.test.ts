import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { hookUnderTest } from '../hook-under-test.ts'
import { openPage } from '../page-under-test.ts'
import { queryClient } from '../ui/lists/query-client.ts'
import '../ui/text/i18n.ts'
import { useCountries } from './use-countries.ts'

let closePage: () => void
let field: ReturnType<typeof useCountries>
let isBroken = true

const { show, until, close } = hookUnderTest(
  () => useCountries('Please select a country.'),
  (shown) => (field = shown),
)
const malta = { _id: 'MT', name: 'Malta', alpha_2: 'MT' }
const serve = async () =>
  isBroken
    ? Response.json({ code: 'not_permitted', error: texts.requestFailed }, { status: 403 })
    : Response.json({ status: 'ok', countries: [malta] })

beforeEach(() => {
  isBroken = true
  closePage = openPage(serve)
  show()
})
afterEach(() => {
  close()
  queryClient.clear()
  closePage()
})

it('a list of countries that did not load says so, and loads when the field is opened again', async () => {
  await until(() => field.error === texts.requestFailed)
  assert.deepEqual(field.data, [])
  isBroken = false
  field.onDropdownOpen()
  await until(() => field.data.length > 0)
  assert.deepEqual(field.data, [{ value: 'MT', label: 'Malta' }])
  assert.equal(field.error, 'Please select a country.')
})
