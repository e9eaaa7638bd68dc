import type { DocumentsStatus } from '../members/states.ts'

/** Texts for members whose money waits for their identity verification. */
export const identityTexts = {
  withdrawalNeeds: 'Verify your identity to withdraw.',
  withdrawalWaits: 'Your identity is being verified. You can withdraw once it is approved.',
  depositAbove:
    'Until your identity is verified, you can deposit up to {{limit}} in total, and {{left}} of that is left. Verify your identity under Documents to deposit more.',
  depositCurrency: 'Verify your identity under Documents to deposit in {{currency}}.',
} as const

type Unverified = Exclude<DocumentsStatus, 'approved'>

export const withdrawalIdentityText = (status: DocumentsStatus): string =>
  status === 'in_verification' ? identityTexts.withdrawalWaits : identityTexts.withdrawalNeeds

/** The next step for the member. */
export const identitySteps: Record<Unverified, string> = {
  pending: 'Upload the documents that we ask for.',
  in_verification: 'No action needed: we will notify you when your documents are reviewed.',
  rejected: 'Replace the document that was rejected.',
}
