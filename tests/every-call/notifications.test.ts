import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { groupOf, type NoticeKind, noticeKindNames } from '@atrium/contract/notices.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { callerOf } from '../fixtures/caller.ts'
import { openTradingFloor, type TradingFloor } from '../fixtures/trading-fixture.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'
import { goodRequests, sendGoodRequest } from './valid-requests/send.ts'
import type { GoodRequest, Stage } from './valid-requests/valid-request.ts'

/**
 * Of what a member is told by which call: by each of these once, with a mail, and by all the others nothing. Calls come from
 * the router, so one that is added later tells nobody, or stands below.
 */
const tells: Record<string, readonly NoticeKind[]> = {
  'POST /members/login': ['device.appeared'],
  'POST /members/login/second-factor': ['device.appeared', 'recovery-code.used'],
  'POST /members/reset-password/process': ['password.changed'],
  'POST /members/change-password': ['password.changed'],
  'POST /users/change-password': ['password.changed'],
  'POST /members/security/totp/confirm': ['second-factor.added'],
  'POST /members/security/totp/remove': ['second-factor.removed'],
  'POST /members/security/passkeys/add': ['second-factor.added'],
  'POST /members/security/passkeys/remove': ['second-factor.removed'],
  'POST /members/security/recovery-codes/renew': ['recovery-codes.renewed'],
  'POST /desk/api/members/:id/reset-second-factor': ['second-factor.removed'],
  'POST /desk/api/members/:id/lock': ['sign-in.locked'],
  'POST /desk/api/members/:id/unlock': ['sign-in.unlocked'],
  'POST /members/trading-accounts/:id/change-password': ['trading-password.changed'],
  'POST /members/bank-accounts/create': ['destination.added'],
  'POST /members/bank-accounts/update': ['destination.changed'],
  'POST /members/bank-accounts/:id/delete': ['destination.removed'],
  'POST /members/fund-accounts/create': ['destination.added'],
  'POST /members/fund-accounts/update': ['destination.changed'],
  'POST /members/fund-accounts/:id/delete': ['destination.removed'],
  'POST /members/withdrawals/create': ['withdrawal.requested'],
  'POST /desk/api/deposits/:id/reject': ['deposit.rejected'],
  'POST /desk/api/withdrawals/:id/approve': ['withdrawal.approved'],
  'POST /desk/api/withdrawals/:id/reject': ['withdrawal.rejected'],
  'POST /desk/api/withdrawals/:id/paid': ['withdrawal.paid'],
  'POST /desk/api/documents/:id/verify': ['document.approved'],
  'POST /desk/api/documents/:id/reject': ['document.rejected'],
  'POST /desk/api/documents/:id/unverify': ['document.unverified'],
  'POST /desk/api/members/:id/documents/request': ['document.requested'],
  'POST /desk/api/tickets/:id/reply': ['ticket.answered'],
  'POST /desk/api/tickets/:id/attach': ['ticket.answered'],
  'POST /desk/api/tickets/:id/change': ['ticket.closed'],
  'POST /desk/api/tickets/:id/merge': ['ticket.merged'],
  'POST /desk/api/requests/:id/status': ['request.decided'],
  'POST /desk/api/requests/:id/comment': ['request.answered'],
}
/** The same once more is another event, which its owner has to hear of. */
const eachTime = [
  'POST /members/change-password',
  'POST /users/change-password',
  'POST /members/security/recovery-codes/renew',
  'POST /members/trading-accounts/:id/change-password',
]

let floor: TradingFloor
let app: FastifyInstance
let owner: pg.Client
let stage: Stage
let changing: LiveRoute[]

before(async () => {
  floor = await openTradingFloor()
  const opened = await openWithRoutes(floor.ground)
  app = opened.app
  changing = opened.routes.filter(({ call, method }) => call && method === 'POST')
  owner = new pg.Client({ connectionString: floor.ownerUrl })
  await owner.connect()
  stage = { floor, caller: callerOf(app), owner }
})
after(async () => {
  await owner.end()
  await app.close()
  await floor.close()
})

async function prepare({ name }: LiveRoute): Promise<GoodRequest> {
  await owner.query('delete from rate_limits')
  const make = goodRequests[name]
  assert.ok(make, `${name}: say in testing/good-requests/ how it succeeds`)
  const request = await make(stage)
  await take()
  return request
}

const seen = new Set<string>()

/** The kinds that were told since the last time of asking, and how many of them were mailed. */
async function take(): Promise<{ kinds: string[]; mailed: number }> {
  const found = await owner.query<{ notice_id: string; kind: string; mailed: boolean }>(`
    select notice_id, kind, exists (select from mails where mails.workspace_id = notices.workspace_id
      and mails.dedupe_key = notices.member_id::text || ':' || notices.dedupe_key) as mailed
    from notices order by kind`)
  const news = found.rows.filter(({ notice_id }) => !seen.has(notice_id))
  for (const { notice_id } of news) seen.add(notice_id)
  return { kinds: news.map(({ kind }) => kind), mailed: news.filter(({ mailed }) => mailed).length }
}

describe('a call that changes something', () => {
  it('tells its member what it should, once and by mail too, and nothing where nothing is to be told', async () => {
    const told: Record<string, unknown> = {}
    const wanted: Record<string, unknown> = {}
    for (const route of changing) {
      const request = await prepare(route)
      const { status, raw } = await sendGoodRequest(stage.caller, route, request)
      assert.equal(status, 200, `${route.name}: ${raw}`)
      const first = await take()
      await sendGoodRequest(stage.caller, route, request)
      told[route.name] = { ...first, again: (await take()).kinds }
      const kinds = tells[route.name] ?? []
      wanted[route.name] = { kinds, mailed: kinds.length, again: eachTime.includes(route.name) ? kinds : [] }
    }
    assert.deepEqual(told, wanted)
  })

  it('five times at the same instant tells it once', async () => {
    const telling = changing.filter(({ name }) => tells[name] && !eachTime.includes(name) && !name.endsWith('/login'))
    for (const route of telling) {
      const request = await prepare(route)
      await Promise.all([1, 2, 3, 4, 5].map(() => sendGoodRequest(stage.caller, route, request)))
      assert.deepEqual((await take()).kinds, tells[route.name], route.name)
    }
  })

  it('writes no day or hour as machines do', async () => {
    const { rows } = await owner.query<{ subject: string; sealed_content: Buffer }>(
      'select subject, sealed_content from mails where sealed_content is not null',
    )
    const letters = rows.map(({ subject, sealed_content }) => `${subject}\n${floor.ground.seal.open(sealed_content)}`)
    assert.ok(letters.length > 30, String(letters.length))
    assert.deepEqual(
      letters.filter((letter) => /\b\d{4}-\d{2}-\d{2}(T\d{2}|\b)/.test(letter)),
      [],
    )
  })

  it('is named here only while it is there, and every kind of security by one of them', () => {
    const live = changing.map(({ name }) => name)
    assert.deepEqual(
      [...Object.keys(tells), ...eachTime].filter((name) => !live.includes(name)),
      [],
    )
    const told = new Set(Object.values(tells).flat())
    const security = noticeKindNames.filter((kind) => groupOf(kind) === 'security')
    assert.deepEqual(
      security.filter((kind) => !told.has(kind)),
      [],
    )
  })
})
