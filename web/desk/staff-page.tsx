import { StaffDesk } from '../features/desk-staff/staff-desk.tsx'

export function StaffPage() {
  return <StaffDesk />
}
