import { endOtherSessions, endOwnSession, listOwnSessions } from '@atrium/contract/sessions/calls.ts'
import { call } from '../../api/transport.ts'
import type { SessionSource } from './use-own-sessions.ts'

export const memberSessions: SessionSource = {
  list: async () => (await call(listOwnSessions, {})).sessions,
  end: (session) => call(endOwnSession, session),
  endOthers: () => call(endOtherSessions, {}),
  to: '/profile',
}
