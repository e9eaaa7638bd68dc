import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { startLater } from '../../api/start-later.ts'

/** Keeps what is shown of the member's accounts up to the second while this is on the screen. */
export function useLiveFigures({ isOff = false }: { isOff?: boolean } = {}): void {
  const client = useQueryClient()
  useEffect(() => {
    if (isOff) return
    return startLater(async () => {
      const { followFigures } = await import('./live-figures.ts')
      return () => followFigures(client)
    })
  }, [client, isOff])
}
