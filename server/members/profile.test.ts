// spec: MP 2.3, AO 8
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { preferencesInput } from '@atrium/contract/members/calls.ts'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import { phoneTexts } from '@atrium/contract/validators/phone.ts'
import { z } from 'zod'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addMember, addStaff, addWorkspace, type MadeMember, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { withdrawalsHeldUntil } from '../sessions/factors/withdrawal-hold.ts'
import { preferenceColumns } from './member-columns.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let member: MadeMember
let token: string

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
})
after(() => close())
beforeEach(async () => {
  member = await addMember(system)
  token = await tokenOf(member.memberId)
})

const tokenOf = async (id: string) => (await openTestSession(system, { kind: 'member', id })).token

type Address = Record<string, unknown> & { _id: string; primary: boolean; city: string }
type Profile = Record<string, unknown> & { profile_version: number; phones: string[]; addresses: Address[] }

async function profileOf(of = token): Promise<Profile> {
  const query = `{ current_member { phones ${preferenceColumns.join(' ')} profile_version
    addresses { _id address_line_1 address_line_2 city postcode state primary country { alpha_2 } } } }`
  const { body } = await caller.post('/graph', { query }, of)
  return (body.data as { current_member: Profile }).current_member
}

const save = async (part: 'contacts' | 'addresses' | 'preferences', body: object, of = token) =>
  caller.post(`/members/profile/${part}`, { version: (await profileOf(of)).profile_version, ...body }, of)

function auditOf(memberId: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['action', 'before', 'after', 'actor_id'])
      .where('workspace_id', '=', system.workspaceId)
      .where('subject_id', '=', memberId)
      .orderBy('audit_id')
      .execute(),
  )
}

const home = {
  address_line_1: '14 Strait Street',
  city: 'Valletta',
  postcode: 'VLT 1432',
  country: 'MT',
  primary: true,
}
const office = { address_line_1: '7 Ledra Street', city: 'Nicosia', country: 'CY', primary: false }

describe('saving phones', () => {
  test('stores them in order with the first as primary, and audits the previous ones', async () => {
    const answer = await save('contacts', { phones: ['+356 2122 4455', '(+44) 20-7946 0000'] })
    assert.deepEqual([answer.status, answer.body.msg, answer.body.version], [200, [profileTexts.profileSaved], 2])
    assert.deepEqual((await profileOf()).phones, ['+35621224455', '+442079460000'])
    await save('contacts', { phones: [] })
    assert.deepEqual(await auditOf(member.memberId), [
      {
        action: 'contacts.changed',
        before: { phones: [] },
        after: { phones: ['+35621224455', '+442079460000'] },
        actor_id: member.memberId,
      },
      {
        action: 'contacts.changed',
        before: { phones: ['+35621224455', '+442079460000'] },
        after: { phones: [] },
        actor_id: member.memberId,
      },
    ])
  })

  test('holds withdrawals and mails the owner for a replaced phone, not for a first or additional one', async () => {
    const heldUntil = () => reading(system, (tx) => withdrawalsHeldUntil(tx, system, member.memberId))
    const mails = async () => (await mailsTo(system, member.email)).map(({ subject }) => subject)
    await save('contacts', { phones: ['+356 2122 4455'] })
    await save('contacts', { phones: ['+356 2122 4455', '+44 20 7946 0000'] })
    assert.deepEqual([await heldUntil(), await mails()], [null, []])
    await save('contacts', { phones: ['+44 20 7946 0000'] })
    const until = made.context.clock.now().getTime() + 24 * 3_600_000
    assert.deepEqual([(await heldUntil())?.getTime(), await mails()], [until, ['Your phone number was changed']])
  })

  for (const [name, phones, sentence] of [
    ['letters', ['call me'], validatorTexts.phone],
    ['too few digits', ['+1 23'], validatorTexts.phoneShort],
    ['too long', [`+${'1'.repeat(33)}`], validatorTexts.phone],
    ['no country', ['٠٢١٢٢٤٤٥٥'], phoneTexts.countryMissing],
    ['an extension', ['+356 2122 4455 ext. 3'], phoneTexts.extension],
    ['nothing at all', [' '], validatorTexts.phone],
    ['the same number twice in different notations', ['+356 2122 4455', '+35621224455'], profileTexts.phoneTwice],
    ['no list', 7, validatorTexts.phone],
  ] as const) {
    test(`rejects with an explanation: ${name}`, async () => {
      const answer = await save('contacts', { phones })
      assert.deepEqual([answer.status, answer.body.errors], [422, { phones: [sentence] }])
    })
  }

  test('limits their number', async () => {
    const phones = Array.from({ length: limits.phonesMax + 1 }, (_, index) => `+3562122445${index}`)
    assert.equal((await save('contacts', { phones })).status, 422)
    assert.equal((await save('contacts', { phones: phones.slice(1) })).status, 200)
  })
})

