import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { InviteDialog } from './invite-dialog.tsx'

/** Invites a member, who is looked at then. */
export function Invite({ maySell }: { maySell: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<string | null>(null)
  // Once the dialog is gone: its guard would ask about what was just sent.
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
