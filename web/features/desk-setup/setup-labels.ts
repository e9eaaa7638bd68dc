import type { SetupStep } from '@atrium/contract/workspace-settings/setup.ts'

type StepLabels = { title: string; text: string; to: string }

/** Purpose and target page of each setup step. */
export const stepLabels: Record<SetupStep, StepLabels> = {
  second_factor: {
    title: 'Protect your sign-in',
    text: 'Add an authenticator app or a passkey to your account.',
    to: '/security',
  },
  brand: { title: 'Upload your logo', text: 'It is shown on the sign-in page and in emails.', to: '/settings/brand' },
  platform: {
    title: 'Connect a trading platform',
    text: 'Enter the connection, then choose the groups that members can open accounts in.',
    to: '/platforms',
  },
  payments: {
    title: 'Offer a way to deposit',
    text: 'Connect a payment provider, or enter a bank account that members transfer to.',
    to: '/providers',
  },
  documents: {
    title: 'Choose the documents that you require',
    text: 'Withdrawals from live accounts need an approved identity.',
    to: '/document-categories',
  },
  terms: { title: 'Publish your terms', text: 'Members accept them before they use the portal.', to: '/terms' },
  colleagues: {
    title: 'Invite a colleague',
    text: 'Amounts above the limit for a second approval need two people.',
    to: '/staff',
  },
  members: {
    title: 'Invite the first member',
    text: 'They receive a link to set their password.',
    to: '/members',
  },
}