describe('saving addresses', () => {
  test('adds, changes, removes and makes addresses primary; a removed address keeps its row', async () => {
    assert.equal((await save('addresses', { addresses: [home, office] })).status, 200)
    const [first, second] = (await profileOf()).addresses
    assert.deepEqual([first?.city, first?.primary, second?.city, second?.primary], ['Valletta', true, 'Nicosia', false])
    const moved = { ...office, _id: second?._id, address_line_2: 'Floor 2', primary: true }
    await save('addresses', { addresses: [{ ...home, _id: first?._id, primary: false }, moved] })
    assert.deepEqual(
      (await profileOf()).addresses.map(({ _id, primary, address_line_2 }) => [_id, primary, address_line_2]),
      [
        [second?._id, true, 'Floor 2'],
        [first?._id, false, null],
      ],
    )
    await save('addresses', { addresses: [moved] })
    assert.deepEqual(
      (await profileOf()).addresses.map(({ _id }) => _id),
      [second?._id],
    )
    const rows = await reading(system, (tx) =>
      tx
        .selectFrom('member_addresses')
        .where(here)
        .select('removed_at')
        .where('member_id', '=', member.memberId)
        .execute(),
    )
    assert.deepEqual(rows.map(({ removed_at }) => removed_at !== null).sort(), [false, true])
    const written = await auditOf(member.memberId)
    assert.deepEqual(
      written.map(({ action }) => action),
      ['addresses.changed', 'addresses.changed', 'addresses.changed'],
    )
    const { addresses: left } = (written[2] ?? { after: null }).after as { addresses: unknown[] }
    assert.equal(left.length, 1)
  })

  for (const [name, addresses, sentence] of [
    ['no street', [{ ...home, address_line_1: ' ' }], texts.addressLineMissing],
    ['no city', [{ ...home, city: undefined }], texts.cityMissing],
    ['an unknown country', [{ ...home, country: 'XX' }], texts.countryMissing],
    ['the name of a prototype property as the country', [{ ...home, country: '__proto__' }], texts.countryMissing],
    ['no primary address', [{ ...home, primary: false }], profileTexts.addressPrimary],
    ['two primary addresses', [home, { ...office, primary: true }], profileTexts.addressPrimary],
    ['a lone surrogate', [{ ...home, city: 'Valletta\ud800' }], texts.textUnreadable],
    ['a control character', [{ ...home, state: 'a\u0007b' }], texts.textUnreadable],
    ['a line break', [{ ...home, address_line_2: 'a\nb' }], texts.textUnreadable],
    ['one character too many', [{ ...home, postcode: 'x'.repeat(21) }], 'Use at most 20 characters.'],
    ['too many', Array.from({ length: 6 }, (_, i) => ({ ...home, primary: i === 0 })), 'Keep at most 5 addresses.'],
  ] as const) {
    test(`rejects with an explanation: ${name}`, async () => {
      const answer = await save('addresses', { addresses })
      assert.deepEqual([answer.status, answer.body.errors], [422, { addresses: [sentence] }])
      assert.deepEqual((await profileOf()).addresses, [])
    })
  }

  for (const text of [
    '<script>alert(1)</script>',
    '\u202eteertS\u202c 14',
    "'; drop table members; --",
    '{{7*7}} #{7*7}',
    '__proto__',
    '🏠 Straße 五 שלום',
    'e\u0301',
    '-1+1',
  ]) {
    test(`keeps an address unchanged: ${JSON.stringify(text)}`, async () => {
      assert.equal(
        (await save('addresses', { addresses: [{ ...home, address_line_1: text, city: text }] })).status,
        200,
      )
      const [address] = (await profileOf()).addresses
      assert.deepEqual([address?.address_line_1, address?.city], [text, text])
    })
  }

  test('rejects a NUL and a text of one megabyte', async () => {
    assert.equal((await save('addresses', { addresses: [{ ...home, city: 'a\u0000' }] })).status, 422)
    assert.equal((await save('addresses', { addresses: [{ ...home, city: 'x'.repeat(1_000_000) }] })).status, 413)
  })

  test('rejects another member’s and an unknown address with the same answer', async () => {
    const other = await addMember(system)
    const theirs = await tokenOf(other.memberId)
    await save('addresses', { addresses: [home] }, theirs)
    const [foreign] = (await profileOf(theirs)).addresses
    const answers = []
    for (const _id of [foreign?._id, '00000000-0000-7000-8000-000000000000']) {
      const { status, body } = await save('addresses', { addresses: [{ ...office, _id, primary: true }] })
      answers.push([status, { ...body, request_id: '' }])
    }
    assert.equal(answers[0]?.[0], 422)
    assert.deepEqual(answers[0], answers[1])
    assert.deepEqual((await profileOf(theirs)).addresses, [foreign])
  })
})

