import '../ui/notice-styles.ts'
import { Notifications } from '@mantine/notifications'
import { Outlet } from '@tanstack/react-router'
import { useIsPhone } from '../ui/use-is-phone.ts'

/** Notices stand above every screen: one of a screen that leads to another is still read there. */
export function PortalRoot() {
  const isPhone = useIsPhone()
  return (
    <>
      <Outlet />
      <Notifications position={isPhone ? 'top-center' : 'bottom-right'} limit={3} />
    </>
  )
}
