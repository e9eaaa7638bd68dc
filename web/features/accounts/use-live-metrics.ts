import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { startLater } from '../../api/start-later.ts'

/** Updates the displayed accounts live while the component is mounted. */
export function useLiveMetrics({ isOff = false }: { isOff?: boolean } = {}): void {
  const client = useQueryClient()
  useEffect(() => {
    if (isOff) return
    return startLater(async () => {
      const { followLiveMetrics } = await import('./live-metrics.ts')
      return () => followLiveMetrics(client)
    })
  }, [client, isOff])
}
