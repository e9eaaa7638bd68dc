import type { Erasure } from '../foundation/erasure.ts'
import { endSessionsOf } from './passwords/new-password.ts'

export const sessionsErasure: Erasure = {
  before: async (tx, actor, id) => void (await endSessionsOf(tx, actor, { kind: 'member', id })),
  tables: {
    password_resets: { do: 'remove' },
    known_devices: { do: 'remove' },
    passkey_challenges: { do: 'remove' },
    sign_in_challenges: { do: 'remove' },
    recovery_codes: { do: 'remove' },
    passkeys: { do: 'remove' },
    totp_factors: { do: 'remove' },
    sessions: {
      do: 'blank',
      columns: { address: null, user_agent: null },
      why: 'The times of sessions are security records.',
    },
  },
}
