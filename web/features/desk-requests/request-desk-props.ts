import type { ReactNode } from 'react'

export type RequestDeskProps = {
  staffId: string
  mayHandle: boolean
  /** Whether requests may be approved that change a member's name or email. */
  mayChange: boolean
  /** Who asks, beside what they asked. */
  drawMember: (memberId: string) => ReactNode
}
