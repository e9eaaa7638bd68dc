import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followFigures } from './live-figures.ts'

/** Keeps what is shown of the member's accounts up to the second while this is on the screen. */
export function useLiveFigures({ isOff = false }: { isOff?: boolean } = {}): void {
  const client = useQueryClient()
  useEffect(() => (isOff ? undefined : followFigures(client)), [client, isOff])
}
