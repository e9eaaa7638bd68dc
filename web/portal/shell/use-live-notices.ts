import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { startLater } from '../../api/start-later.ts'
import type { ShownBy } from '../../features/notices/live-notices.ts'

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
export function useLiveNotices(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      startLater(async () => {
        const { followNotices } = await import('../../features/notices/live-notices.ts')
        return () => followNotices(client, shownBy)
      }),
    [client],
  )
}
