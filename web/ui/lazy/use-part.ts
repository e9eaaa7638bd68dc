import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { report } from '../../api/log.ts'

/** Fetches a component that is a separate chunk. */
export type Part<Props> = () => Promise<ComponentType<Props>>

/**
 * The component, once its code has loaded; each request fetches it again until then, because React's `lazy` keeps a
 * failure. Without `onMissing` a failure reaches the nearest error screen.
 */
export function usePart<Props>(
  fetch: Part<Props>,
  { isAsked, onMissing }: { isAsked: boolean; onMissing?: () => void },
): ComponentType<Props> | undefined {
  const [found, setFound] = useState<ComponentType<Props>>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  const fail = useEffectEvent((error: unknown) => {
    report('part.missing', { error: String(error) })
    if (onMissing) onMissing()
    else setFailure({ error })
  })
  const isWanted = isAsked && !found
  useEffect(() => {
    if (!isWanted) return
    let isGone = false
    fetch().then(
      (component) => {
        if (!isGone) setFound(() => component)
      },
      (error: unknown) => {
        if (!isGone) fail(error)
      },
    )
    return () => {
      isGone = true
    }
  }, [fetch, isWanted])
  if (failure) throw failure.error
  return found
}