/** The first choice of every preference with choices, including future ones. */
function firstChoices(): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(preferencesInput) as { properties?: Record<string, unknown> }
  const choiceOf = (shape: unknown) => /"enum":\["([^"]+)"/.exec(JSON.stringify(shape))?.[1]
  return Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, choiceOf(shape)]))
}

describe('saving preferences', () => {
  const chosen = {
    ...firstChoices(),
    ...{ text_language: 'en', language: 'de', time_zone: 'Europe/Malta', colour_scheme: 'dark' },
  }

  test('stores them, and null restores the browser’s', async () => {
    assert.equal((await save('preferences', chosen)).status, 200)
    const stored = await profileOf()
    assert.deepEqual(Object.fromEntries(preferenceColumns.map((name) => [name, stored[name]])), chosen)
    const nothing = Object.fromEntries(preferenceColumns.map((name) => [name, null]))
    assert.equal((await save('preferences', nothing)).status, 200)
    const given = await profileOf()
    for (const name of preferenceColumns) assert.equal(given[name], null, name)
    assert.deepEqual((await auditOf(member.memberId)).at(-1)?.before, chosen)
  })

  for (const [field, value] of [
    ['text_language', 'de'],
    ['language', 'xx'],
    ['language', 'de-x-'.repeat(1000)],
    ['time_zone', 'Mars/Olympus'],
    ['time_zone', '+05:00'],
    ['time_zone', '../../etc/passwd'],
    ['colour_scheme', 'sepia'],
  ] as const) {
    test(`rejects: ${field} ${value.slice(0, 20)}`, async () => {
      const answer = await save('preferences', { ...chosen, [field]: value })
      assert.deepEqual([answer.status, Object.keys(answer.body.errors as object)], [422, [field]])
    })
  }
})

describe('saving a profile in two tabs', () => {
  test('reports a conflict to the later tab and overwrites nothing', async () => {
    const { profile_version: version } = await profileOf()
    const first = await caller.post('/members/profile/contacts', { version, phones: ['+35621224455'] }, token)
    assert.equal(first.status, 200)
    for (const [part, body] of [
      ['contacts', { phones: ['+35799887766'] }],
      ['addresses', { addresses: [home] }],
      ['preferences', { language: 'fr', time_zone: null, colour_scheme: null }],
    ] as const) {
      const later = await caller.post(`/members/profile/${part}`, { version, ...body }, token)
      assert.deepEqual(
        [later.status, later.body.code, later.body.error],
        [409, 'conflict', profileTexts.profileChangedElsewhere],
      )
    }
    const { phones, addresses, language } = await profileOf()
    assert.deepEqual({ phones, addresses, language }, { phones: ['+35621224455'], addresses: [], language: null })
  })

  test('saves identical requests once, whether sent twice or twenty times together', async () => {
    const { profile_version: version } = await profileOf()
    const send = (part: string, body: object) => caller.post(`/members/profile/${part}`, { version, ...body }, token)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('addresses', { addresses: [home, office] })),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal((await profileOf()).addresses.length, 2)
    assert.equal((await auditOf(member.memberId)).length, 1)
  })

  test('saves one of twenty different concurrent requests and reports a conflict to the others', async () => {
    const { profile_version: version } = await profileOf()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        caller.post('/members/profile/contacts', { version, phones: [`+356212244${index + 10}`] }, token),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 19 }, () => 409)])
  })
})

describe('saving a profile', () => {
  test('rejects anonymous callers, staff and a member of another brokerage', async () => {
    const staff = await addStaff(system)
    const elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
    const foreignMember = await addMember(elsewhere)
    const tokens = [
      undefined,
      (await openTestSession(system, { kind: 'staff', id: staff.staffId })).token,
      (await openTestSession(elsewhere, { kind: 'member', id: foreignMember.memberId })).token,
    ]
    for (const each of tokens) {
      const answer = await caller.post('/members/profile/contacts', { version: 1, phones: ['+35621224455'] }, each)
      assert.equal(answer.status, 401)
    }
  })

  test('takes the member from the session, never from the body', async () => {
    const other = await addMember(system)
    const theirs = await tokenOf(other.memberId)
    const body = {
      phones: ['+35621224455'],
      _id: other.memberId,
      member_id: other.memberId,
      first_name: 'X',
      email: 'x@y.z',
    }
    assert.equal((await save('contacts', body)).status, 200)
    assert.deepEqual((await profileOf(theirs)).phones, [])
    const row = await reading(system, (tx) =>
      tx
        .selectFrom('members')
        .where(here)
        .select(['first_name', 'email'])
        .where('member_id', '=', member.memberId)
        .executeTakeFirst(),
    )
    assert.deepEqual(row, { first_name: 'Mara', email: member.email })
  })
})
