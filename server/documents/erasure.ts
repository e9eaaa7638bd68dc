import type { Erasure } from '../foundation/erasure.ts'
import { clearIdentityWebhookEventsOf } from './identity-clearing.ts'

export const documentsErasure: Erasure = {
  before: clearIdentityWebhookEventsOf,
  tables: {
    documents: {
      do: 'blank',
      columns: { title: 'Erased', description: null, unverify_reason: 'Erased', reject_reason: 'Erased' },
      why: 'Proof of identification must be kept by law.',
    },
    document_requests: {
      do: 'blank',
      columns: { note: '' },
      why: 'The requested documents are part of the proof of identification.',
    },
    document_events: { do: 'blank', columns: { note: null }, why: 'Proof of identification must be kept by law.' },
    identity_checks: {
      do: 'blank',
      columns: { applicant_id: null, reason: null },
      why: 'Proof of identification must be kept by law; the vendor keeps the check under its id.',
    },
  },
  joined: {
    identity_notifications: {
      ...{ owner: 'identity_checks', by: ['check_id'] },
      ending: { do: 'apart', where: 'documents/identity-clearing.ts' },
    },
  },
}
