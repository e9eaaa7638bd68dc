import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSession } from '../../features/session/session.ts'

/** What is open to the member may change while a screen stands there: its gate is asked again then. */
export function useGatesAgain(): void {
  const router = useRouter()
  const { permissions, settings } = useSession()
  const known = useRef({ permissions, features: settings.features })
  useEffect(() => {
    const { features } = settings
    if (known.current.permissions === permissions && known.current.features === features) return
    known.current = { permissions, features }
    void router.invalidate()
  }, [permissions, settings, router])
}
