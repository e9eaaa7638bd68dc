import { AuditTrail } from '../features/desk-audit/audit-trail.tsx'
import { MemberDesk } from '../features/desk-members/member-desk.tsx'
import { MemberOpenings } from '../features/desk-openings/member-openings.tsx'
import { useHolds } from '../features/desk-session/desk-session.ts'

export function MembersPage() {
  const holds = useHolds()
  const rights = {
    mayHelp: holds('members.help'),
    mayLock: holds('members.lock'),
    mayPermit: holds('members.permit'),
    mayInvite: holds('members.invite'),
    mayChange: holds('members.change'),
    mayReadAudit: holds('audit.read'),
  }
  return (
    <MemberDesk
      rights={rights}
      trail={(memberId) => <AuditTrail key={memberId} memberId={memberId} />}
      openings={(openings) => <MemberOpenings openings={openings} />}
    />
  )
}
