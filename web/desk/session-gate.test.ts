import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import type { StaffRole } from '@atrium/contract/staff/rights.ts'
import type { DeskUser } from '../features/desk-session/desk-user.ts'
import { memoryStorage, openPage } from '../page-under-test.ts'
import { queryClient } from '../ui/lists/query-client.ts'

Object.assign(globalThis, { sessionStorage: memoryStorage() })
const { deskSession, deskUserQuery } = await import('../features/desk-session/desk-session.ts')
const { requireRight } = await import('./session-gate.ts')

const userAs = (type: StaffRole): DeskUser => ({
  ...{ _id: 'somebody', name: 'Sela Staff', email: 'sela@harbour.test', type, picture: null },
})
/** The role that the server knows. */
let role: StaffRole
let closePage: () => void

beforeEach(() => {
  deskSession.write({ token: 'token', userId: 'somebody' })
  closePage = openPage(async () => Response.json({ status: 'ok', user: userAs(role) }), { session: deskSession })
  queryClient.setQueryData(deskUserQuery.queryKey, userAs('viewer'))
})
afterEach(() => {
  queryClient.clear()
  closePage()
})

const open = () => requireRight('staff.manage')({ context: { user: userAs('viewer') } })

it('a screen opens once an administrator has given its right, without a reload', async () => {
  role = 'administrator'
  await open()
  assert.equal(queryClient.getQueryData(deskUserQuery.queryKey)?.type, 'administrator')
})

it('a screen stays closed to a role without its right', async () => {
  role = 'viewer'
  await assert.rejects(open(), (thrown: { options: { to: string } }) => thrown.options.to === '/unauthorized')
})
