import type { ReactNode } from 'react'
import { sayMissing } from './late.tsx'
import { type Part, usePart } from './use-part.ts'

type LatePartProps<Props> = {
  part: Part<Props>
  /** Undefined while what the part shows is loading. */
  props: Props | undefined
  /** Holds the place of the part. */
  room: ReactNode
}

/** A part that the page shows at once, but does not wait for. */
export function LatePart<Props extends object>({ part, props, room }: LatePartProps<Props>) {
  const Component = usePart(part, { isAsked: true, onMissing: sayMissing })
  return Component && props ? <Component {...props} /> : room
}
