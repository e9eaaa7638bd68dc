import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { InviteDialog } from './invite-dialog.tsx'

/** Invites a member and opens their page. */
export function Invite({ maySell }: { maySell: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<string | null>(null)
  // Navigates after the dialog closes, because its guard would ask about unsaved changes.
  useEffect(() => {
    if (isInviting || invited === null) return
    setInvited(null)
    void navigate({ to: '/members/{-$memberId}', params: { memberId: invited }, search: {} })
  }, [isInviting, invited, navigate])
  return (
    <>
      <Button size="xs" onClick={() => setInviting(true)}>
        {t('Invite a member')}
      </Button>
      {isInviting && <InviteDialog maySell={maySell} onInvited={setInvited} onClose={() => setInviting(false)} />}
    </>
  )
}
