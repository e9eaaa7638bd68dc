import { Outlet } from '@tanstack/react-router'
import { ToastContainer } from '../feedback/toast-container.tsx'

export function AppRoot() {
  return (
    <>
      <Outlet />
      <ToastContainer />
    </>
  )
}
