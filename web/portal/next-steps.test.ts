import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TFunction } from '../ui/text/i18n.ts'
import { nextStepOf, nextSteps, type StepsKnown } from './next-steps.ts'

const t = ((text: string) => text) as unknown as TFunction
const profile = (over: object = {}) =>
  ({ phones: [], addresses: [], documents_status: 'pending', ...over }) as unknown as StepsKnown['profile']
const nothing: StepsKnown = {
  ...{ profile: profile(), accounts: [], hasDeposited: false, needsDocuments: true },
  isOpen: () => true,
  mayOpen: () => true,
}
const reachable = { phones: ['+35621224455'], addresses: [{}] }
const account = (over: object = {}) => ({
  ...{ _id: 'a1', live_account: true, balance: '0.00' },
  ...{ deleted: false, archived: false, enable_read_only: false },
  ...over,
})
const summary = (known: Partial<StepsKnown>) =>
  nextSteps({ ...nothing, ...known }, t).map(({ key, isDone, to, note }) => [key, isDone, to, note].join(' ').trim())
const next = (known: Partial<StepsKnown>) => nextStepOf(nextSteps({ ...nothing, ...known }, t))?.to ?? null

it('leads a new member from the profile to the first deposit', () => {
  assert.deepEqual(summary({}), [
    'profile false /profile',
    'documents false /documents',
    'account false /accounts/open-demo-account',
    'deposit false /funds/deposit',
  ])
})

it('does not count a demo account as a live one', () => {
  const accounts = [account({ live_account: false, balance: '50000.00' })]
  assert.equal(summary({ accounts })[2], 'account false /accounts/open-live-account')
  assert.equal(summary({ accounts })[3], 'deposit false /funds/deposit')
})

it('names the one step to take now, and none while others must act', () => {
  const inReview = profile({ ...reachable, documents_status: 'in_verification' })
  const approved = profile({ ...reachable, documents_status: 'approved' })
  assert.equal(next({}), '/profile')
  assert.equal(next({ profile: profile(reachable) }), '/documents')
  assert.equal(next({ profile: inReview }), null)
  assert.equal(next({ profile: inReview, needsDocuments: false }), '/accounts/open-live-account')
  assert.equal(next({ profile: profile({ ...reachable, documents_status: 'rejected' }) }), '/documents')
  assert.equal(next({ profile: approved }), '/accounts/open-live-account')
  assert.equal(next({ profile: approved, accounts: [account()] }), '/funds/deposit/a1')
  assert.equal(next({ profile: approved, accounts: [account({ balance: '0.01' })] }), null)
  assert.equal(next({ profile: approved, accounts: [account()], hasDeposited: true }), null)
})

it('leads to an account that accepts deposits, and waits while none does', () => {
  const approved = profile({ ...reachable, documents_status: 'approved' })
  const readOnly = account({ _id: 'a0', enable_read_only: true })
  assert.equal(next({ profile: approved, accounts: [readOnly, account()] }), '/funds/deposit/a1')
  assert.equal(next({ profile: approved, accounts: [readOnly] }), null)
})

it('leads to no opening that the brokerage does not offer', () => {
  const only = (offered: string) => summary({ mayOpen: (kind) => kind === offered }).map((line) => line.split(' ')[2])
  assert.deepEqual(only('live'), ['/profile', '/documents', '/accounts/open-live-account', '/funds/deposit'])
  assert.deepEqual(only('demo'), ['/profile', '/documents', '/funds/deposit'])
  const [, , account] = nextSteps({ ...nothing, mayOpen: (kind) => kind === 'live' }, t)
  assert.equal(account?.text, 'Once your identity is verified.')
})

it('shows documents in review without asking for anything', () => {
  const inReview = profile({ documents_status: 'in_verification' })
  assert.equal(summary({ profile: inReview })[1], 'documents false /documents In review')
  const [, documents] = nextSteps({ ...nothing, profile: inReview }, t)
  assert.match(documents?.text ?? '', /^No action needed\./)
})

it('names no page that is closed', () => {
  const isOpen = (scope: string) => scope === 'profile' || scope === 'documents'
  assert.deepEqual(
    summary({ isOpen }).map((line) => line.split(' ')[0]),
    ['profile', 'documents'],
  )
})
