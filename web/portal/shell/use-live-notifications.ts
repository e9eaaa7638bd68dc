import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { startLater } from '../../api/start-later.ts'
import type { ShownBy } from '../../features/notifications/live-notifications.ts'

/** The query keys by kind of notification target. */
const shownBy: ShownBy = {
  ticket: ['tickets'],
  document: ['documents', 'session', 'profile'],
  transaction: ['transactions', 'accounts'],
  account: ['accounts', 'openings'],
  bank_account: ['bank-accounts'],
  fund_account: ['other-accounts'],
  request: ['requests'],
  security: ['security', 'own-sessions'],
}

/** Live updates on every page. */
export function useLiveNotifications(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      startLater(async () => {
        const { followNotifications } = await import('../../features/notifications/live-notifications.ts')
        return () => followNotifications(client, shownBy)
      }),
    [client],
  )
}
