import { Outlet } from '@tanstack/react-router'
import { NoticesPlace } from '../feedback/notices-place.tsx'

export function AppRoot() {
  return (
    <>
      <Outlet />
      <NoticesPlace />
    </>
  )
}
