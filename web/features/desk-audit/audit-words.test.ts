import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAuditSearch, withFilter } from './audit-search.ts'
import { actionWords, differencesOf } from './audit-words.ts'

describe('an entry of the audit log in words', () => {
  it('says what was done', () => {
    assert.equal(actionWords('member.permissions-changed'), 'Member: permissions changed')
    assert.equal(actionWords('password-reset.sent-by-desk'), 'Reset link: sent by desk')
    assert.equal(actionWords('odd'), 'Odd: ')
  })

  it('shows what changed and leaves out what did not', () => {
    const before = { status: 'active', permissions: [], kept: 1 }
    const after = { status: 'locked', permissions: ['deposit-', 'support-'], kept: 1, sessions_ended: 2 }
    assert.deepEqual(differencesOf(before, after), [
      { name: 'status', before: 'active', after: 'locked' },
      { name: 'permissions', before: null, after: 'deposit-, support-' },
      { name: 'sessions ended', before: null, after: '2' },
    ])
    assert.deepEqual(differencesOf(null, { deep: { a: 1 } }), [{ name: 'deep', before: null, after: '{"a":1}' }])
    assert.deepEqual(differencesOf(null, null), [])
  })

  it('says what terms and security settings are about in words', () => {
    assert.equal(actionWords('terms.published'), 'Terms: published')
    assert.equal(actionWords('second-factors.reset'), 'Second factor: reset')
    const before = { blocked_portal_sections: ['deposit'], hold_withdrawals: true }
    const after = { blocked_portal_sections: ['all'], hold_withdrawals: false, tickbox_text: 'Yes' }
    assert.deepEqual(differencesOf(before, after), [
      { name: 'closed until accepted', before: 'Deposit', after: 'The whole portal' },
      { name: 'withdrawals held after a reset', before: 'yes', after: 'no' },
      { name: 'beside the tick box', before: null, after: 'Yes' },
    ])
  })
})

describe('the address of the audit log', () => {
  it('keeps what makes sense, and begins anew with another filter', () => {
    assert.deepEqual(readAuditSearch({ actor: 'staff', action: 'x y', from: 'now' }), { actor: 'staff' })
    assert.deepEqual(withFilter({ after: 'abc', actor: 'staff' }, { actor: null, subject: 'session' }), {
      subject: 'session',
    })
  })
})
