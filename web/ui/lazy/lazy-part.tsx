import { type ComponentType, type ReactNode, useDeferredValue, useState } from 'react'
import { notifyMissing } from './lazy.tsx'
import { type Part, usePart } from './use-part.ts'

type LazyPartProps<Props> = {
  part: Part<Props>
  /** Undefined while what the part shows is loading. */
  props: Props | undefined
  /** Holds the place of the part. */
  room: ReactNode
}

const loaded = new WeakMap<object, unknown>()

/** A part that the page shows at once, but does not wait for. The page does without a part that fails to load, and says so. */
export function LazyPart<Props extends object>({ part, props, room }: LazyPartProps<Props>) {
  const [known] = useState(() => loaded.get(part) as ComponentType<Props> | undefined)
  const [isMissing, setMissing] = useState(false)
  const found = usePart(part, {
    isAsked: !known,
    onMissing: () => {
      setMissing(true)
      notifyMissing()
    },
  })
  if (found) loaded.set(part, found)
  // Rendered in slices, because it appears after the rest of the page.
  const late = useDeferredValue(found)
  const Component = known ?? late
  if (isMissing) return null
  return Component && props ? <Component {...props} /> : room
}
