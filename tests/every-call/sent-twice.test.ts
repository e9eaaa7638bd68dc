import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { changesSince, watchEveryTable } from '../catalogue/watched-changes.ts'
import { type Caller, callerOf } from '../fixtures/caller.ts'
import { openTradingFloor, type TradingFloor } from '../fixtures/trading-fixture.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'
import { goodRequests, sendGoodRequest } from './valid-requests/send.ts'
import type { GoodRequest, Stage } from './valid-requests/valid-request.ts'

/**
 * The same request twice, and five times at the same instant: a double click, an impatient person, a network that sends
 * again. Each call that changes something does it once, or stands below with the reason why it does it again.
 */
let floor: TradingFloor
let app: FastifyInstance
let caller: Caller
let owner: pg.Client
let stage: Stage
let changing: LiveRoute[]

before(async () => {
  floor = await openTradingFloor()
  const opened = await openWithRoutes(floor.ground)
  app = opened.app
  changing = opened.routes.filter(({ call, method }) => call && method === 'POST')
  caller = callerOf(app)
  owner = new pg.Client({ connectionString: floor.ownerUrl })
  await owner.connect()
  stage = { floor, caller, owner }
  await watchEveryTable(owner)
})
after(async () => {
  await owner.end()
  await app.close()
  await floor.close()
})

const atBoth = (path: string, why: string): [string, string][] => [
  [`POST /members${path}`, why],
  [`POST /desk/api${path}`, why],
]
/** What is meant anew each time that it is asked for, so that nothing is worse for it. */
const again = new Map<string, string>([
  ...atBoth('/login', 'each sign-in is a session of its own'),
  ...atBoth('/reset-password/request', 'a mail may be lost; the newest link is the one that works, and there are few'),
  ...atBoth('/security/prove', 'the newest proof counts'),
  ...atBoth('/security/prove/start', 'the newest question is the one that may be answered'),
  ...atBoth('/security/totp/start', 'the newest secret is the one that may be confirmed'),
  ...atBoth('/security/passkeys/start', 'the newest question is the one that may be answered'),
  ...atBoth('/security/recovery-codes/renew', 'the newest codes are the ones that work'),
  ['POST /members/get-unique-token', 'each form has a token of its own'],
  ['POST /members/change-password', 'the same password is put in its place again, and its owner told'],
  ['POST /users/change-password', 'the same by its other address'],
  ['POST /members/sessions/end-others', 'all others are ended each time, also when there are none'],
  ['POST /desk/api/account/sessions/end-others', 'the same at the desk'],
  ['POST /desk/api/providers/:id/test', 'each test asks the provider anew'],
  ['POST /desk/api/platforms/:id/try', 'each try asks the platform anew'],
  ['POST /desk/api/platforms/files', 'each file is one of its own, and what no download names is swept'],
  ['POST /desk/api/staff/:id/end-sessions', 'the same by a colleague'],
  ['POST /desk/api/members/:id/sessions/end-all', 'the same for a member'],
  ['POST /media/cp-upload-image', 'a file that nothing uses is swept after a day, and there is a quota'],
  ['POST /media/cp-upload-file', 'the same'],
  ['POST /media/cp-upload-video', 'the same'],
  ['POST /desk/api/workspace/logo', 'the newest is worn, the older ones stay for mails that were sent'],
  ['POST /desk/api/workspace/vendor-logo', 'the same for a vendor'],
  ['POST /desk/api/providers/:id/logo', 'the same for a payment provider'],
  ['POST /desk/api/staff/:id/resend-invitation', 'the newest link is the one that works'],
  ['POST /desk/api/members/:id/reset-link', 'the same, and there are few'],
  ['POST /desk/api/members/:id/export', 'only the entry, of each time that somebody took everything away'],
  [
    'POST /members/trading-accounts/:id/change-password',
    'the same password is put in its place again, and its owner told',
  ],
  ['POST /members/trading/open-live-account', 'a second account is meant; while one is being opened it is refused'],
  ['POST /members/trading/open-demo-account', 'the same for a demo account'],
])

/** What is done once and written down in more commits than one. */
const commits = new Map([
  ['POST /customers/trading-accounts/start-deposit', 2], // Before the provider is called, and after.
  ['POST /clients/start-identity-check', 2], // The same at a vendor.
])

async function prepare({ name }: LiveRoute): Promise<GoodRequest> {
  await owner.query('delete from rate_limits')
  const make = goodRequests[name]
  assert.ok(make, `${name}: say in testing/good-requests/ how it succeeds`)
  const request = await make(stage)
  await changesSince(owner)
  return request
}

describe('a request that is sent again', () => {
  it('after its answer changes nothing more, but where it is meant anew', async () => {
    for (const route of changing) {
      const request = await prepare(route)
      const first = await sendGoodRequest(caller, route, request)
      assert.equal(first.status, 200, `${route.name}: ${first.raw}`)
      await changesSince(owner)
      const { status, raw } = await sendGoodRequest(caller, route, request)
      assert.ok(status < 500, `${route.name}: ${raw}`)
      const changes = await changesSince(owner)
      if (!again.has(route.name)) assert.deepEqual(changes, [], `${route.name}, sent twice, answered ${raw}`)
    }
  })

  it('five times at the same instant is done once, but where it is meant anew', async () => {
    for (const route of changing) {
      const request = await prepare(route)
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => sendGoodRequest(caller, route, request)))
      for (const { status, raw } of answers) assert.ok(status < 500, `${route.name}: ${raw}`)
      assert.ok(
        answers.some(({ status }) => status === 200),
        `${route.name}: ${answers[0]?.raw}`,
      )
      const changes = await changesSince(owner)
      const commitsMax = commits.get(route.name) ?? 1
      if (!again.has(route.name)) assert.ok(changes.length <= commitsMax, `${route.name}: ${JSON.stringify(changes)}`)
    }
  })

  it('has no exception for a call that is there no more', () => {
    const live = changing.map(({ name }) => name)
    assert.deepEqual(
      [...again.keys()].filter((name) => !live.includes(name)),
      [],
    )
  })
})
