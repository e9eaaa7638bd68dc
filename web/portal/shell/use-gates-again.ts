import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSession } from '../../features/session/session.ts'

/** Checks the current screen's scope again when the member's permissions change. */
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
