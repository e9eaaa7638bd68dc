import type { Erasure } from '../foundation/erasure.ts'
import { clearIdentityWebhookEventsOf } from './identity-clearing.ts'

export const documentsErasure: Erasure = {
  before: clearIdentityWebhookEventsOf,
  tables: {
    documents: {
      do: 'blank',
      columns: { title: 'Erased', description: null, unverify_reason: 'Erased', reject_reason: 'Erased' },
      why: 'Who was identified, and by what, is kept by law.',
    },
    document_requests: {
      do: 'blank',
      columns: { note: '' },
      why: 'What was asked for is part of how somebody was identified.',
    },
    document_events: { do: 'blank', columns: { note: null }, why: 'How somebody was identified is kept by law.' },
    identity_checks: {
      do: 'blank',
      columns: { applicant_id: null, reason: null },
      why: 'How somebody was identified is kept by law; the vendor knows the check by its id.',
    },
  },
  joined: {
    identity_notifications: {
      ...{ owner: 'identity_checks', by: ['check_id'] },
      ending: { do: 'apart', where: 'documents/identity-clearing.ts' },
    },
  },
}
