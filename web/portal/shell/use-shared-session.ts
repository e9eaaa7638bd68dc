import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { startLater } from '../../api/start-later.ts'
import { portalSession } from '../../features/session/portal-session.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { leave } from '../session-gate.ts'
import { unsentInputStore } from './unsent-input-store.ts'

/** New tabs of this browser share this session, and signing out in one tab signs out in all. */
export function useSharedSession(): void {
  const { t } = useTranslation()
  const router = useRouter()
  useEffect(() => {
    const follow = () => {
      unsentInputStore.forget()
      leave(router, { isRemembering: false })
      portalSession.clear(t('You signed out in another tab.'))
    }
    return startLater(async () => {
      const { shareSession } = await import('../../features/session/tabs.ts')
      return () => shareSession(portalSession, follow)
    })
  }, [router, t])
}
