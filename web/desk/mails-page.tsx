import { MailsDesk } from '../features/desk-mails/mails-desk.tsx'
import { useHolds } from '../features/desk-session/desk-session.ts'

export function MailsPage() {
  return <MailsDesk mayHelp={useHolds()('members.help')} />
}
