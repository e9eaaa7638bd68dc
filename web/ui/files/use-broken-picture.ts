import { useState } from 'react'

/** Whether the picture at this address failed to load. Another address is another picture, which gets its own attempt. */
export function useBrokenPicture(address: string): { isBroken: boolean; onError: () => void } {
  const [broken, setBroken] = useState<string | null>(null)
  return { isBroken: broken === address, onError: () => setBroken(address) }
}
