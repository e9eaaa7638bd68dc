import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setReader } from '../../ui/text/format.ts'
import { actionLabels } from './action-labels.ts'
import { aboutChoices, aboutOf, differencesOf } from './audit-labels.ts'

describe('the labels of an audit log entry', () => {
  it('name the action', () => {
    assert.equal(actionLabels('member.permissions-changed'), 'Member permissions changed')
    assert.equal(actionLabels('members.exported'), 'List of members exported')
    assert.equal(actionLabels('password-reset.sent-by-desk'), 'Reset link sent by the desk')
    assert.equal(actionLabels('session.opened'), 'Signed in')
    assert.equal(actionLabels('ticket.let-go'), 'Ticket unassigned')
    assert.equal(actionLabels('odd'), 'Odd')
  })

  it('name the events of deposits and withdrawals as their histories do', () => {
    assert.equal(actionLabels('deposit.requested'), 'Deposit created')
    assert.equal(actionLabels('deposit.handed-over'), 'Deposit: sent to the payment page')
    assert.equal(actionLabels('withdrawal.paid-out'), 'Withdrawal: paid out')
    assert.equal(actionLabels('deposit.from-a-later-version'), 'Deposit from a later version')
  })

  it('list the changed fields and omit the others', () => {
    const before = { status: 'active', permissions: [], stored: 1 }
    const after = { status: 'locked', permissions: ['deposit-', 'support-'], stored: 1, sessions_ended: 2 }
    assert.deepEqual(differencesOf(before, after), [
      { name: 'status', before: 'active', after: 'locked' },
      { name: 'permissions', before: null, after: 'deposit-, support-' },
      { name: 'sessions ended', before: null, after: '2' },
    ])
    assert.deepEqual(differencesOf(null, { deep: { a: 1 } }), [{ name: 'deep', before: null, after: 'a: 1' }])
    assert.deepEqual(differencesOf(null, null), [])
  })

  it('show amounts with currency, names for ids, and times in the reader\u2019s zone', () => {
    const id = '0199a1b2-0000-7000-8000-000000000001'
    const names = { [id]: { name: 'T-1042', amount: '1200', currency: 'USD' } }
    setReader({ language: 'en', timeZone: 'Asia/Tokyo' })
    const after = {
      amount: '1200',
      currency: 'USD',
      transaction: id,
      until: '2026-11-26T20:00:00Z',
      state: 'for_staff',
    }
    assert.deepEqual(differencesOf(null, after, names), [
      { name: 'amount', before: null, after: '1,200.00 USD' },
      { name: 'transaction', before: null, after: 'T-1042' },
      { name: 'until', before: null, after: 'Nov 27, 2026, 05:00 AM' },
      { name: 'state', before: null, after: 'for staff' },
    ])
    assert.equal(differencesOf(null, { provider_id: id.replace('1', '2') })[0]?.after, '0299a1b2\u2026')
    setReader({ language: null, timeZone: null })
  })

  it('leave a problem of a platform to the page, which puts it into words', () => {
    assert.deepEqual(differencesOf({ problem: 'timeout' }, { problem: 'weak_password (3006)' }), [
      { name: 'problem', before: 'timeout', after: 'weak_password (3006)', isProblem: true },
    ])
  })

  it('offer the nouns of the actions as filters', () => {
    const choices = aboutChoices(['deposit.approved', 'session.opened', 'deposit.requested'])
    assert.deepEqual(choices, [
      { value: 'deposit.', label: 'Deposit' },
      { value: 'session.', label: 'Session' },
    ])
    assert.deepEqual(
      [aboutOf('deposit.approved'), aboutOf('deposit.'), aboutOf(undefined)],
      ['deposit.', 'deposit.', null],
    )
  })

  it('spell out terms and security settings', () => {
    assert.equal(actionLabels('terms.published'), 'Terms published')
    assert.equal(actionLabels('second-factors.reset'), 'Second factors reset')
    const before = { blocked_portal_sections: ['deposit'], hold_withdrawals: true }
    const after = { blocked_portal_sections: ['all'], hold_withdrawals: false, tickbox_text: 'Yes' }
    assert.deepEqual(differencesOf(before, after), [
      { name: 'closed until accepted', before: 'Deposit', after: 'The whole portal' },
      { name: 'withdrawals held after a reset', before: 'yes', after: 'no' },
      { name: 'text of the checkbox', before: null, after: 'Yes' },
    ])
  })
})
