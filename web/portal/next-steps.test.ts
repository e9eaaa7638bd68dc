import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TFunction } from 'i18next'
import type { Profile } from '../features/profile/use-profile.ts'
import { nextSteps } from './next-steps.ts'

const t = ((text: string) => text) as unknown as TFunction
const profile = (over: object = {}) =>
  ({ phones: [], addresses: [], documents_status: 'pending', ...over }) as unknown as Profile
const nothing = { profile: profile(), hasAccount: false, hasMoved: false, isOpen: () => true }
const summary = (known: Parameters<typeof nextSteps>[0]) =>
  nextSteps(known, t).map(({ key, isDone, to, note }) => [key, isDone, to, note].join(' ').trim())

it('leads a new member from the profile to the first deposit', () => {
  assert.deepEqual(summary(nothing), [
    'profile false /profile',
    'documents false /documents',
    'account false /accounts/open-demo-account',
    'deposit false /funds/deposit',
  ])
})

it('ticks off what is done, and offers a live account to who is verified', () => {
  const known = profile({ phones: ['+35621224455'], addresses: [{}], documents_status: 'approved' })
  assert.deepEqual(summary({ ...nothing, profile: known }), [
    'profile true /profile',
    'documents true /documents',
    'account false /accounts/open-live-account',
    'deposit false /funds/deposit',
  ])
  assert.equal(
    summary({ ...nothing, profile: profile({ documents_status: 'in_verification' }) })[1],
    'documents false /documents Being checked',
  )
})

it('names no place that is closed', () => {
  const isOpen = (scope: string) => scope === 'profile' || scope === 'documents'
  assert.deepEqual(
    summary({ ...nothing, isOpen }).map((line) => line.split(' ')[0]),
    ['profile', 'documents'],
  )
})
