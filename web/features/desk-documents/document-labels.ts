import type { Meaning } from '../../ui/brand/theme.ts'

export const statusLabels: Record<string, { meaning: Meaning; label: string }> = {
  missing: { meaning: 'amber', label: 'Missing' },
  pending: { meaning: 'amber', label: 'Pending' },
  in_verification: { meaning: 'blue', label: 'In verification' },
  approved: { meaning: 'green', label: 'Approved' },
  rejected: { meaning: 'red', label: 'Rejected' },
}

export const tabLabels = {
  in_verification: { label: 'To review' },
  pending: { label: 'Pending' },
  rejected: { label: 'Rejected' },
  approved: { label: 'Approved' },
  all: { label: 'All' },
}

export const ageLabels = { oldest: 'Oldest first', newest: 'Newest first' }

/** Labels of events in a KYC document's history. */
export const eventLabels: Record<string, string> = {
  'document.added': 'Document added',
  'document.approved': 'Document verified',
  'document.rejected': 'Document rejected',
  'document.unverified': 'Verification revoked',
  'document.expired': 'Document expired',
  'document.requested': 'Another document requested',
  'document.request-withdrawn': 'No longer requested',
  'document.file-released': 'File released without a virus check',
  'identity-check.started': 'Identity check started',
  'identity-check.waiting': 'Identity check submitted',
  'identity-check.retry': 'Identity check: something is missing',
  'identity-check.approved': 'Identity check approved',
  'identity-check.rejected': 'Identity check rejected',
  'identity-check.withheld-waiting': 'Not counted, as the vendor is switched off: identity check submitted',
  'identity-check.withheld-retry': 'Not counted, as the vendor is switched off: something is missing',
  'identity-check.withheld-approved': 'Not counted, as the vendor is switched off: identity check approved',
  'identity-check.withheld-rejected': 'Not counted, as the vendor is switched off: identity check rejected',
  'member.kyc-category-changed': 'Moved to another set of documents',
  'member.papers-seen-elsewhere': 'Verified outside the portal',
  'member.papers-asked-for': 'Documents required here',
}

/** What members get from a category that becomes required, or stops being required. */
export const requiredEffects = {
  required: 'Members without an approved document of it are no longer approved, and are notified by email.',
  optional:
    'Members who lack nothing else are approved, and are notified by email. If no other category is required, documents approve nobody any more. Its documents are kept.',
}
