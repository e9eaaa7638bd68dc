// spec: OP operation

/**
 * The previous version's code, from the git history, creates its demo brokerage; this version starts on the same database and
 * migrates it, and then both serve the same people. First only the previous version's processes run jobs, later only this
 * version's.
 */

import assert from 'node:assert/strict'
import { type ClientRequest, get } from 'node:http'
import { after, before, test } from 'node:test'
import { watchAccountMetrics } from '@atrium/contract/accounts/live-metrics.ts'
import { createDeposit } from '@atrium/contract/deposits/calls.ts'
import { approveDeposit, readDeposit } from '@atrium/contract/deposits/desk-calls.ts'
import { finishUpload, type uploadFile } from '@atrium/contract/files/calls.ts'
import { readDraft, saveDraft } from '@atrium/contract/forms/calls.ts'
import type { TransactionState } from '@atrium/contract/funding/states.ts'
import { isSame } from '@atrium/contract/money/money.ts'
import { listNotifications, watchNotifications } from '@atrium/contract/notifications/calls.ts'
import { sendRequest } from '@atrium/contract/requests/calls.ts'
import {
  getUniqueToken,
  readPermissions,
  requestPasswordReset,
  signIn,
  signOut,
} from '@atrium/contract/sessions/calls.ts'
import { deskSignIn } from '@atrium/contract/sessions/desk-calls.ts'
import { createWithdrawal } from '@atrium/contract/withdrawals/calls.ts'
import { approveWithdrawal, markWithdrawalPaid, readWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { verifyAudit } from '../../server/audit-log/verify.ts'
import { compareLedger } from '../../server/funding/ledger.ts'
import { eventually } from '../doubles/child-server.ts'
import { callerAt } from '../fixtures/contract-caller.ts'
import { makePdfOfSize, makePng } from '../fixtures/sample-files.ts'
import { callsIn, misunderstandings } from './contract-changes.ts'
import { openTwoVersions, type TwoVersions, type Version } from './two-versions.ts'
import { acceptedIncompatibilities } from './version-before.ts'

let versions: TwoVersions
let urls: Record<Version, string>
let older: Awaited<ReturnType<TwoVersions['start']>>
let newer: typeof older
let money: Awaited<ReturnType<TwoVersions['openContext']>>
const tokens = { member: '', staff: '' }
const login = '700123'

before(async () => {
  versions = await openTwoVersions()
  older = await versions.start('before', 'web,jobs')
  newer = await versions.start('now', 'web')
  money = await versions.openContext()
  urls = { before: older.url, now: newer.url }
})
after(() => versions.close())

const at = (version: Version) => callerAt(urls[version])
const ways = [
  { one: 'before', other: 'now' },
  { one: 'now', other: 'before' },
] as const
type Way = (typeof ways)[number]

/** Runs each test both ways: starts on a process of one version and continues on the other. */
function bothWays(name: string, walk: (way: Way) => Promise<void>): void {
  for (const way of ways) test(`${name}, first at “${way.one}”, then at “${way.other}”`, () => walk(way))
}

async function signInAt(version: Version): Promise<void> {
  const member = await at(version).call(signIn, { email: signIns.member, password: demoPassword })
  const staff = await at(version).call(deskSignIn, { email: signIns.staff, password: demoPassword })
  assert.ok(member.status === 'ok' && staff.status === 'ok')
  Object.assign(tokens, { member: member.token, staff: staff.token })
}

async function nonceAt(version: Version, token_key: 'transaction_deposit' | 'transaction_withdrawal' | 'form_submit') {
  return (await at(version).call(getUniqueToken, { token_key }, tokens.member)).token
}

const bearer = () => ({ authorization: `Bearer ${tokens.member}` })

async function uploadAt(version: Version): Promise<{ _id: string; url: string }> {
  const body = new FormData()
  body.set('file', new File([new Uint8Array(makePng({ width: 16, height: 16 }))], 'receipt.png', { type: 'image/png' }))
  const path = `${'/media/cp-upload-file' satisfies typeof uploadFile.path}?purpose=receipt`
  const answer = await fetch(urls[version] + path, { method: 'POST', headers: bearer(), body })
  assert.equal(answer.status, 200, await answer.clone().text())
  return ((await answer.json()) as { file: { _id: string; url: string } }).file
}

type Own = { _id: string; currency: string }
type Things = {
  current_member: { accounts: (Own & { platform_login: string })[]; bank_accounts: Own[] }
  system_bank_accounts: Own[]
}

async function thingsAt(version: Version) {
  const query = `{ current_member { accounts { _id platform_login currency } bank_accounts { _id currency } }
    system_bank_accounts { _id currency } }`
  const { current_member: own, system_bank_accounts } = await at(version).graph<Things>(query, tokens.member)
  const account = own.accounts.find(({ platform_login }) => platform_login === login)
  const inDollars = ({ currency }: Own): boolean => currency === 'USD'
  const [bank, company] = [own.bank_accounts.find(inDollars), system_bank_accounts.find(inDollars)]
  assert.ok(account && bank && company)
  return { account: account._id, bank: bank._id, company: company._id }
}

type Line = { events: { name: string; data: string }[]; request: ClientRequest }

function follow(version: Version, path: string): Line {
  const events: Line['events'] = []
  let rest = ''
  const headers = { accept: 'text/event-stream', ...bearer() }
  const request = get(urls[version] + path, { headers }, (answer) => {
    answer.setEncoding('utf8').on('data', (text: string) => {
      const parsed = (rest + text).split('\n\n')
      rest = parsed.pop() ?? ''
      for (const each of parsed) {
        const [, name = '', data = ''] = /event: (\w+)\n(?:id: \d+\n)?data: (.*)$/.exec(each) ?? []
        if (name) events.push({ name, data })
      }
    })
    answer.on('error', () => undefined)
  })
  request.on('error', () => undefined) // The connection closes when the process ends.
  return { events, request }
}

let deposits = 0
async function depositBetween({ one, other }: Way): Promise<void> {
  const { account, company } = await thingsAt(other)
  const files = [(await uploadAt(one))._id]
  deposits += 1
  const amount = `${310 + deposits}.17`
  const input = {
    ...{
      trading_account: account,
      amount,
      comment: `By ${one}`,
      origin: 'Banca Adriatica',
      destination_id: company,
      files,
    },
    ...{ token_key: 'transaction_deposit' as const, nonce_token: await nonceAt(other, 'transaction_deposit') },
  }
  const { transaction } = await at(one).call(createDeposit, input, tokens.member)
  const again = await at(other).call(createDeposit, input, tokens.member)
  assert.equal(again.transaction._id, transaction._id, 'the same form sent to the other process is the same deposit')
  const id = transaction._id
  const lines = [follow(one, watchNotifications.path), follow(other, watchNotifications.path)]
  await eventually('both streams are open', async () =>
    lines.every(({ events }) => events.some(({ name }) => name === 'bell')),
  )
  await at(other).call(approveDeposit, { id }, tokens.staff)
  await reaches('approved', async () => (await at(one).call(readDeposit, { id }, tokens.staff)).deposit.state)
  for (const { events, request } of lines) {
    await eventually('both streams report the notification', async () => events.some(({ name }) => name === 'notice'))
    request.destroy()
  }
  const listed = async (version: Version) => (await at(version).call(listNotifications, {}, tokens.member)).notices
  assert.deepEqual(await listed(one), await listed(other))
  assert.equal(versions.platform.ledger(login).filter((deal) => isSame(deal.amount, amount)).length, 1)
}

const reaches = (state: TransactionState, read: () => Promise<TransactionState>) =>
  eventually(`it is ${state}`, async () => (await read()) === state, 1_200)

test('migrates the database of the previous version while one of its processes runs', async () => {
  assert.ok(versions.migrations.before <= versions.migrations.now)
  for (const url of Object.values(urls)) assert.equal((await fetch(`${url}/readyz`)).status, 200)
})

bothWays('a session opened at one is valid at the other, and ends at both', async ({ one, other }) => {
  await signInAt(one)
  for (const version of [one, other]) await at(version).call(readPermissions, {}, tokens.member)
  await at(other).call(signOut, {}, tokens.member)
  for (const version of [one, other])
    await assert.rejects(at(version).call(readPermissions, {}, tokens.member), /answered 401/)
  await signInAt(other)
})

test('both versions return the same data for the previous version’s queries', async () => {
  const query = `{ balance_transactions(limit: 50) { _id ticket type amount status comment created_at }
    requests(limit: 50) { _id status created_at } tickets(limit: 50) { _id } documents(limit: 50) { _id status }
    bank_accounts { _id bank_name } requests_types { _id name form { _id version steps { fields { input_name } } } } }`
  const parsed = await at('before').graph<Record<string, unknown[]>>(query, tokens.member)
  for (const [name, rows] of Object.entries(parsed)) assert.ok(rows.length > 0, name)
  assert.deepEqual(await at('now').graph(query, tokens.member), parsed)
})

bothWays('a deposit is credited once', depositBetween)

bothWays('a withdrawal is debited, and paid out', async ({ one, other }) => {
  const { account, bank } = await thingsAt(other)
  const amount = one === 'before' ? '25.13' : '25.17'
  const input = {
    ...{ trading_account: account, amount, comment: 'For the roof', destination: 'bank_account', destination_id: bank },
    ...{ token_key: 'transaction_withdrawal' as const, nonce_token: await nonceAt(one, 'transaction_withdrawal') },
  }
  const { transaction } = await at(other).call(createWithdrawal, input, tokens.member)
  const id = transaction._id
  const stateOf = async () => (await at(one).call(readWithdrawal, { id }, tokens.staff)).withdrawal.state
  await at(one).call(approveWithdrawal, { id }, tokens.staff)
  await reaches('paying', stateOf)
  await at(other).call(markWithdrawalPaid, { id, reference: 'SWIFT 4711' }, tokens.staff)
  await reaches('approved', stateOf)
  assert.equal(versions.platform.ledger(login).filter((deal) => isSame(deal.amount, `-${amount}`)).length, 1)
})

bothWays('a form begun at one is continued and sent at the other', async ({ one, other }) => {
  const { requests_types: types } = await at(one).graph<{
    requests_types: { _id: string; name: string; form: Own | null }[]
  }>('{ requests_types { _id name form { _id } } }', tokens.member)
  const type = types.find(({ name }) => name === 'Higher leverage')
  assert.ok(type?.form)
  const form = type.form._id
  const { account } = await thingsAt(one)
  const asked = await at(one).graph<{ form: { steps: { fields: { input_name: string }[] }[] } }>(
    `{ form(_id: "${form}") { steps { fields { input_name } } } }`,
    tokens.member,
  )
  const names = asked.form.steps.flatMap(({ fields }) => fields.map(({ input_name }) => input_name))
  // Required by the previous version, which requires more answers only when the leverage is lower.
  const explained = { experience: 'none', reason: 'Less risk', understands_losses: true }
  const more = names.includes('leverage_now') ? { leverage_now: '200' } : explained
  const answers = { account, leverage_wanted: one === 'before' ? '20' : '10', has_positions: 'no', ...more }
  await at(one).call(saveDraft, { form, version: 1, answers: { account }, step: 0, revision: null }, tokens.member)
  const { draft } = await at(other).call(readDraft, { form }, tokens.member)
  assert.ok(draft)
  assert.deepEqual(draft.answers, { account })
  const sent = {
    request: { request_type: type._id },
    form_submit: { form, version: 1, data: answers, draft: draft._id, nonce_token: await nonceAt(one, 'form_submit') },
  }
  const { request } = await at(other).call(sendRequest, sent, tokens.member)
  const again = await at(one).call(sendRequest, sent, tokens.member)
  assert.equal(again.request._id, request._id)
  assert.equal((await at(one).call(readDraft, { form }, tokens.member)).draft, null)
})

bothWays('an upload begun at one is continued at the other, and its file is read at both', async ({ one, other }) => {
  const pdf = makePdfOfSize(1_500_000)
  const tus = { ...bearer(), 'tus-resumable': '1.0.0' }
  const metadata = `filename ${Buffer.from('document.pdf').toString('base64')}`
  const started = await fetch(`${urls[one]}/media/uploads`, {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(pdf.length), 'upload-metadata': metadata },
  })
  const place = new URL(started.headers.get('location') ?? '', urls[one]).pathname
  const half = 700_000
  for (const [version, from, to] of [
    [one, 0, half],
    [other, half, pdf.length],
  ] as const) {
    const part = await fetch(urls[version] + place, {
      method: 'PATCH',
      headers: { ...tus, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
      body: new Uint8Array(pdf.subarray(from, to)),
    })
    assert.equal(part.status, 204, await part.text())
  }
  const upload = place.split('/').at(-1) ?? ''
  const { file } = await at(one).call(finishUpload, { upload }, tokens.member)
  for (const version of [one, other]) {
    const read = await fetch(`${urls[version]}/cp${file.url}`, { headers: bearer() })
    assert.equal(read.status, 200)
    assert.deepEqual(Buffer.from(await read.arrayBuffer()), pdf)
  }
})

test('live account metrics update on both versions', async () => {
  const lines = [follow('before', watchAccountMetrics.path), follow('now', watchAccountMetrics.path)]
  const balanceAt = ({ events }: Line): string => {
    const parsed = events.flatMap(({ name, data }) =>
      name === 'figures' ? [JSON.parse(data) as { accounts: Balance[] }] : [],
    )
    return parsed.flatMap(({ accounts }) => accounts.filter(({ _id }) => _id === account)).at(-1)?.balance ?? '0'
  }
  type Balance = { _id: string; balance: string }
  const { account } = await thingsAt('now')
  // The first event may contain older metrics; both converge to the platform's balance.
  const known = () => lines.every((line) => isSame(balanceAt(line), versions.platform.account(login)?.balance ?? ''))
  await eventually('both streams have the balance', async () => known())
  versions.platform.addLedger(login, { amount: '5.00', comment: 'Moves', atMs: Date.now() })
  await eventually('both streams have the changed balance', async () => known())
  for (const { request } of lines) request.destroy()
})

/** Whichever version receives the request, a job writes the mail. */
async function isMailed(version: Version, email: string): Promise<void> {
  const count = async (): Promise<number> => {
    const read = await fetch(`${urls[version]}/dev/mailbox`, { headers: { accept: 'application/json' } })
    const { mails } = (await read.json()) as { mails: object[] }
    return mails.filter((mail) => JSON.stringify(mail).includes(email)).length
  }
  const earlier = await count()
  await at(version).call(requestPasswordReset, { email })
  await eventually('the mail is there', async () => (await count()) > earlier)
}

test('the previous version runs the jobs that this version enqueued', () => isMailed('now', signIns.second))

test('a process of the previous version starts on the migrated database, and the earlier one shuts down cleanly', async () => {
  const again = await versions.start('before', 'web')
  const worker = await versions.start('now', 'web,jobs')
  assert.equal(await older.end(), 0)
  older = again
  urls = { before: again.url, now: worker.url }
})

test('this version runs the jobs that the previous version enqueued', () => isMailed('before', signIns.new))

bothWays('a deposit is credited once by this version', depositBetween)

test('the pages of each version are compatible with the processes of the other', async () => {
  const [older, newer] = [await callsIn(versions.contracts.before), await callsIn(versions.contracts.now)]
  assert.ok(older.size > 200)
  const isAccepted = (found: string): boolean => acceptedIncompatibilities.some((each) => found.includes(each))
  for (const found of [misunderstandings(newer, older), misunderstandings(older, newer)])
    assert.deepEqual(
      found.filter((each) => !isAccepted(each)),
      [],
    )
})

test('all processes shut down cleanly', async () => {
  urls = { before: older.url, now: newer.url }
  assert.equal(await older.end(), 0)
  assert.equal(await newer.end(), 0)
})

test('the ledger check and the audit log verification find nothing', async () => {
  const { found, unread } = await compareLedger(money.system)
  assert.deepEqual({ found, unread }, { found: [], unread: [] })
  assert.deepEqual((await verifyAudit(money.system)).findings, [])
})

test('neither version logged an error', (t) => {
  const { before, now } = versions.migrations
  t.diagnostic(`The previous version is ${versions.commit}: its last migration is ${before}, and ours is ${now}`)
  for (const version of ['before', 'now'] as const) {
    const said = versions.warnings(version)
    for (const [msg, { length }] of Map.groupBy(said, ({ msg }) => msg))
      t.diagnostic(`${version}, ${length} times: ${msg}`)
    assert.deepEqual(
      said.filter(({ level }) => level >= 50),
      [],
    )
  }
})
