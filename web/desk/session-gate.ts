import { type DeskRight, holdsRight } from '@atrium/contract/staff/rights.ts'
import type { SetupStep } from '@atrium/contract/workspace-settings/setup.ts'
import { type AnyRouter, redirect } from '@tanstack/react-router'
import { ApiError } from '../api/api-error.ts'
import { deskSession, deskUserQuery } from '../features/desk-session/desk-session.ts'
import type { DeskUser } from '../features/desk-session/desk-user.ts'
import { leaveSession } from '../features/session/leave.ts'
import { queryClient } from '../ui/lists/query-client.ts'

/** Admits signed-in staff with their role loaded; redirects everyone else to sign-in and back afterwards. */
export async function requireStaff({ location }: { location: { href: string } }): Promise<{ user: DeskUser }> {
  if (!deskSession.read()) {
    deskSession.rememberTarget(location.href)
    throw redirect({ to: '/login' })
  }
  try {
    return { user: await queryClient.ensureQueryData(deskUserQuery) }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'second_factor_required') {
      deskSession.rememberTarget(location.href)
      throw redirect({ to: '/second-factor' })
    }
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error
    deskSession.clear(error.message)
    deskSession.rememberTarget(location.href)
    throw redirect({ to: '/login' })
  }
}

/** Hides a screen from staff without the right. The server refuses its calls regardless. */
export function requireRight(right: DeskRight) {
  return async ({ context }: { context: { user: DeskUser } }) => {
    if (holdsRight(context.user.type, right)) return
    // An administrator may have given the right since the role was read.
    const { type } = await queryClient.fetchQuery({ ...deskUserQuery, staleTime: 0 })
    if (!holdsRight(type, right)) throw redirect({ to: '/unauthorized' })
  }
}

/** True while members cannot use anything yet. If the setup cannot be read, the desk opens its default page. */
export async function isNewBrokerage({ type }: DeskUser): Promise<boolean> {
  if (!holdsRight(type, 'workspace.manage')) return false
  // Loaded after sign-in, because the first page does not need its schemas.
  const { setupQuery } = await import('../features/desk-setup/use-setup.ts')
  const steps = await queryClient.ensureQueryData(setupQuery).catch(() => [])
  const isOpen = (step: SetupStep) => steps.some(({ name, is_done }) => name === step && !is_done)
  return isOpen('platform') && isOpen('members')
}

export const leave = (router: AnyRouter, leaving: { isRemembering: boolean }): void =>
  leaveSession(deskSession, router, leaving)
