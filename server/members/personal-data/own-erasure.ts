import type { Erasure } from '../../foundation/erasure.ts'

export const membersErasure: Erasure = {
  tables: {
    members: { do: 'apart', where: 'erasure.ts' },
    member_words: { do: 'apart', where: 'a trigger writes them anew from the emptied row' },
    audit_log: { do: 'apart', where: 'erase_logged_details: who did what and when stays, the details go' },
    member_writes: { do: 'apart', where: 'erasure.ts: they go last, as they are written last' },
    member_addresses: { do: 'remove' },
    nonces: { do: 'remove' },
    member_locks: { do: 'blank', columns: { reason: 'Erased' }, why: 'That the sign-in was locked is proof.' },
  },
  joined: {
    audit_links: {
      ...{ owner: 'audit_log', by: ['audit_id'] },
      ending: { do: 'keep', why: 'Hashes, by which the log proves that nothing else was changed.' },
    },
  },
}
