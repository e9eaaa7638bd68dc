import { AuditLog } from '../features/desk-audit/audit-log.tsx'

export function AuditPage() {
  return <AuditLog />
}
