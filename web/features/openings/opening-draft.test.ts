// spec: MP 2.4, MP 5, MP 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openLiveAccount } from '@atrium/contract/openings/calls.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import {
  checkDraft,
  choicesOf,
  firstDraft,
  type OfferedPlatform,
  openingFieldFor,
  rulesFor,
  toBody,
} from './opening-draft.ts'
import { endedSince, stateOf } from './use-openings.ts'

const policy = { min: 8, max: 16, classes: 'lower+upper+digit+special', forbidden: '=' } as const
const strict: OfferedPlatform = {
  id: '0190a0b0-0000-7000-8000-000000000001',
  name: 'Harbour MT5',
  type: 'mt5',
  password_policy: { ...policy },
  groups: [
    { name: 'real\\usd', alias: 'Standard', kind: 'live' },
    { name: 'real\\eur', alias: 'Standard EUR', kind: 'live' },
  ],
}
const loose: OfferedPlatform = {
  ...strict,
  id: '0190a0b0-0000-7000-8000-000000000002',
  password_policy: null,
  groups: strict.groups.slice(0, 1),
}
const good = 'Tidal-Gauge-71'

describe('the form to open an account', () => {
  it('preselects the first platform, the first leverage, and the group if there is only one', () => {
    assert.deepEqual(firstDraft([strict, loose], [200, 100]), {
      platformId: strict.id,
      group: null,
      leverage: 200,
      password: '',
      confirmation: '',
    })
    assert.deepEqual(choicesOf(loose), { platformId: loose.id, group: 'real\\usd' })
    assert.deepEqual(choicesOf(undefined), { platformId: null, group: null })
  })

  it('reports every missing field', () => {
    const empty = { platformId: null, group: null, leverage: null, password: '', confirmation: '' }
    assert.deepEqual(checkDraft(empty, undefined), {
      platform: [openingTexts.openingPlatformUnknown],
      group: [openingTexts.openingGroupMissing],
      leverage: [openingTexts.openingLeverageMissing],
      password: [openingTexts.openingPasswordMissing],
    })
  })

  it('checks the password against the portal’s rules and the chosen platform’s own', () => {
    const draft = { ...firstDraft([strict], [100]), group: 'real\\usd' }
    const wrongOf = (password: string, platform: OfferedPlatform) =>
      checkDraft({ ...draft, password, confirmation: password }, platform).password
    assert.equal(wrongOf(good, strict), undefined)
    assert.deepEqual(wrongOf('TidalGauge71', strict), [openingTexts.openingPasswordSpecial])
    assert.equal(wrongOf('TidalGauge71', loose), undefined)
    assert.deepEqual(wrongOf('tidal', loose), [texts.passwordTooShort, openingTexts.openingPasswordLetters])
    assert.deepEqual([rulesFor(strict).length, rulesFor(loose).length, rulesFor(undefined).length], [5, 2, 2])
  })

  it('requires the same password twice', () => {
    const draft = { ...firstDraft([loose], [100]), password: good, confirmation: 'Tidal-Gauge-72' }
    assert.deepEqual(checkDraft(draft, loose), { confirmation: [texts.passwordConfirmation] })
  })

  it('builds the body of the call, with a deposit of 0', () => {
    const body = toBody({ ...firstDraft([loose], [100]), password: good, confirmation: good })
    assert.equal(openLiveAccount.input.safeParse(body).success, true)
    assert.equal(body.initial_deposit, 0)
  })

  it('shows server errors at their fields', () => {
    assert.deepEqual(['main_password', 'group', 'initial_deposit'].map(openingFieldFor), ['password', 'group', null])
  })
})

describe('a watched opening', () => {
  const id = '0190a0b0-0000-7000-8000-000000000003'
  const nothing = { openings: [], ended: [] }

  it('is in no phase before one was seen, and not opened when it ended without an account', () => {
    assert.deepEqual(stateOf(nothing, undefined, null), { phase: 'none' })
    assert.deepEqual(stateOf(nothing, undefined, id), { phase: 'not-opened' })
    const ended = {
      _id: id,
      kind: 'live',
      state: 'not_opened',
      trading_account: null,
      created_at: 1,
      ended_at: 2,
    } as const
    assert.deepEqual(stateOf({ openings: [], ended: [ended] }, undefined, id), { phase: 'not-opened' })
    assert.equal(endedSince({ openings: [], ended: [ended] }, 'live', id), id)
    assert.equal(endedSince({ openings: [], ended: [ended] }, 'demo', id), null)
  })

  it('reports nothing about one that was watched before and is not in the list', () => {
    assert.equal(endedSince(nothing, 'live', id), null)
    assert.equal(endedSince(undefined, 'live', id), null)
    assert.equal(endedSince(nothing, 'live', null), null)
  })
})
