import type { Erasure } from '../../foundation/erasure.ts'

export const membersErasure: Erasure = {
  tables: {
    members: { do: 'apart', where: 'erasure.ts' },
    member_words: { do: 'apart', where: 'a trigger rewrites them from the blanked row' },
    audit_log: { do: 'apart', where: 'erase_logged_details: actor, action and time stay, details are removed' },
    member_writes: { do: 'apart', where: 'erasure.ts: removed last, because the erasure itself writes them' },
    member_addresses: { do: 'remove' },
    nonces: { do: 'remove' },
    member_locks: { do: 'blank', columns: { reason: 'Erased' }, why: 'Sign-in locks are security records.' },
  },
  joined: {
    audit_links: {
      ...{ owner: 'audit_log', by: ['audit_id'] },
      ending: { do: 'keep', why: 'The hashes prove that no other entry of the log was changed.' },
    },
  },
}
