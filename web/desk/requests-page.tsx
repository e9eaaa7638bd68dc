import { MemberBeside } from '../features/desk-members/member-beside.tsx'
import { RequestDesk } from '../features/desk-requests/request-desk.tsx'
import { RequestTypesDesk } from '../features/desk-requests/types-desk.tsx'
import { useDeskUser, useHolds } from '../features/desk-session/desk-session.ts'

export function RequestsPage() {
  const holds = useHolds()
  return (
    <RequestDesk
      staffId={useDeskUser()._id}
      mayHandle={holds('requests.handle')}
      mayChange={holds('members.change')}
      drawMember={(id) => <MemberBeside id={id} />}
    />
  )
}

export function RequestTypesPage() {
  return <RequestTypesDesk mayManage={useHolds()('forms.manage')} />
}
