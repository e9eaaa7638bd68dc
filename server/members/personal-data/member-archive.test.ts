// spec: DK members
import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { strFromU8, unzipSync } from 'fflate'
import { fillEveryTable } from '../../../tests/catalogue/every-table.ts'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { addMedia } from '../../../tests/fixtures/requests.ts'
import { addStaff, provenStaff } from '../../../tests/fixtures/workspaces.ts'
import { personalData } from '../../domains.ts'
import { type Staff, systemActor } from '../../foundation/actor.ts'
import { headings, shownAtMost } from '../member-page.ts'
import { exportedTables } from './data-export.ts'
import { exportMember } from './export.ts'
import { packMember } from './member-archive.ts'
import { readAtOnce } from './member-tables.ts'

let made: MadeContext
let staff: Staff
let memberId: string

before(async () => {
  made = await makeTestContext()
  const filled = await fillEveryTable(made.context, 'here')
  memberId = filled.memberId
  const system = systemActor(made.context, filled.workspaceId)
  staff = await provenStaff(system, await addStaff(system))
  await addMedia(system, { memberId, name: '../../<b>proof</b>.pdf', content: Buffer.from('%PDF-1.4 of this member') })
  await addMedia(system, { memberId, name: 'worm.pdf', content: Buffer.from('worm'), scan: 'infected' })
  await addMedia(system, { memberId, name: 'unread.pdf', content: Buffer.from('unread'), scan: 'waiting' })
})
after(() => made.close())

async function unpack(): Promise<Record<string, Uint8Array>> {
  const { content } = await packMember(staff, memberId, personalData)
  return unzipSync(await buffer(content))
}

test('packs machine-readable data, a readable page and the uploaded files', async () => {
  const entries = await unpack()
  const { 'everything.json': json = new Uint8Array(), 'everything.html': page = new Uint8Array(), ...files } = entries
  const archive = JSON.parse(strFromU8(json))
  const { tables } = await exportMember(staff, memberId, personalData)
  assert.deepEqual(Object.keys(archive.tables), Object.keys(tables))
  assert.deepEqual(archive.tables.trading_accounts, JSON.parse(JSON.stringify(tables.trading_accounts)))
  const html = strFromU8(page)
  for (const [table, rows] of Object.entries(tables))
    if (rows.length > 0) assert.ok(html.includes(`<h2 id="${table}">`), `${table} is on the page`)
  const [member] = tables.members ?? []
  for (const word of [member?.first_name, member?.email, '&lt;b&gt;proof&lt;/b&gt;.pdf'])
    assert.ok(html.includes(String(word)))
  assert.ok(!/<script|<b>proof|<[^>]* on\w+=/.test(html))
  const proof = Object.keys(files).find((path) => path.endsWith('proof__b_.pdf'))
  assert.equal(strFromU8(files[proof ?? ''] ?? new Uint8Array()), '%PDF-1.4 of this member')
  for (const path of Object.keys(files)) assert.match(path, /^files\/\d+-[^/\\]+$/)
})

test('lists an infected or unscanned file on the page and leaves it out', async () => {
  const { 'everything.html': page = new Uint8Array(), ...entries } = await unpack()
  for (const name of ['worm.pdf', 'unread.pdf']) {
    assert.ok(!Object.keys(entries).some((path) => path.includes(name)))
    assert.ok(strFromU8(page).includes(`${name}: left out`))
  }
})

test('packs the other files when one is missing from the store', async () => {
  const system = systemActor(made.context, staff.workspaceId)
  const media_id = await addMedia(system, { memberId, name: 'gone.pdf' })
  await made.context.files.remove(`${staff.workspaceId}/${media_id}`)
  const entries = await unpack()
  const gone = Object.entries(entries).find(([path]) => path.endsWith('gone.pdf'))
  assert.equal(strFromU8(gone?.[1] ?? new Uint8Array()), 'This file no longer exists.')
  assert.ok(Object.keys(entries).some((path) => path.endsWith('proof__b_.pdf')))
})

test('packs a file whose truncated name splits a character', async () => {
  const system = systemActor(made.context, staff.workspaceId)
  await addMedia(system, { memberId, name: `scan 📄${'x'.repeat(95)}.pdf`, content: Buffer.from('%PDF-1.4 long') })
  const entries = await unpack()
  const [path = ''] = Object.keys(entries).filter((each) => each.endsWith(`${'x'.repeat(95)}.pdf`))
  assert.match(path, /^files\/\d+-_x+\.pdf$/)
})

test('closes every file of the store when the reader aborts', async () => {
  const system = systemActor(made.context, staff.workspaceId)
  await addMedia(system, { memberId, name: 'large.pdf', content: Buffer.alloc(4_000_000, '%PDF-1.4 ') })
  const { files } = made.context
  const read: Readable[] = []
  const watched = {
    ...files,
    async read(key: string) {
      const found = await files.read(key)
      if (found) read.push(found)
      return found
    },
  }
  const context = { ...made.context, files: watched }
  const { content } = await packMember({ ...staff, context }, memberId, personalData)
  for await (const piece of content) if (read.length > 0 && piece.length > 0) break
  await setImmediate()
  assert.ok(content.destroyed && read.length > 0)
  assert.deepEqual(
    read.map(({ destroyed }) => destroyed),
    read.map(() => true),
  )
})

test('packs each of a member’s many trades once and shows only the latest on the page', async () => {
  const owner = await made.openOwner()
  const count = shownAtMost + readAtOnce + 1
  await owner.query(
    `insert into trade_deals (workspace_id, account_id, member_id, deal_id, order_id, position_id, is_trade, cmd, entry, symbol,
       volume, price, open_price, sl, tp, profit, swap, commission, fee, at, opened_at, state, reason, comment)
     select workspace_id, account_id, member_id, 1000000 + number, order_id, position_id, is_trade, cmd, entry, symbol,
       volume, price, open_price, sl, tp, profit, swap, commission, fee, at, opened_at, state, reason, 'of many ' || number
     from (select * from trade_deals where member_id = $1 limit 1) as one, generate_series(1, $2::int) as number`,
    [memberId, count],
  )
  const { 'everything.json': json = new Uint8Array(), 'everything.html': page = new Uint8Array() } = await unpack()
  const { trade_deals: deals } = JSON.parse(strFromU8(json)).tables
  const many = deals
    .map(({ comment }: { comment: string }) => comment)
    .filter((text: string) => text.startsWith('of many '))
  assert.equal(many.length, count)
  assert.equal(new Set(many).size, count)
  const html = strFromU8(page)
  assert.ok(html.includes(`<p>The last ${shownAtMost} of ${deals.length}. All of them are in everything.json.</p>`))
  assert.ok(html.includes(`<td>of many ${count}</td>`) && !html.includes('<td>of many 1</td>'))
})

test('has a heading on the page for every exported table', () => {
  assert.deepEqual(Object.keys(headings).sort(), exportedTables(personalData).sort())
})
