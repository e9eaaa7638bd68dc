/**
 * Sign-in and reset do not reveal known addresses: status, headers and body are identical, rate limits included. Timing
 * is measured by `npm run bench -- sign-in-timing`, not tested.
 */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { answerResetRequests, mailsTo } from '../../tests/fixtures/mailbox.ts'
import { type App, signInPath } from '../../tests/fixtures/second-factors.ts'
import { addMember, addStaff, addWorkspace, testPassword } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  await addWorkspace(made.context, { subdomain: 'north' })
})
after(() => close())
beforeEach(() => made.context.clock.advance(24 * 3_600_000))

/** An answer without its date and request id, which always differ. */
function seenOf({ status, headers, raw }: Answered): string {
  const { date: _, 'x-request-id': __, ...stored } = headers
  return `${status} ${JSON.stringify(stored)} ${raw.replace(/"request_id":"[^"]*"/, '')}`
}

let counted = 0
/** Addresses of equal length, so that length reveals nothing. */
function nextEmail(): string {
  counted += 1
  return `person-${String(counted).padStart(6, '0')}@harbour.test`
}

type Who = 'known' | 'unknown' | 'locked' | 'invited' | 'of another brokerage'

async function emailOf(who: Who, at: App): Promise<string> {
  const email = nextEmail()
  const status = who === 'known' ? 'active' : who
  if (who === 'unknown') return email
  const home = who === 'of another brokerage' ? await addWorkspace(made.context) : system
  const values = { email, ...(home === system && { status }) }
  if (at === 'portal') await addMember(home, values)
  else await addStaff(home, values)
  return email
}

const others: Who[] = ['unknown', 'locked', 'invited', 'of another brokerage']
const reset = { portal: '/members/reset-password/request', desk: '/desk/api/reset-password/request' }

describe('an attempt to enumerate accounts', () => {
  for (const at of ['portal', 'desk'] as const) {
    test(`${at}: a wrong password reveals no account, within and beyond the limit`, async () => {
      const refusals = async (who: Who): Promise<string[]> => {
        const email = await emailOf(who, at)
        const answers: string[] = []
        // Each attempt from its own network, so that only the account's limit applies.
        for (let count = 0; count < 12; count++) {
          const payload = { email: count % 2 ? email.toUpperCase() : email, password: 'Wrong-2026' }
          const remoteAddress = `10.${counted}.${count}.1`
          answers.push(seenOf(await caller.send({ method: 'POST', url: signInPath(at), payload, remoteAddress })))
        }
        return answers
      }
      const known = await refusals('known')
      assert.deepEqual([known[0]?.slice(0, 3), known[11]?.slice(0, 3)], ['401', '429'])
      for (const who of others) assert.deepEqual(await refusals(who), known, who)
    })

    test(`${at}: the right password reveals no account that may not sign in`, async () => {
      const refusal = async (who: Who) =>
        seenOf(await caller.post(signInPath(at), { email: await emailOf(who, at), password: testPassword }))
      const unknown = await refusal('unknown')
      assert.equal(unknown.slice(0, 3), '401')
      for (const who of others) assert.equal(await refusal(who), unknown, who)
    })

    test(`${at}: a reset request reveals no account, and mails only known ones`, async () => {
      const ask = async (who: Who) => {
        const email = await emailOf(who, at)
        const answers: string[] = []
        for (let count = 0; count < 7; count++) {
          const remoteAddress = `10.${counted}.${count}.1`
          const answer = await caller.send({ method: 'POST', url: reset[at], payload: { email }, remoteAddress })
          answers.push(seenOf(answer))
        }
        await answerResetRequests(system)
        return { answers, mails: (await mailsTo(system, email)).length }
      }
      const known = await ask('known')
      assert.deepEqual([known.answers[0]?.slice(0, 3), known.answers[6]?.slice(0, 3)], ['200', '429'])
      assert.ok(known.mails > 0)
      for (const who of others) assert.deepEqual(await ask(who), { answers: known.answers, mails: 0 }, who)
    })
  }
})
