import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { deliverMail } from './delivery.ts'
import { sendMail } from './mail.ts'

let made: MadeContext
let system: System
before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  await addWorkspace(made.context, { subdomain: 'elsewhere' })
})
after(() => made.close())

async function callerWith(change: Partial<Config> = {}, host?: string) {
  const app = await buildApp({ ...made.context, config: { ...made.context.config, ...change } })
  return callerOf(app, host)
}

function write(subject: string): Promise<void> {
  const letter = { subject, heading: '<script>alert(1)</script>', lines: ['https://a.test/"x'], footnote: 'Bye.' }
  return inTransaction(system, (tx) => sendMail(tx, system, { to: '<b>@harbour.test', memberId: null, letter }))
}

type Shown = { _id: string; subject: string; state: string; text: string; html: string }
const json = { method: 'GET', url: '/dev/mailbox', headers: { accept: 'application/json' } } as const

describe('the dev mailbox', () => {
  test('lists mails newest first, before and after their job has run', async () => {
    await write('First')
    made.context.clock.advance(1000)
    await write('Second')
    const caller = await callerWith()
    const mails = (await caller.send(json)).body.mails as Shown[]
    assert.deepEqual(
      mails.map((mail) => mail.subject),
      ['Second', 'First'],
    )
    for (const mail of mails) await deliverMail(system, mail._id)
    const stored = (await caller.send(json)).body.mails as Shown[]
    assert.deepEqual(
      stored.map((mail) => mail.state),
      ['kept', 'kept'],
    )
    assert.match(stored[0]?.text ?? '', /script/)
  })

  test('serves pages without scripts, including each mail', async () => {
    const caller = await callerWith()
    const page = await caller.get('/dev/mailbox')
    assert.equal(page.status, 200)
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'nonce-/)
    assert.ok(!/<script|<b>|href="[^"]*"x/.test(page.raw))
    const [mail] = (await caller.send(json)).body.mails as Shown[]
    const shown = await caller.get(`/dev/mailbox/${mail?._id}`)
    assert.match(String(shown.headers['content-security-policy']), /^default-src 'none';.*sandbox/)
    assert.equal(shown.raw, mail?.html)
    assert.equal((await caller.get('/dev/mailbox/nothing')).status, 404)
  })

  test('shows no mails of another brokerage', async () => {
    const elsewhere = await callerWith({}, 'elsewhere.localhost')
    assert.deepEqual((await elsewhere.send(json)).body.mails, [])
    const [mail] = (await (await callerWith()).send(json)).body.mails as Shown[]
    assert.equal((await elsewhere.get(`/dev/mailbox/${mail?._id}`)).status, 404)
  })

  test('is absent in production and where SMTP is configured', async () => {
    for (const change of [{ production: true }, { development: false }, { smtpUrl: 'smtp://127.0.0.1:1' }]) {
      const caller = await callerWith(change)
      for (const path of ['/dev/mailbox', '/dev/mailbox/x']) {
        const answer = await caller.get(path)
        assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'])
      }
    }
  })
})
