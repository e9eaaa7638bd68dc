import type { ReactNode } from 'react'

export type RequestDeskProps = {
  staffId: string
  mayHandle: boolean
  /** True if the role may approve requests that change a member's name or email. */
  mayChange: boolean
  /** Renders the member beside their request. */
  drawMember: (memberId: string) => ReactNode
}
